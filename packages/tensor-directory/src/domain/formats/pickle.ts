import { FormatError } from '@atoll-mcp/formats/format-error';

/** A name that a pickle refers to, such as `torch.FloatStorage`. It is never looked up or called. */
export class PickledName {
  constructor(readonly name: string) {}
}

/** Something outside the pickle, by the id that it has there. */
export class PickledReference {
  constructor(readonly id: unknown) {}
}

/** What the few calls that are allowed stand for; anything else is refused by it with a `FormatError`. */
export type Build = (name: string, args: readonly unknown[]) => unknown;

const MAX_STEPS = 20_000_000;
const MARK = Symbol('mark');

/** Names of the opcodes that are refused, for the answer. */
const REFUSED: Readonly<Record<number, string>> = {
  80: 'PERSID',
  83: 'STRING',
  86: 'UNICODE',
  70: 'FLOAT',
  73: 'INT',
  76: 'LONG',
  100: 'DICT',
  108: 'LIST',
  105: 'INST',
  111: 'OBJ',
  130: 'EXT1',
  131: 'EXT2',
  132: 'EXT4',
  139: 'LONG4',
  141: 'BINUNICODE8',
  142: 'BINBYTES8',
  143: 'EMPTY_SET',
  144: 'ADDITEMS',
  145: 'FROZENSET',
  146: 'NEWOBJ_EX',
  150: 'BYTEARRAY8',
  151: 'NEXT_BUFFER',
  152: 'READONLY_BUFFER',
};

/**
 * Reads the plain data in a pickle by a short list of opcodes. Nothing is loaded or called: names stay names, and a call is
 * handed to `build`, which knows the few that PyTorch writes.
 */
export function readPickle(bytes: Uint8Array, build: Build): unknown {
  return new PickleReader(bytes, build).read();
}

class PickleReader {
  readonly #bytes: Buffer;
  readonly #build: Build;
  readonly #stack: unknown[] = [];
  readonly #memo = new Map<number, unknown>();
  #at = 0;

  constructor(bytes: Uint8Array, build: Build) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#build = build;
  }

  read(): unknown {
    for (let step = 0; step < MAX_STEPS; step++) {
      const opcode = this.#take(1)[0]!;
      if (opcode === 0x2e) return this.#pop();
      this.#do(opcode);
    }
    throw new FormatError('its pickle is out of all bounds');
  }

  #do(opcode: number): void {
    const constant = this.#constant(opcode);
    if (constant !== undefined) this.#stack.push(constant.value);
    else if (!this.#move(opcode) && !this.#change(opcode)) {
      const name = REFUSED[opcode] ?? `0x${opcode.toString(16).padStart(2, '0')}`;
      throw new FormatError(`its pickle has the opcode ${name}, which is not allowed and was not run`);
    }
  }

  /** Values that are in the pickle itself. */
  #constant(opcode: number): { value: unknown } | undefined {
    switch (opcode) {
      case 0x4e: // NONE
        return { value: null };
      case 0x88: // NEWTRUE
        return { value: true };
      case 0x89: // NEWFALSE
        return { value: false };
      case 0x4b: // BININT1
        return { value: this.#take(1)[0] };
      case 0x4d: // BININT2
        return { value: this.#take(2).readUInt16LE() };
      case 0x4a: // BININT
        return { value: this.#take(4).readInt32LE() };
      case 0x8a: // LONG1
        return { value: longOf(this.#take(this.#take(1)[0]!)) };
      case 0x47: // BINFLOAT
        return { value: this.#take(8).readDoubleBE() };
      case 0x58: // BINUNICODE
      case 0x54: // BINSTRING
        return { value: this.#take(this.#take(4).readUInt32LE()).toString('utf8') };
      case 0x8c: // SHORT_BINUNICODE
      case 0x55: // SHORT_BINSTRING
        return { value: this.#take(this.#take(1)[0]!).toString('utf8') };
      case 0x42: // BINBYTES
        return { value: this.#take(this.#take(4).readUInt32LE()) };
      case 0x43: // SHORT_BINBYTES
        return { value: this.#take(this.#take(1)[0]!) };
      case 0x7d: // EMPTY_DICT
        return { value: new Map() };
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        return { value: [] };
      case 0x28: // MARK
        return { value: MARK };
      case 0x63: // GLOBAL
        return { value: new PickledName(`${this.#line()}.${this.#line()}`) };
      default:
        return undefined;
    }
  }

  /** The memo, and what says nothing of the data. */
  #move(opcode: number): boolean {
    switch (opcode) {
      case 0x80: // PROTO
        this.#take(1);
        return true;
      case 0x95: // FRAME
        this.#take(8);
        return true;
      case 0x71: // BINPUT
        this.#memo.set(this.#take(1)[0]!, this.#top());
        return true;
      case 0x72: // LONG_BINPUT
        this.#memo.set(this.#take(4).readUInt32LE(), this.#top());
        return true;
      case 0x94: // MEMOIZE
        this.#memo.set(this.#memo.size, this.#top());
        return true;
      case 0x68: // BINGET
        this.#stack.push(this.#recall(this.#take(1)[0]!));
        return true;
      case 0x6a: // LONG_BINGET
        this.#stack.push(this.#recall(this.#take(4).readUInt32LE()));
        return true;
      case 0x30: // POP
        this.#pop();
        return true;
      default:
        return false;
    }
  }

  /** What is made of the values on the stack. */
  #change(opcode: number): boolean {
    switch (opcode) {
      case 0x74: // TUPLE
        this.#stack.push(this.#sinceMark());
        return true;
      case 0x85: // TUPLE1, TUPLE2, TUPLE3
      case 0x86:
      case 0x87:
        this.#stack.push(Array.from({ length: opcode - 0x84 }, () => this.#pop()).reverse());
        return true;
      case 0x61: // APPEND
        this.#extend([this.#pop()]);
        return true;
      case 0x65: // APPENDS
        this.#extend(this.#sinceMark());
        return true;
      case 0x73: // SETITEM
        this.#assign([this.#pop(), this.#pop()].reverse());
        return true;
      case 0x75: // SETITEMS
        this.#assign(this.#sinceMark());
        return true;
      case 0x51: // BINPERSID
        this.#stack.push(new PickledReference(this.#pop()));
        return true;
      case 0x93: {
        // STACK_GLOBAL
        const [name, module] = [this.#pop(), this.#pop()];
        this.#stack.push(new PickledName(`${String(module)}.${String(name)}`));
        return true;
      }
      case 0x52: {
        // REDUCE
        const [args, name] = [this.#pop(), this.#pop()];
        if (!(name instanceof PickledName) || !Array.isArray(args)) throw damaged();
        this.#stack.push(this.#build(name.name, args));
        return true;
      }
      case 0x81: {
        // NEWOBJ
        const [, type] = [this.#pop(), this.#pop()];
        const name = type instanceof PickledName ? type.name.slice(0, 200) : 'unknown';
        throw new FormatError(
          `it makes an object of '${name}' (opcode NEWOBJ), which is not allowed and was not run; save a state_dict() of tensors instead`,
        );
      }
      case 0x62: // BUILD: attributes beside the items of a state_dict, which hold no tensors.
        this.#pop();
        if (this.#top() === null || typeof this.#top() !== 'object' || this.#top() instanceof PickledName)
          throw new FormatError('its pickle sets attributes of an object (BUILD)');
        return true;
      default:
        return false;
    }
  }

  #take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw damaged();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #line(): string {
    const end = this.#bytes.indexOf(0x0a, this.#at);
    if (end < 0) throw damaged();
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #pop(): unknown {
    if (this.#stack.length === 0) throw damaged();
    const value = this.#stack.pop();
    if (value === MARK) throw damaged();
    return value;
  }

  #top(): unknown {
    if (this.#stack.length === 0) throw damaged();
    return this.#stack.at(-1);
  }

  #recall(place: number): unknown {
    if (!this.#memo.has(place)) throw damaged();
    return this.#memo.get(place);
  }

  #sinceMark(): unknown[] {
    const mark = this.#stack.lastIndexOf(MARK);
    if (mark < 0) throw damaged();
    return this.#stack.splice(mark).slice(1);
  }

  #extend(values: readonly unknown[]): void {
    const list = this.#top();
    if (!Array.isArray(list)) throw damaged();
    for (const value of values) list.push(value);
  }

  #assign(pairs: readonly unknown[]): void {
    const map = this.#top();
    if (!(map instanceof Map) || pairs.length % 2 !== 0) throw damaged();
    for (let i = 0; i < pairs.length; i += 2) map.set(pairs[i], pairs[i + 1]);
  }
}

/** Little-endian two's complement, as Python writes integers of any size. */
function longOf(bytes: Uint8Array): number {
  let value = 0n;
  for (const byte of bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  return Number(BigInt.asIntN(bytes.length * 8, value));
}

function damaged(): FormatError {
  return new FormatError('its pickle is damaged');
}
