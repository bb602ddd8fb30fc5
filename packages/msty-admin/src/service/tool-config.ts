import { isObject } from '@atoll-mcp/core';
import { buildPersona, claudePersona, type PersonaTemplate, personaFile } from '../domain/studio/persona.ts';
import {
  asClaudeEntry,
  asMstyEntry,
  readToolConfigs,
  type ToolConfig,
  toolFromRow,
  withNamesOnly,
  withoutSecrets,
  withoutSecretValues,
} from '../domain/tool-config.ts';
import { fileNotFound, invalidContent, invalidParameter } from '../errors.ts';
import type { ServiceOptions } from './options.ts';
import type { Studio } from './studio.ts';
import { parseJson, type UserFiles } from './user-files.ts';

type ToolSource = 'claude' | 'msty';

const MAX_TOOLS = 1000;

/** Moves tools and personas between Claude Desktop and Msty. Msty's own files are never written. */
export class ToolConfigArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;
  readonly #files: UserFiles;

  constructor(options: ServiceOptions, studio: Studio, files: UserFiles) {
    this.#options = options;
    this.#studio = studio;
    this.#files = files;
  }

  /** Keys are never returned: a file may hold them, an answer only says where it is. */
  async export(request: {
    toolName: string | undefined;
    source: ToolSource;
    format: ToolSource;
    includeEnv: boolean;
    outputPath: string | undefined;
  }) {
    const all = await this.#toolsOf(request.source);
    const chosen = all.filter(({ name }) => request.toolName === undefined || name === request.toolName);
    if (request.toolName !== undefined && chosen.length === 0) {
      throw invalidParameter(
        `There is no tool named "${request.toolName}" in ${request.source}`,
        `Use one of: ${all.map(({ name }) => name).join(', ') || 'none are configured'}`,
      );
    }
    const shown = chosen.map(request.includeEnv ? withNamesOnly : withoutSecrets);
    const outputPath =
      request.outputPath === undefined
        ? null
        : await this.#files.write(
            request.outputPath,
            asJsonFile(configOf(request.includeEnv ? chosen : shown, request.format)),
          );
    return {
      source: request.source,
      outputFormat: request.format,
      includesEnv: request.includeEnv,
      tools: shown.map((tool) => ({ ...asMstyEntry(tool), name: tool.name, envNames: tool.envNames })),
      toolCount: shown.length,
      config: configOf(shown, request.format),
      outputPath,
    };
  }

  /** Adds tools to Claude Desktop's configuration; existing ones stay unchanged. */
  async import(request: {
    configJson: string | undefined;
    configFile: string | undefined;
    source: ToolSource;
    dryRun: boolean;
    includeEnv: boolean;
  }) {
    const { tools, problems } = await this.#given(request);
    if (tools.length === 0)
      throw invalidContent(problems.join('; '), 'Expected {"mcpServers": {"name": {"command": "…"}}}');
    const path = this.#options.backends.installation.claudeConfigPath();
    const text = await this.#options.backends.files.read(path);
    const present = text === undefined ? {} : asObject(parseJson(text, "Claude Desktop's configuration"));
    const servers = asObject(present.mcpServers ?? {});
    const fresh = tools.filter(({ name }) => !Object.hasOwn(servers, name));
    const entries = fresh.map((tool) => (request.includeEnv ? tool : withoutSecretValues(tool)));
    let backup: string | null = null;
    const isWritten = !request.dryRun && fresh.length > 0;
    if (isWritten) {
      const merged = {
        ...present,
        mcpServers: { ...servers, ...Object.fromEntries(entries.map((tool) => [tool.name, asClaudeEntry(tool)])) },
      };
      const stamp = this.#options.now().toISOString().replaceAll(/[-:.]/g, '');
      backup = await this.#options.backends.files.replace(path, asJsonFile(merged), stamp);
    }
    return {
      source: request.source,
      dryRun: request.dryRun,
      valid: problems.length === 0,
      problems: [...problems],
      toolsToImport: fresh.map(withoutSecrets).map((tool) => ({
        ...asMstyEntry(tool),
        name: tool.name,
        envNames: tool.envNames,
      })),
      alreadyPresent: tools.filter(({ name }) => Object.hasOwn(servers, name)).map(({ name }) => name),
      target: this.#files.shown(path),
      written: isWritten,
      backup: backup === null ? null : this.#files.shown(backup),
    };
  }

  async persona(request: {
    name: string;
    description: string;
    template: PersonaTemplate;
    instructions: string | undefined;
    temperature: number;
    modelPreference: string | undefined;
    outputPath: string | undefined;
  }) {
    const persona = buildPersona(request);
    const text = asJsonFile(personaFile(persona));
    const outputPath = request.outputPath === undefined ? null : await this.#files.write(request.outputPath, text);
    return { persona, baseTemplate: request.template, outputPath };
  }

  /** A persona for Msty with the tools of Claude Desktop, and what the two have in common. */
  async sync(request: {
    outputPath: string | undefined;
    memoryProtocol: boolean;
    toolPriorities: boolean;
    dryRun: boolean;
  }) {
    const claude = (await this.#toolsOf('claude')).map(({ name }) => name);
    const msty = await this.#mstyToolNames();
    const persona = claudePersona(claude, request);
    const text = asJsonFile(personaFile(persona));
    const target = request.outputPath === undefined ? null : await this.#files.check(request.outputPath);
    const isWritten = request.outputPath !== undefined && !request.dryRun;
    if (isWritten && request.outputPath !== undefined) await this.#files.write(request.outputPath, text);
    return {
      persona,
      claudeTools: claude,
      onlyInClaude: msty === null ? null : claude.filter((name) => !msty.includes(name)),
      onlyInMsty: msty === null ? null : msty.filter((name) => !claude.includes(name)),
      dryRun: request.dryRun,
      written: isWritten,
      outputPath: target,
    };
  }

  async #given(request: { configJson: string | undefined; configFile: string | undefined; source: ToolSource }) {
    if (request.configJson !== undefined) return readToolConfigs(parseJson(request.configJson, 'config_json'));
    if (request.configFile !== undefined) {
      return readToolConfigs(parseJson(await this.#files.read(request.configFile), 'config_file'));
    }
    return { tools: await this.#toolsOf(request.source), problems: [] };
  }

  async #toolsOf(source: ToolSource): Promise<readonly ToolConfig[]> {
    if (source === 'msty') {
      const { result } = await this.#studio.read((studio) =>
        studio.rows('tools', MAX_TOOLS).flatMap((row) => toolFromRow(row) ?? []),
      );
      return result;
    }
    const path = this.#options.backends.installation.claudeConfigPath();
    const text = await this.#options.backends.files.read(path);
    if (text === undefined) throw fileNotFound(this.#files.shown(path));
    return readToolConfigs(asObject(parseJson(text, "Claude Desktop's configuration")).mcpServers ?? {}).tools;
  }

  /** Null when there is no table to compare with. */
  async #mstyToolNames(): Promise<string[] | null> {
    if ((await this.#studio.locate()) === null) return null;
    const { result } = await this.#studio.read((studio) =>
      studio.findAll('tools').length > 0
        ? studio.rows('tools', MAX_TOOLS).map(({ name, toolId }) => String(name ?? toolId))
        : null,
    );
    return result;
  }
}

function configOf(tools: readonly ToolConfig[], format: ToolSource): Record<string, unknown> {
  if (format === 'msty') return { tools: tools.map(asMstyEntry) };
  return { mcpServers: Object.fromEntries(tools.map((tool) => [tool.name, asClaudeEntry(tool)])) };
}

function asJsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function asObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw invalidContent('The configuration is not a JSON object', 'Expected {"mcpServers": {…}}');
}
