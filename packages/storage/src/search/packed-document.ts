import type { IndexedChunk, IndexedDocument } from '@atoll-mcp/core/storage';

/** A document on its way to the thread that writes. As lists, the terms of a large file take many times its text there. */
export interface PackedDocument extends Omit<IndexedDocument, 'chunks'> {
  readonly chunks: readonly PackedChunk[];
}

interface PackedChunk extends Omit<IndexedChunk, 'terms'> {
  readonly terms: string | readonly string[];
}

const BETWEEN = '\u0000';

export function packed(document: IndexedDocument): PackedDocument {
  const chunks = document.chunks.map(({ terms, vector, payload }) => ({ terms: packedTerms(terms), vector, payload }));
  return { ...document, chunks };
}

/** Each chunk makes the list of its terms when it is asked for. */
export function unpacked(document: PackedDocument): IndexedDocument {
  const chunks = document.chunks.map(({ terms, vector, payload }): IndexedChunk => {
    if (typeof terms !== 'string') return { terms, vector, payload };
    return {
      get terms() {
        return terms.split(BETWEEN);
      },
      vector,
      payload,
    };
  });
  return { ...document, chunks };
}

/** As a list where the text could not be taken apart again. */
function packedTerms(terms: readonly string[]): string | readonly string[] {
  const text = terms.join(BETWEEN);
  return text === '' || terms.some((term) => term.includes(BETWEEN)) ? terms : text;
}
