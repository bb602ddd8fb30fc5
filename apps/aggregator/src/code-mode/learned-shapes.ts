import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject, type Json, type Logger, parseJson } from '@atoll-mcp/core';
import { isShape, mergeSchemas, schemaOf } from './value-schema.ts';

const MAX_TOOLS = 1_000;
/** After this many results a shape counts as known. */
const MAX_ANSWERS = 20;
const MAX_SCHEMA_CHARS = 20_000;
const SAVE_WAIT_MS = 2_000;

interface Learned {
  readonly schema: Json;
  readonly answers: number;
}

/** Infers output schemas of tools that declare none from the results that programs got. Stores schemas, never values. */
export class LearnedShapes {
  readonly #file: string;
  readonly #log: Logger;
  readonly #known = new Map<string, Learned>();
  #loaded: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  learn(server: string, tool: string, value: unknown): void {
    void this.load();
    const key = keyOf(server, tool);
    const known = this.#known.get(key);
    if ((known?.answers ?? 0) >= MAX_ANSWERS || (!known && this.#known.size >= MAX_TOOLS)) return;
    const schema = known ? mergeSchemas(known.schema, schemaOf(value)) : schemaOf(value);
    if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return;
    this.#known.set(key, { schema, answers: (known?.answers ?? 0) + 1 });
    this.#timer ??= setTimeout(() => void this.save(), SAVE_WAIT_MS).unref();
  }

  async of(server: string, tool: string): Promise<Json | undefined> {
    await this.load();
    return this.#known.get(keyOf(server, tool))?.schema;
  }

  /** Saves the schemas that changed since the last save. */
  async save(): Promise<void> {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.load();
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeFile(`${this.#file}.new`, JSON.stringify({ version: 1, tools: Object.fromEntries(this.#known) }), {
        mode: 0o600,
      });
      await rename(`${this.#file}.new`, this.#file);
    } catch (error) {
      this.#log.warn('inferred schemas not saved', { error });
    }
  }

  async #load(): Promise<void> {
    try {
      const saved = parseJson(await readFile(this.#file, 'utf8'));
      if (!isObject(saved) || saved.version !== 1 || !isObject(saved.tools)) return;
      for (const [key, learned] of Object.entries(saved.tools)) {
        if (!isObject(learned) || !isShape(learned.schema) || this.#known.has(key)) continue;
        const answers = typeof learned.answers === 'number' ? learned.answers : 0;
        this.#known.set(key, { schema: learned.schema, answers });
      }
    } catch {
      // Missing or unreadable: it is inferred again.
    }
  }
}

const keyOf = (server: string, tool: string) => `${server}\n${tool}`;
