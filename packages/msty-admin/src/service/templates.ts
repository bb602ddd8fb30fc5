import type { Template } from '../backends/interface.ts';
import { fillTemplate, missingVariables, placeholdersIn } from '../domain/template.ts';
import { invalidParameter, missingParameter } from '../errors.ts';
import type { ChatArea } from './chat.ts';
import type { Call, ServiceOptions } from './options.ts';

export interface NewTemplate {
  readonly name: string;
  readonly template: string;
  readonly description: string;
  readonly variables: readonly string[] | undefined;
  readonly preferredModel: string | undefined;
  readonly category: string;
}

/** Prompts with blanks, kept for later. */
export class TemplatesArea {
  readonly #options: ServiceOptions;
  readonly #chat: ChatArea;

  constructor(options: ServiceOptions, chat: ChatArea) {
    this.#options = options;
    this.#chat = chat;
  }

  /** A template of that name is replaced; how often it was used stays. */
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
    return { ...shownTemplate(template), replaced: before !== undefined };
  }

  async list(category: string | undefined) {
    const templates = (await this.#options.backends.store.templates(category)).map(shownTemplate);
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
    const answer = await this.#chat.answer(model ?? template.preferredModel ?? undefined, { message: prompt }, call);
    await store.countUse(name);
    return { template_name: name, prompt, ...answer };
  }
}

export function shownTemplate(template: Template) {
  return {
    name: template.name,
    template: template.template,
    description: template.description,
    variables: [...template.variables],
    preferred_model: template.preferredModel,
    category: template.category,
    use_count: template.useCount,
    created_at: template.createdAt,
    updated_at: template.updatedAt,
  };
}
