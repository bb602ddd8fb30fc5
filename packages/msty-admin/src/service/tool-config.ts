import { buildPersona, claudePersona, type PersonaTemplate } from '../domain/persona.ts';
import {
  asClaudeEntry,
  asMstyEntry,
  readToolConfigs,
  type ToolConfig,
  toolFromRow,
  withoutSecrets,
  withoutSecretValues,
} from '../domain/tool-config.ts';
import { fileNotFound, invalidContent, invalidParameter } from '../errors.ts';
import type { ServiceOptions } from './options.ts';
import { type NamedFiles, parseJson } from './output-path.ts';
import type { Studio } from './studio.ts';

export type ToolSource = 'claude' | 'msty';

const MAX_TOOLS = 1000;

/** Tools and personas on their way between Claude Desktop and Msty. Msty's own files are never written. */
export class ToolConfigArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;
  readonly #files: NamedFiles;

  constructor(options: ServiceOptions, studio: Studio, files: NamedFiles) {
    this.#options = options;
    this.#studio = studio;
    this.#files = files;
  }

  async export(request: { toolName: string | undefined; source: ToolSource; format: ToolSource; includeEnv: boolean }) {
    const all = await this.#toolsOf(request.source);
    const chosen = all.filter(({ name }) => request.toolName === undefined || name === request.toolName);
    if (request.toolName !== undefined && chosen.length === 0) {
      throw invalidParameter(
        `There is no tool named "${request.toolName}" in ${request.source}`,
        `Use one of: ${all.map(({ name }) => name).join(', ') || 'none are configured'}`,
      );
    }
    const tools = chosen.map((tool) => {
      const plain = request.includeEnv ? tool : withoutSecrets(tool);
      return { ...asMstyEntry(plain), name: tool.name, env_names: Object.keys(tool.env) };
    });
    const entries = chosen.map((tool) => (request.includeEnv ? tool : withoutSecrets(tool)));
    return {
      source: request.source,
      output_format: request.format,
      includes_env: request.includeEnv,
      tools,
      tool_count: tools.length,
      config:
        request.format === 'claude'
          ? { mcpServers: Object.fromEntries(entries.map((tool) => [tool.name, asClaudeEntry(tool)])) }
          : { tools: entries.map(asMstyEntry) },
    };
  }

  /** Takes tools into Claude Desktop's configuration; what is there already stays as it is. */
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
      backup = await this.#options.backends.files.replace(path, `${JSON.stringify(merged, null, 2)}\n`, stamp);
    }
    return {
      source: request.source,
      dry_run: request.dryRun,
      valid: problems.length === 0,
      problems: [...problems],
      tools_to_import: fresh.map((tool) => ({
        ...asMstyEntry(withoutSecrets(tool)),
        name: tool.name,
        env_names: Object.keys(tool.env),
      })),
      already_present: tools.filter(({ name }) => Object.hasOwn(servers, name)).map(({ name }) => name),
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
    const text = `${JSON.stringify(persona, null, 2)}\n`;
    const output_path = request.outputPath === undefined ? null : await this.#files.write(request.outputPath, text);
    return { persona, base_template: request.template, output_path };
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
    const text = `${JSON.stringify(persona, null, 2)}\n`;
    const target = request.outputPath === undefined ? null : await this.#files.check(request.outputPath);
    const isWritten = request.outputPath !== undefined && !request.dryRun;
    if (isWritten && request.outputPath !== undefined) await this.#files.write(request.outputPath, text);
    return {
      persona,
      claude_tools: claude,
      only_in_claude: msty === null ? null : claude.filter((name) => !msty.includes(name)),
      only_in_msty: msty === null ? null : msty.filter((name) => !claude.includes(name)),
      dry_run: request.dryRun,
      written: isWritten,
      output_path: target,
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

  /** Null when there is no database to compare with. */
  async #mstyToolNames(): Promise<string[] | null> {
    if ((await this.#studio.locate()) === null) return null;
    const { result } = await this.#studio.read((studio) =>
      studio.find('tools') ? studio.rows('tools', MAX_TOOLS).map(({ name, toolId }) => String(name ?? toolId)) : [],
    );
    return result;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidContent('The configuration is not a JSON object', 'Expected {"mcpServers": {…}}');
}
