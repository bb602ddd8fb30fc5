import { open } from 'node:fs/promises';
import { signatureOf } from '../../domain/formats/file-format.ts';

const KNOWN =
  /\.(?:xls[xmb]?|f?ods|numbers|csv|tsv|pdf|txt|md|markdown|doc[xm]?|rtf|f?odt|ppt[xm]|ppsx|f?odp|epub|eml|msg|html?|json)$/i;

/** Whether the lake takes it. Files with an unknown extension are recognised by their first bytes. */
export async function isDocument(path: string): Promise<boolean> {
  if (KNOWN.test(path)) return true;
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return false;
  try {
    const head = Buffer.alloc(4096);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const signature = signatureOf(head.subarray(0, bytesRead));
    return bytesRead > 0 && signature !== 'binary' && signature !== 'image';
  } finally {
    await file.close();
  }
}
