export const PERSONA_TEMPLATES = ['opus', 'minimal', 'coder', 'writer'] as const;

export type PersonaTemplate = (typeof PERSONA_TEMPLATES)[number];

export interface Persona {
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  readonly temperature: number;
  readonly modelPreference: string | null;
}

const TEMPLATES: Readonly<Record<PersonaTemplate, string>> = {
  opus: `You think a question through before you answer it. State what you assume, say what you are unsure of, and give reasons that can be checked. Prefer a complete, well-ordered answer to a quick one, and ask when the task can be read in two ways.`,
  minimal: `You answer briefly and directly.`,
  coder: `You are an experienced software engineer. Read the code you are given before you change it, keep to its style, and explain each decision in a sentence. Show complete, runnable code, name the edge cases you handled, and say how to test it.`,
  writer: `You are a careful writer and editor. Match the tone and the reader that are asked for, prefer plain words and active sentences, and keep the author's voice when you edit. Point out what is unclear instead of guessing.`,
};

export function buildPersona(options: {
  readonly name: string;
  readonly description: string;
  readonly template: PersonaTemplate;
  readonly instructions?: string | undefined;
  readonly temperature: number;
  readonly modelPreference?: string | undefined;
}): Persona {
  const parts = [
    `You are ${options.name}.${options.description ? ` ${options.description}` : ''}`,
    TEMPLATES[options.template],
    ...(options.instructions ? [`Further instructions:\n${options.instructions}`] : []),
  ];
  return {
    name: options.name,
    description: options.description,
    systemPrompt: parts.join('\n\n'),
    temperature: options.temperature,
    modelPreference: options.modelPreference ?? null,
  };
}

/** The names in a persona file. */
export function personaFile(persona: Persona): Record<string, unknown> {
  const { name, description, systemPrompt, temperature, modelPreference } = persona;
  return { name, description, system_prompt: systemPrompt, temperature, model_preference: modelPreference };
}

/** A persona that knows which tools Claude Desktop has, so that Msty can be used the same way. */
export function claudePersona(
  servers: readonly string[],
  include: { readonly memoryProtocol: boolean; readonly toolPriorities: boolean },
): Persona {
  const memory = servers.filter((name) => /memor|knowledge|notes/i.test(name));
  const instructions = [
    ...(include.toolPriorities && servers.length > 0
      ? [`Available tools, to be preferred over guessing, in this order: ${servers.join(', ')}.`]
      : []),
    ...(include.memoryProtocol
      ? [
          memory.length > 0
            ? `Memory: look into ${memory.join(', ')} before you answer a question about earlier work, and store decisions there when they are made.`
            : 'Memory: no memory tool is configured. Say so when something from an earlier conversation is needed.',
        ]
      : []),
  ].join('\n\n');
  return buildPersona({
    name: 'Claude preferences',
    description: 'Works with the same tools as Claude Desktop on this machine.',
    template: 'opus',
    instructions: instructions || undefined,
    temperature: 0.7,
  });
}
