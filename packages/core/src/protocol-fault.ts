export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Before 2026-07-28, which says INVALID_PARAMS. */
export const RESOURCE_NOT_FOUND = -32002;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
/** Our own: refused by the transport before the method is read. */
export const REFUSED = -32000;
export const SESSION_NOT_FOUND = -32001;

/** An error of the protocol itself, with its code. A tool's own failure is a result instead. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const methodNotFound = (method: string) => new ProtocolFault(METHOD_NOT_FOUND, `Method not found: "${method}"`);
export const invalidParams = (message: string, data?: unknown) => new ProtocolFault(INVALID_PARAMS, message, data);
