import { notBase64, nothingToAdd } from '../errors.ts';

export interface GivenContent {
  readonly name: string;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  readonly path?: string | undefined;
  readonly bytes?: Uint8Array | undefined;
  readonly collection?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The bytes that a caller sent; undefined if it named a file instead. */
export function givenBytes({ text, base64, path, bytes }: GivenContent): Uint8Array | undefined {
  if ([text, base64, path, bytes].filter((content) => content !== undefined).length !== 1) throw nothingToAdd();
  if (bytes !== undefined) return bytes;
  if (text !== undefined) return Buffer.from(text, 'utf8');
  if (base64 === undefined) return undefined;
  const clean = base64.replace(/^data:[^,]*;base64,/, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(clean) || clean.replace(/=+$/, '').length % 4 === 1) throw notBase64();
  return Buffer.from(clean, 'base64');
}

/** A plain file name: removes folders, control characters and surrounding blanks. */
export function safeName(name: string): string {
  const clean = name
    .replace(/\p{Cc}/gu, '')
    .split(/[\\/]/)
    .at(-1)!
    .trim()
    .slice(0, 200);
  return clean === '' || clean === '.' || clean === '..' ? 'untitled' : clean;
}
