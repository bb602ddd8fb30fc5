import type { IndexedDocument, SearchIndexDefinition, SearchRequest } from '@atoll-mcp/core/storage';
import { invalid } from '@atoll-mcp/core/storage';
import { checkName } from './definitions.ts';

export function checkIndexDefinition({ name, dimensions }: SearchIndexDefinition): void {
  checkName(name);
  if (!Number.isSafeInteger(dimensions) || dimensions < 1 || dimensions > 8192) {
    throw invalid('The dimensions of a search index are a whole number from 1 to 8192.');
  }
}

export function checkDocument({ dimensions }: SearchIndexDefinition, { id, chunks }: IndexedDocument): void {
  if (id === '') throw invalid('A document needs an id: a string that is not empty.');
  chunks.forEach(({ vector }, chunk) => {
    if (vector !== undefined) checkVector(dimensions, vector, `chunk ${chunk}`);
  });
}

export function checkRequest({ dimensions }: SearchIndexDefinition, { k, vector, terms = [] }: SearchRequest): void {
  if (!Number.isSafeInteger(k) || k < 1 || k > 10_000) throw invalid('k is a whole number from 1 to 10000.');
  if (!terms.every(({ boost = 1 }) => boost > 0 && Number.isFinite(boost)))
    throw invalid('A boost is a number above 0.');
  if (vector !== undefined) checkVector(dimensions, vector, 'the query');
}

function checkVector(dimensions: number, vector: Float32Array, place: string): void {
  if (vector.length !== dimensions) {
    throw invalid(`The vector of ${place} has ${vector.length} dimensions; this index takes ${dimensions}.`);
  }
  // A sum is finite only when all its parts are, and summing is the fastest way to look at them all.
  if (!Number.isFinite(vector.reduce((sum, value) => sum + value, 0))) {
    throw invalid(`The vector of ${place} holds a value that is not a finite number.`);
  }
}
