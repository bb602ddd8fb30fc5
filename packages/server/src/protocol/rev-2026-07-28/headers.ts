import type { IncomingHttpHeaders } from 'node:http';
import { HEADER_MISMATCH, INVALID_PARAMS, isObject, type Json, ProtocolFault } from '@atoll-mcp/core';
import type { RpcRequest } from '../shared/json-rpc.ts';
import { META, single, versionHeader } from '../shared/revisions.ts';
import { decodeHeader, mismatch } from './param-headers.ts';

/** Which parameter `Mcp-Name` repeats, so that machines on the way can route without reading bodies. */
const NAMED_BY = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Where a header says something else than the body. Headers that are missing are another question. */
export function contradiction(request: RpcRequest, headers: IncomingHttpHeaders): ProtocolFault | undefined {
  const claimed = (request.params?._meta as Json | undefined)?.[META.protocolVersion];
  const version = versionHeader(headers);
  if (version !== undefined && version !== claimed) {
    return mismatch('MCP-Protocol-Version', `the body says ${String(claimed)}, the header ${version}`);
  }
  const method = single(headers['mcp-method']);
  if (method !== undefined && method !== request.method) {
    return mismatch('Mcp-Method', `the body says ${request.method}, the header ${method}`);
  }
  return undefined;
}

/** What 2026-07-28 asks of the headers of each request. */
export function checkStandardHeaders(request: RpcRequest, headers: IncomingHttpHeaders): ProtocolFault | undefined {
  if (versionHeader(headers) === undefined) return mismatch('MCP-Protocol-Version', 'the header is missing');
  if (headers['mcp-method'] === undefined) return mismatch('Mcp-Method', 'the header is missing');
  const field = NAMED_BY.get(request.method);
  if (field === undefined) return undefined;
  const name = request.params?.[field];
  const given = single(headers['mcp-name']);
  if (given === undefined) {
    return typeof name === 'string' ? mismatch('Mcp-Name', 'the header is missing') : undefined;
  }
  const decoded = decodeHeader(given);
  if (decoded === undefined) return mismatch('Mcp-Name', 'the header is not valid Base64');
  if (typeof name !== 'string' || decoded === name) return undefined;
  return mismatch('Mcp-Name', `the body says ${name}, the header ${decoded}`);
}

/** A request that has modern headers and an older body. */
export function missingEnvelope(params: Json | undefined): ProtocolFault {
  const meta = params?._meta;
  const missing = isObject(meta)
    ? [META.protocolVersion, META.clientCapabilities].filter((key) => !(key in meta))
    : ['_meta'];
  return new ProtocolFault(INVALID_PARAMS, `The request must also carry ${missing.join(' and ')} in its params`, {
    envelope: { missing },
  });
}

export const initializeInModernEra = (version: string) =>
  new ProtocolFault(
    HEADER_MISMATCH,
    `initialize is not part of ${version}, which the MCP-Protocol-Version header names`,
  );
