import { field, textField } from './json.ts';

/** What the host sends to a thread. */
export type ToThread =
  | { readonly type: 'request'; readonly request: unknown }
  | { readonly type: 'file'; readonly reply: FileReply }
  | CallResult
  /** Wakes a thread that waits for the result of a call; the flag in shared memory says why. */
  | { readonly type: 'stop' };

export type FileReply = { readonly path: string } | { readonly error: string };

export type CallResult = { readonly type: 'result'; readonly call: number } & (
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: string }
);

/** What a thread sends to the host. */
export type FromThread =
  | { readonly type: 'answer'; readonly answer: object }
  | FileQuestion
  | HostCall
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string };

export interface FileQuestion {
  readonly type: 'file';
  readonly id: string;
  readonly name: string;
}

export interface HostCall {
  readonly type: 'call';
  readonly call: number;
  readonly name: string;
  /** As JSON. */
  readonly args: string;
}

const MAX_NAME = 65_536;
/** The largest JSON that any limits allow, and the most output that is kept. */
const MAX_TEXT = 64 * 1024 * 1024;

/** Checks a message of a thread in which untrusted code runs. Throws on what does not fit; the thread has to end. */
export function decodeFromThread(message: unknown): FromThread {
  if (typeof message !== 'object' || message === null) throw new Error('a message must be an object');
  const type = field(message, 'type');
  if (type === 'answer') {
    const answer = field(message, 'answer');
    if (typeof answer !== 'object' || answer === null) throw new Error('an answer must be an object');
    return { type, answer };
  }
  if (type === 'file')
    return { type, id: textField(message, 'id', MAX_NAME), name: textField(message, 'name', MAX_NAME) };
  if (type === 'call') {
    const call = field(message, 'call');
    if (!Number.isSafeInteger(call)) throw new Error('a call must have a number');
    const [name, args] = [textField(message, 'name', MAX_TEXT), textField(message, 'args', MAX_TEXT)];
    return { type, call: Number(call), name, args };
  }
  if (type !== 'output') throw new Error('the type of a message is not known');
  const stream = field(message, 'stream');
  if (stream !== 'stdout' && stream !== 'stderr') throw new Error('a stream is not known');
  return { type, stream, text: textField(message, 'text', MAX_TEXT) };
}
