import { createInterface } from 'node:readline/promises';

/** Parsed arguments of a command: flags with values, positional words, and what follows `--`. */
interface ParsedWords {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly plain: readonly string[];
  readonly rest: readonly string[];
}

export function parseWords(argv: readonly string[], withValue: readonly string[]): ParsedWords {
  const end = argv.indexOf('--');
  const front = end < 0 ? argv : argv.slice(0, end);
  const flags = new Map<string, string[]>();
  const plain: string[] = [];
  for (let index = 0; index < front.length; index++) {
    const word = front[index] ?? '';
    if (!word.startsWith('--')) {
      plain.push(word);
      continue;
    }
    const [name = '', inline] = word.slice(2).split(/=(.*)/s);
    const takesValue = withValue.includes(name) && inline === undefined;
    const value = inline ?? (takesValue ? (front[++index] ?? '') : '');
    flags.set(name, [...(flags.get(name) ?? []), value]);
  }
  return { flags, plain, rest: end < 0 ? [] : argv.slice(end + 1) };
}

/** `NAME=value` pairs as an object; `undefined` if one is malformed. */
export function pairs(values: readonly string[] = []): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const value of values) {
    const cut = value.indexOf('=');
    if (cut < 1) return undefined;
    found[value.slice(0, cut)] = value.slice(cut + 1);
  }
  return found;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printError(line: string): void {
  process.stderr.write(`atoll: ${line}\n`);
}

/** Asks, unless the flags answer. Undefined if it may be written, else the exit code. */
export async function mayWrite(flags: ReadonlyMap<string, unknown>): Promise<number | undefined> {
  const isClear = flags.has('dry-run') || flags.has('yes');
  if (isClear || process.stdin.isTTY) {
    if (!flags.has('dry-run') && (flags.has('yes') || (await isWanted()))) return undefined;
    print('Nothing was changed.');
    return 0;
  }
  print('Nothing was changed.');
  printError('stdin is not a terminal; use --yes to write without asking');
  return 2;
}

async function isWanted(): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question('Write this? [y/N] ');
  asking.close();
  return /^y(es)?$/i.test(answer.trim());
}
