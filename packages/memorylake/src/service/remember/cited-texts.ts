import { createHash } from 'node:crypto';
import { ToolError } from '@atoll-mcp/core';
import { describePlace, type Place } from '../../domain/document.ts';
import { type CitedPlace, isWhole, plainText, standsAt } from '../../domain/remember/cited-place.ts';
import { memoryNotFound, memoryNotReady, placeNotFound } from '../../errors.ts';
import type { Catalog } from '../catalog.ts';
import type { MemoryReader } from '../memory-reader.ts';
import type { Cite, MemoryRecord } from '../memory-record.ts';

/** A source of a note whose text has changed since. */
export interface ChangedSource {
  readonly memoryId: string;
  readonly memoryName: string;
  readonly place: Place;
  readonly former: string;
  /** What stands there now; null when the place or the file is gone. */
  readonly present: string | null;
}

/** Longer ones are kept by their hash and their beginning. */
const KEPT = 8_000;
const SHOWN = 2_000;

/** Looks up what stands at cited places, then and now. */
export class CitedTexts {
  readonly #catalog: Catalog;
  readonly #reading: MemoryReader;

  constructor(options: { catalog: Catalog; reading: MemoryReader }) {
    this.#catalog = options.catalog;
    this.#reading = options.reading;
  }

  /** Makes a cite of what stands at a place now. A memory or a place that is not there is an error. */
  async cite(memoryId: string, cited: CitedPlace = {}): Promise<Cite> {
    const memory = await this.#catalog.memories.get(memoryId);
    if (!memory) throw memoryNotFound(memoryId);
    if (memory.status !== 'ready') throw memoryNotReady(memoryId, memory.name, memory.status, memory.reason);
    const { text, place } = await this.#textAt(memory, cited);
    return {
      memoryId,
      memoryName: memory.name,
      sha256: memory.sha256,
      place,
      text: text.slice(0, KEPT),
      textHash: hashOf(text),
    };
  }

  /** What became of a cite; undefined while its text still stands in the file, there or elsewhere. */
  async changeOf(cite: Cite): Promise<ChangedSource | undefined> {
    const memory = await this.#catalog.memories.get(cite.memoryId);
    if (memory?.sha256 === cite.sha256) return undefined;
    const { memoryId, place } = cite;
    const changed = { memoryId, memoryName: memory?.name ?? cite.memoryName, place, former: cite.text.slice(0, SHOWN) };
    if (memory?.status !== 'ready') return { ...changed, present: null };
    const present = await this.#textAt(memory, place).catch((error) => {
      if (error instanceof ToolError) return undefined;
      throw error;
    });
    if (present && hashOf(present.text) === cite.textHash) return undefined;
    if (await this.#isElsewhere(memory, cite)) return undefined;
    return { ...changed, present: present ? present.text.slice(0, SHOWN) : null };
  }

  async #textAt(memory: MemoryRecord, cited: CitedPlace): Promise<{ text: string; place: Place }> {
    const { chunk: _number, ...place } = cited;
    if (isWhole(cited)) return { text: (await this.#reading.read(memory, {})).text, place: {} };
    if (cited.chunk === undefined && cited.sheet !== undefined && cited.rows) {
      const { text } = await this.#reading.read(memory, { sheet: cited.sheet, rows: cited.rows.join(':') });
      if (text !== '') return { text, place };
    } else {
      const found = await this.#reading.passagesWhere(memory, (passage) => standsAt(passage, cited));
      const text = found.map((passage) => passage.text).join('\n\n');
      if (found.length > 0) return { text, place: cited.chunk === undefined ? place : found[0]!.place };
    }
    const what = cited.chunk === undefined ? describePlace(place) || 'such place' : `chunk ${cited.chunk}`;
    throw placeNotFound(memory.name, what, `It has chunks 1 to ${memory.chunks}; read_memory shows what stands where.`);
  }

  /** Lines that were added above move a text and do not change it. */
  async #isElsewhere(memory: MemoryRecord, { place, text }: Cite): Promise<boolean> {
    if (isWhole(place) || text.length >= KEPT) return false;
    const passages = await this.#reading.passagesWhere(memory, () => true);
    return plainText(passages.map((passage) => passage.text).join('\n')).includes(plainText(text));
  }
}

const hashOf = (text: string): string => createHash('sha256').update(plainText(text)).digest('hex');
