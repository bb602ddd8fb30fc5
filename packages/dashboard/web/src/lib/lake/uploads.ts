import { useCallback, useRef, useState } from 'preact/hooks';
import { ask, type Progress } from '../mcp.ts';
import { t } from '../texts.ts';

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'reading' | 'ready' | 'failed';
  readonly text: string;
  /** How much of it is read, from 0 to 1, once that is known. */
  readonly part?: number;
  readonly memoryId?: string;
}

let lastId = 0;

/** Takes files into the lake, one after the other, and reports the state of each. */
export function useUploads(onChanged: () => void, collection = '') {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const set = useCallback(
    (upload: Upload) => setUploads((before) => before.map((other) => (other.id === upload.id ? upload : other))),
    [],
  );
  const start = (waiting: readonly Upload[]) => {
    for (const upload of waiting) {
      last.current = last.current.then(async () => {
        set(await add(upload, collection, set));
        onChanged();
      });
    }
    return last.current;
  };
  return {
    uploads,
    take(files: readonly File[]) {
      const waiting = files.map((file): Upload => ({ id: ++lastId, file, state: 'waiting', text: t('waiting') }));
      setUploads((before) => [...waiting, ...before.filter(({ state }) => state !== 'ready')]);
      return start(waiting);
    },
    retry(upload: Upload) {
      const again: Upload = { id: upload.id, file: upload.file, state: 'waiting', text: t('waiting') };
      set(again);
      return start([again]);
    },
  };
}

async function add({ id, file }: Upload, collection: string, report: (upload: Upload) => void): Promise<Upload> {
  const about = { id, file };
  try {
    report({ ...about, state: 'sending', text: t('being sent') });
    const base64 = await base64Of(file);
    const args = { name: file.name, base64, ...(collection && { collection }) };
    const { result } = await ask<{ result: Added }>('add_memory', args, {
      onProgress: (progress) => report({ ...about, state: 'reading', ...partOf(progress) }),
    });
    if (result.status === 'failed') return { ...about, state: 'failed', text: result.reason ?? t('could not be read') };
    const text = result.duplicate_of
      ? t('is already in the lake')
      : result.status === 'ready'
        ? 'ready'
        : t('still being read');
    return { ...about, state: 'ready', text, memoryId: result.duplicate_of ?? result.id };
  } catch (error) {
    return { ...about, state: 'failed', text: (error as Error).message };
  }
}

interface Added {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly duplicate_of?: string;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(new Error(t('The browser could not read this file. Is it a folder?')));
    reader.readAsDataURL(file);
  });
}

function partOf({ progress, total, message }: Progress): { text: string; part?: number } {
  const part = total ? progress / total : undefined;
  const text = message ?? (part === undefined ? t('being read') : `${Math.round(100 * part)} %`);
  return { text, ...(part !== undefined && { part }) };
}
