export interface Advice {
  /** Whom it is about: the name of a persona or the title of a stack. */
  readonly subject: string;
  readonly issue: string;
  readonly suggestion: string;
}

type Row = Readonly<Record<string, unknown>>;

export function personaAdvice(persona: Row): Advice[] {
  const subject = nameOf(persona);
  const prompt = String(persona.systemPrompt ?? persona.system_prompt ?? persona.prompt ?? '');
  const temperature = temperatureOf(persona);
  const advise = (applies: boolean, issue: string, suggestion: string) =>
    applies ? [{ subject, issue, suggestion }] : [];
  return [
    ...advise(prompt.trim() === '', 'No system prompt', 'Say who the persona is and what it is for'),
    ...advise(
      prompt.trim() !== '' && prompt.length < 100,
      `Short system prompt (${prompt.length} characters)`,
      'Add the role, the tone and the limits of what it should do',
    ),
    ...advise(
      prompt.length > 4000,
      `Long system prompt (${prompt.length} characters)`,
      'Move reference material into a knowledge stack; a long prompt costs context in every message',
    ),
    ...advise(
      prompt.length >= 100 && !/\byou(?:'re| are)\b|\bact as\b|\byour role\b/i.test(prompt),
      'No role in the system prompt',
      'Open with one sentence that says who the persona is',
    ),
    ...advise(
      (temperature ?? 0) > 0.9,
      `High temperature (${temperature})`,
      'Use 0.7 or less unless the persona is meant to surprise',
    ),
    ...advise(
      isEmptyList(persona.partialKnowledgeStacksInfo),
      'No knowledge stack',
      'Attach a stack if it should know your documents',
    ),
    ...advise(
      isEmptyList(persona.partialToolsetsInfo),
      'No toolset',
      'Attach a toolset if it should act, not only talk',
    ),
  ];
}

export function stackAdvice(stack: Row): Advice[] {
  const subject = nameOf(stack);
  const status = String(stack.status ?? '').toLowerCase();
  const sources = ['files', 'folders', 'webLinks', 'youTubeLinks', 'obsidianVaults', 'conversations', 'notes', 'text'];
  const present = sources.filter((name) => name in stack);
  const advise = (applies: boolean, issue: string, suggestion: string) =>
    applies ? [{ subject, issue, suggestion }] : [];
  return [
    ...advise(status === 'draft', 'Never composed', 'Compose the stack; until then it answers nothing'),
    ...advise(
      /error|fail/.test(status),
      `Compose ended with "${status}"`,
      'Open the stack in Msty and compose it again',
    ),
    ...advise(
      present.length > 0 &&
        present.every((name) => isEmptyList(stack[name]) || stack[name] == null || stack[name] === ''),
      'No sources',
      'Add files, folders or links, or remove the stack',
    ),
    ...advise(
      status === 'composed' && (stack.composeStats === null || stack.composeStats === ''),
      'No compose statistics',
      'Compose the stack again so that Msty records what it holds',
    ),
  ];
}

function nameOf(row: Row): string {
  return String(row.name ?? row.title ?? row.id ?? 'unnamed');
}

function temperatureOf(persona: Row): number | undefined {
  if (typeof persona.temperature === 'number') return persona.temperature;
  const match = /"temperature"\s*:\s*([\d.]+)/.exec(String(persona.partialModelInfo ?? persona.extras ?? ''));
  return match ? Number(match[1]) : undefined;
}

/** Studio keeps lists as JSON text; a column that is not there says nothing. */
function isEmptyList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'string' && ['[]', '{}', 'null'].includes(value.trim());
}
