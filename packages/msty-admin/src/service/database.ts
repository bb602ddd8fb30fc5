import { ALLOWED_TABLES, isAllowedTable } from '../domain/allowed-tables.ts';
import { carried, openedRow, shownRow } from '../domain/cell.ts';
import { showPath } from '../domain/home-path.ts';
import { logicalNames, type StudioTable } from '../domain/table-map.ts';
import { missingParameter, tableNotAllowed } from '../errors.ts';
import type { QueryType } from '../schemas.ts';
import type { ServiceOptions } from './options.ts';
import { countRows, type Studio, type StudioView } from './studio.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;
const MAX_TOOLS = 1000;

/** Reading what Studio keeps in its tables. */
export class DatabaseArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;

  constructor(options: ServiceOptions, studio: Studio) {
    this.#options = options;
    this.#studio = studio;
  }

  async query(type: QueryType, tableName: string | undefined, limit: number) {
    const table = type === 'custom' ? customTable(tableName) : undefined;
    const { result, found } = await this.#studio.read((studio) => {
      if (type === 'stats') return stats(studio);
      if (type === 'tables') return { tables: tableCounts(studio) };
      const name = table ?? (type as StudioTable);
      const rows = carried(studio.rows(name, limit).map(shownRow));
      return {
        [type === 'custom' ? 'rows' : type]: rows,
        table: studio.table(name),
        row_count: rows.length,
        total_rows: studio.count(name),
      };
    });
    const size = type === 'stats' ? { database_size_mb: await this.#sizeMb() } : {};
    return { query_type: type, ...found, ...result, ...size };
  }

  async configuredTools() {
    const { result, found } = await this.#studio.read((studio) => {
      const tools = studio.rows('tools', MAX_TOOLS).map(openedRow);
      return tools.map((tool) => ({ ...tool, name: String(tool.name ?? tool.toolId ?? tool.id ?? 'unnamed') }));
    });
    return { tools: result, tool_count: result.length, ...found };
  }

  /** Local models are found without any database; providers that Studio knows only with one. */
  async providers() {
    const { files } = await this.#options.backends.installation.modelFiles();
    const remote = await this.#remoteProviders();
    return {
      local_models: files.map(({ name, path, sizeBytes, format }) => ({
        name,
        path: showPath(path, this.#options.home),
        size_gb: Math.round((sizeBytes / GB) * 1000) / 1000,
        format,
      })),
      remote_providers: remote ?? [],
      database_read: remote !== null,
    };
  }

  async #remoteProviders(): Promise<Record<string, unknown>[] | null> {
    if ((await this.#studio.locate()) === null) return null;
    const { result } = await this.#studio.read((studio) =>
      studio.find('providers') ? studio.rows('providers', MAX_TOOLS).map(openedRow) : [],
    );
    return result;
  }

  async #sizeMb(): Promise<number | null> {
    const path = await this.#studio.locate();
    const bytes = path ? await this.#options.backends.database.sizeBytes(path) : null;
    return bytes === null ? null : Math.round((bytes / MB) * 100) / 100;
  }
}

function customTable(name: string | undefined): StudioTable {
  if (name === undefined) {
    throw missingParameter('query_type "custom" needs table_name', `Use one of: ${ALLOWED_TABLES.join(', ')}`);
  }
  if (!isAllowedTable(name)) throw tableNotAllowed(ALLOWED_TABLES);
  return name;
}

function stats(studio: StudioView) {
  return {
    total_conversations: studio.count('conversations'),
    total_messages: studio.count('messages'),
    total_personas: studio.count('personas'),
    total_prompts: studio.count('prompts'),
    total_tools: studio.count('tools'),
    total_knowledge_stacks: studio.count('knowledge_stacks'),
    table_count: studio.tables.length,
  };
}

function tableCounts(studio: StudioView) {
  return studio.tables.map((name) => ({
    name,
    row_count: countRows(studio.view, name),
    asked_for_as: logicalNames(name, studio.schema, ALLOWED_TABLES),
  }));
}
