import { field, textField } from '../json.ts';
import type { Frame } from './frames.ts';

/** Everything that a child may send. Its code is not trusted, so nothing else of what it sends is ever looked at. */
export type ChildMessage = Started | StartFailed | Answer | FileQuestion;

export interface Started {
  readonly type: 'started';
  readonly pid: number;
  /** Whether its scratch is a file system with a size of its own. */
  readonly ownScratch: boolean;
  /** Whether the kernel counts its threads apart from those of other sessions. */
  readonly ownTasks: boolean;
}

export interface StartFailed {
  readonly type: 'failed';
  readonly reason: string;
}

export interface Answer {
  readonly type: 'answer';
  /** The call that it answers. */
  readonly id: number;
  readonly failure?: AnsweredFailure;
  readonly tensor?: DescribedTensor;
}

export interface AnsweredFailure {
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
  readonly id: string;
  readonly name: string;
}

const FAILURES = ['exception', 'memory', 'interrupted', 'refused'] as const;
/** The worker cuts at half of these; a character beyond the basic plane counts twice here. */
const MAX_MESSAGE = 8_000;
const MAX_TRACEBACK = 32_000;
const MAX_NAME = 4_096;
const MAX_DIMENSIONS = 64;

/** The message in a frame. Throws on whatever does not fit; the child that sent it has to end. */
export function decodeMessage({ header }: Frame): ChildMessage {
  if (Object.hasOwn(header, 'answer')) return decodeAnswer(header);
  if (Object.hasOwn(header, 'file'))
    return { type: 'file', id: textField(header, 'file', MAX_NAME), name: textField(header, 'name', MAX_NAME) };
  if (Object.hasOwn(header, 'started'))
    return {
      type: 'started',
      pid: count(header, 'started'),
      ownScratch: field(header, 'ownScratch') === true,
      ownTasks: field(header, 'ownTasks') === true,
    };
  return { type: 'failed', reason: textField(header, 'failed', MAX_MESSAGE) };
}

function decodeAnswer(header: object): Answer {
  const id = count(header, 'answer');
  if (Object.hasOwn(header, 'kind')) return { type: 'answer', id, failure: decodeFailure(header) };
  if (Object.hasOwn(header, 'dtype')) return { type: 'answer', id, tensor: decodeTensor(header) };
  return { type: 'answer', id };
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
