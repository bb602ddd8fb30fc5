import { showPath } from '../domain/home-path.ts';
import { gigabytes } from '../domain/models/gigabytes.ts';
import { ALLOWED_TABLES, isAllowedTable } from '../domain/studio/allowed-tables.ts';
import { carried, openedRow, shownRow } from '../domain/studio/cell.ts';
import { logicalNames, type MstySchema, type StudioTable } from '../domain/studio/table-map.ts';
import { missingParameter, tableNotAllowed } from '../errors.ts';
import type { QueryType } from '../schemas.ts';
import type { ServiceOptions } from './options.ts';
import { countRows, type Studio, type StudioView } from './studio.ts';

const MB = 1024 * 1024;
const MAX_TOOLS = 1000;

interface QueryResult {
  readonly stats?: ReturnType<typeof stats>;
  readonly tables?: ReturnType<typeof tableCounts>;
  readonly rows?: Record<string, unknown>[];
  readonly table?: string;
  readonly rowCount?: number;
  readonly totalRows?: number;
  /** Tables with more of the same, which a query of type custom reads. */
  readonly furtherTables?: string[];
}

interface DatabaseQuery extends QueryResult {
  readonly queryType: QueryType;
  readonly schema: MstySchema;
  readonly stalePossible: boolean;
  readonly databaseSizeMb: number | null;
}

/** Reads what Studio keeps in its tables. */
export class DatabaseArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;

  constructor(options: ServiceOptions, studio: Studio) {
    this.#options = options;
    this.#studio = studio;
  }

  async query(type: QueryType, tableName: string | undefined, limit: number): Promise<DatabaseQuery> {
    const requested = type === 'custom' ? customTable(tableName) : undefined;
    const { result, found } = await this.#studio.read((studio): QueryResult => {
      if (type === 'stats') return { stats: stats(studio) };
      if (type === 'tables') return { tables: tableCounts(studio) };
      const name = requested ?? (type as StudioTable);
      const table = studio.table(name);
      const rows = carried(studio.rows(name, limit).map(shownRow));
      return {
        rows,
        table,
        rowCount: rows.length,
        totalRows: countRows(studio.view, table),
        furtherTables: studio.findAll(name).filter((other) => other !== table),
      };
    });
    const databaseSizeMb = type === 'stats' ? await this.#sizeMb() : null;
    return { queryType: type, ...found, ...result, databaseSizeMb };
  }

  async configuredTools() {
    const { result, found } = await this.#studio.read((studio) => {
      const tools = studio.rows('tools', MAX_TOOLS).map(openedRow);
      return tools.map((tool) => ({ ...tool, name: String(tool.name ?? tool.toolId ?? tool.id ?? 'unnamed') }));
    });
    return { tools: result, toolCount: result.length, ...found };
  }

  /** Local models are found without any database; providers that Studio knows only with one. */
  async providers() {
    const { files } = await this.#options.backends.installation.modelFiles();
    const hasDatabase = (await this.#studio.locate()) !== null;
    const remote = hasDatabase ? await this.#remoteProviders() : [];
    return {
      localModels: files.map(({ name, path, sizeBytes, format }) => ({
        name,
        path: showPath(path, this.#options.home),
        sizeGb: gigabytes(sizeBytes),
        format,
      })),
      remoteProviders: remote,
      databaseRead: hasDatabase,
    };
  }

  /** Null when this database has no table of providers. */
  async #remoteProviders(): Promise<Record<string, unknown>[] | null> {
    const { result } = await this.#studio.read((studio) =>
      studio.findAll('providers').length > 0 ? studio.rows('providers', MAX_TOOLS).map(openedRow) : null,
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
    totalConversations: studio.count('conversations'),
    totalMessages: studio.count('messages'),
    totalPersonas: studio.count('personas'),
    totalPrompts: studio.count('prompts'),
    totalTools: studio.count('tools'),
    totalKnowledgeStacks: studio.count('knowledge_stacks'),
    tableCount: studio.tables.length,
  };
}

function tableCounts(studio: StudioView) {
  return studio.tables.map((name) => ({
    name,
    rowCount: countRows(studio.view, name),
    askedForAs: logicalNames(name, studio.schema, studio.tables),
  }));
}
