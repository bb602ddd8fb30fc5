import { isObject, type Json } from '@atoll-mcp/core';
import { resolve } from './document.ts';
import { type Operation, operationsOf } from './operations.ts';

/** What is used of an OpenAPI document. */
export interface OpenApi {
  readonly info: Json;
  /** The first server of the document. */
  readonly server: Json | undefined;
  readonly securitySchemes: ReadonlyMap<string, Json>;
  readonly operations: readonly Operation[];
  /** What was left out, in words. */
  readonly notes: readonly string[];
}

export function describeApi(document: Json): OpenApi {
  const [server] = Array.isArray(document.servers) ? document.servers : [];
  const { operations, notes } = operationsOf(document);
  return {
    info: isObject(document.info) ? document.info : {},
    server: isObject(server) ? server : undefined,
    securitySchemes: securitySchemesOf(document),
    operations,
    notes,
  };
}

function securitySchemesOf(document: Json): ReadonlyMap<string, Json> {
  const components = isObject(document.components) ? document.components : {};
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {};
  return new Map(
    Object.entries(schemes).flatMap(([name, scheme]): [string, Json][] => {
      const resolved = resolve(document, scheme);
      return resolved ? [[name, resolved]] : [];
    }),
  );
}
