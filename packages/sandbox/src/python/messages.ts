import type { RefusedFile } from '../interface.ts';
import { field, textField } from '../json.ts';
import type { Frame } from './frames.ts';

/** Everything that a child may send. Its code is not trusted, so nothing else of what it sends is ever looked at. */
export type ChildMessage = Started | StartFailed | Answer | FileQuestion | HostCall;

export interface Started {
  readonly type: 'started';
  readonly pid: number;
  /** Whether its scratch is a file system with a size of its own. */
  readonly ownScratch: boolean;
  /** Whether the kernel counts its threads apart from those of other sessions. */
  readonly ownTasks: boolean;
}

interface StartFailed {
  readonly type: 'failed';
  readonly reason: string;
}

export interface Answer {
  readonly type: 'answer';
  /** The call that it answers. */
  readonly id: number;
  readonly failure?: AnsweredFailure;
  readonly tensor?: DescribedTensor;
  /** What the run returned, as JSON. */
  readonly value?: Buffer;
  readonly files?: readonly DescribedFile[];
  readonly refusedFiles?: readonly RefusedFile[];
}

/** A file in the result file, after the ones before it. */
interface DescribedFile {
  readonly name: string;
  readonly bytes: number;
}

interface AnsweredFailure {
  readonly kind: (typeof FAILURES)[number];
  readonly message: string;
  readonly traceback?: string;
}

/** What an answer says about the tensor in the result file; still to be compared with the file. */
export interface DescribedTensor {
  readonly dtype: string;
  readonly shape: readonly unknown[];
  readonly bytes: number | undefined;
}

export interface FileQuestion {
  readonly type: 'file';
  /** To be repeated in the reply: a worker that was interrupted no longer waits for it. */
  readonly ask: number;
  readonly id: string;
  readonly name: string;
}

export interface HostCall {
  readonly type: 'call';
  readonly ask: number;
  readonly name: string;
  /** As JSON. */
  readonly args: Buffer;
}

const FAILURES = ['exception', 'memory', 'interrupted', 'refused'] as const;
/** The worker cuts at half of these; a character beyond the basic plane counts twice here. */
const MAX_MESSAGE = 8_000;
const MAX_TRACEBACK = 32_000;
const MAX_NAME = 4_096;
const MAX_DIMENSIONS = 64;
/** More than any limits allow. */
const MAX_FILES = 1_000;

/** The message in a frame. Throws on whatever does not fit; the child that sent it has to end. */
export function decodeMessage({ header, buffers }: Frame): ChildMessage {
  if (buffers.length > 1) throw new Error('a message has at most one buffer');
  const [buffer] = buffers;
  if (Object.hasOwn(header, 'answer')) return decodeAnswer(header, buffer);
  if (Object.hasOwn(header, 'call')) {
    if (!buffer) throw new Error('a call must have arguments');
    return { type: 'call', ask: count(header, 'ask'), name: textField(header, 'call', MAX_NAME), args: buffer };
  }
  if (buffer) throw new Error('only calls and answers have buffers');
  if (Object.hasOwn(header, 'file')) {
    const [id, name] = [textField(header, 'file', MAX_NAME), textField(header, 'name', MAX_NAME)];
    return { type: 'file', ask: count(header, 'ask'), id, name };
  }
  if (Object.hasOwn(header, 'started'))
    return {
      type: 'started',
      pid: count(header, 'started'),
      ownScratch: field(header, 'ownScratch') === true,
      ownTasks: field(header, 'ownTasks') === true,
    };
  return { type: 'failed', reason: textField(header, 'failed', MAX_MESSAGE) };
}

function decodeAnswer(header: object, value: Buffer | undefined): Answer {
  return {
    type: 'answer',
    id: count(header, 'answer'),
    ...(Object.hasOwn(header, 'kind') && { failure: decodeFailure(header) }),
    ...(Object.hasOwn(header, 'dtype') && { tensor: decodeTensor(header) }),
    ...(Object.hasOwn(header, 'files') && { files: list(header, 'files', describedFile) }),
    ...(Object.hasOwn(header, 'refused') && { refusedFiles: list(header, 'refused', refusedFile) }),
    ...(value && { value }),
  };
}

const describedFile = (entry: object): DescribedFile => ({
  name: textField(entry, 'name', MAX_NAME),
  bytes: count(entry, 'bytes'),
});

const refusedFile = (entry: object): RefusedFile => ({
  name: textField(entry, 'name', MAX_NAME),
  reason: textField(entry, 'reason', MAX_NAME),
});

function list<Entry>(header: object, name: string, decode: (entry: object) => Entry): Entry[] {
  const value = field(header, name);
  if (!Array.isArray(value) || value.length > MAX_FILES) throw new Error(`${name} must be a list of bounded length`);
  return value.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) throw new Error(`${name} must hold objects`);
    return decode(entry);
  });
}

function decodeFailure(header: object): AnsweredFailure {
  const name = field(header, 'kind');
  const kind = FAILURES.find((known) => known === name);
  if (!kind) throw new Error('kind is not known');
  const message = textField(header, 'message', MAX_MESSAGE);
  if (!Object.hasOwn(header, 'traceback')) return { kind, message };
  return { kind, message, traceback: textField(header, 'traceback', MAX_TRACEBACK) };
}

function decodeTensor(header: object): DescribedTensor {
  const shape = field(header, 'shape');
  if (!Array.isArray(shape) || shape.length > MAX_DIMENSIONS || !shape.every((size) => typeof size === 'number'))
    throw new Error('shape must be a short list of numbers');
  const bytes = Object.hasOwn(header, 'bytes') ? count(header, 'bytes') : undefined;
  return { dtype: textField(header, 'dtype', MAX_NAME), shape, bytes };
}

function count(header: object, name: string): number {
  const value = field(header, name);
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Error(`${name} must be a whole number from 0 up`);
  return Number(value);
}
