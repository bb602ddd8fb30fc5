import { open } from 'node:fs/promises';
import { archiveOf } from '../../domain/formats/archive.ts';
import { signatureOf } from '../../domain/formats/file-format.ts';

const KNOWN =
  /\.(?:xls[xmb]?|f?ods|numbers|csv|tsv|pdf|txt|md|markdown|doc[xm]?|rtf|f?odt|ppt[xm]?|pps[xm]?|pot[xm]?|f?odp|epub|eml|mbox|msg|html?|json)$/i;

/** Whether the lake takes it. Files with an unknown extension are recognised by their first bytes. */
export async function isDocument(path: string, withImages = false): Promise<boolean> {
  if (KNOWN.test(path)) return true;
  const head = await headOf(path);
  const signature = signatureOf(head);
  return head.length > 0 && signature !== 'binary' && (withImages || signature !== 'image');
}

/** Whether it is an archive to open. Documents of Office are zip archives too, so a name tells. */
export async function isArchive(path: string): Promise<boolean> {
  const kind = archiveOf(await headOf(path));
  return kind === 'zip' ? /\.zip$/i.test(path) : kind !== undefined;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return Buffer.alloc(0);
  try {
    const head = Buffer.alloc(4096);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
