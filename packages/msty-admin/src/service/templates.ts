import type { Template } from '../backends/interface.ts';
import { redactText } from '../domain/secrets/redact.ts';
import { fillTemplate, missingVariables, placeholdersIn } from '../domain/template.ts';
import { invalidParameter, missingParameter } from '../errors.ts';
import type { ChatArea } from './chat.ts';
import type { Call, ServiceOptions } from './options.ts';

interface NewTemplate {
  readonly name: string;
  readonly template: string;
  readonly description: string;
  readonly variables: readonly string[] | undefined;
  readonly preferredModel: string | undefined;
  readonly category: string;
}

/** Stored prompts with placeholders. */
export class TemplatesArea {
  readonly #options: ServiceOptions;
  readonly #chat: ChatArea;

  constructor(options: ServiceOptions, chat: ChatArea) {
    this.#options = options;
    this.#chat = chat;
  }

  /** A template of that name is replaced; its use count stays. */
  async create(request: NewTemplate) {
    const now = this.#options.now().toISOString();
    const before = await this.#options.backends.store.template(request.name);
    const template: Template = {
      id: request.name,
      name: request.name,
      template: request.template,
      description: request.description,
      variables: [...new Set([...(request.variables ?? []), ...placeholdersIn(request.template)])],
      preferredModel: request.preferredModel ?? null,
      category: request.category,
      useCount: before?.useCount ?? 0,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    await this.#options.backends.store.putTemplates([template]);
    return { ...withoutKeys(template), replaced: before !== undefined };
  }

  async list(category: string | undefined) {
    const templates = (await this.#options.backends.store.templates(category)).map(withoutKeys);
    return { templates, count: templates.length };
  }

  async run(name: string, variables: Readonly<Record<string, unknown>>, model: string | undefined, call: Call) {
    const { store } = this.#options.backends;
    const template = await store.template(name);
    if (!template)
      throw invalidParameter(`There is no template named "${name}"`, 'Use list_prompt_templates for the names');
    const missing = missingVariables(template.template, variables);
    if (missing.length > 0) {
      throw missingParameter(
        `Values are missing for: ${missing.join(', ')}`,
        `Give every one of these in variables: ${placeholdersIn(template.template).join(', ')}`,
      );
    }
    const prompt = fillTemplate(template.template, variables);
    const reply = await this.#chat.answer(model ?? template.preferredModel ?? undefined, { message: prompt }, call);
    await store.countUse(name);
    return { templateName: name, prompt: redactText(prompt), reply };
  }
}

/** As it is shown: a key in a template is used, but not returned. */
function withoutKeys({ id: _, variables, ...template }: Template) {
  return {
    ...template,
    variables: [...variables],
    template: redactText(template.template),
    description: redactText(template.description),
  };
}
