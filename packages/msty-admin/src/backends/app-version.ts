import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const MAX_ASAR_HEADER = 64 * 1024 * 1024;

/** The version of an installed app, from what the app itself carries; null when it does not tell. */
export async function appVersion(app: string): Promise<string | null> {
  if (app.endsWith('.app')) {
    const plist = await readFile(join(app, 'Contents', 'Info.plist'), 'utf8').catch(() => '');
    const match = /<key>CFBundleShortVersionString<\/key>\s*<string>([^<]+)<\/string>/.exec(plist);
    if (match?.[1]) return match[1].trim();
  }
  const resources = app.endsWith('.app')
    ? join(app, 'Contents', 'Resources')
    : join(app.endsWith('.exe') ? dirname(app) : app, 'resources');
  const inArchive = await asarVersion(join(resources, 'app.asar')).catch(() => null);
  return inArchive ?? /(\d+\.\d+\.\d+)/.exec(basename(app))?.[1] ?? null;
}

/** Electron packs an app into one file: a JSON table of contents, then the files. */
async function asarVersion(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const sizes = await bytesAt(file, 0, 16);
    const headerBytes = sizes.readUInt32LE(4);
    const jsonBytes = sizes.readUInt32LE(12);
    if (jsonBytes > MAX_ASAR_HEADER) return null;
    const contents = JSON.parse((await bytesAt(file, 16, jsonBytes)).toString('utf8')) as {
      files?: Record<string, { offset?: string; size?: number }>;
    };
    const entry = contents.files?.['package.json'];
    if (!entry?.size || entry.offset === undefined || entry.size > 1024 * 1024) return null;
    const text = await bytesAt(file, 8 + headerBytes + Number(entry.offset), entry.size);
    const { version } = JSON.parse(text.toString('utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
