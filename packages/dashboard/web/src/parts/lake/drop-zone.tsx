import { useState } from 'preact/hooks';
import { bytes } from '../../lib/format.ts';
import { ask, type Progress } from '../../lib/mcp.ts';

interface Upload {
  readonly name: string;
  readonly size: number;
  readonly state: 'waiting' | 'reading' | 'ready' | 'failed';
  readonly text: string;
  readonly part?: number;
}

/** Takes files into the lake and shows how each one fares. */
export function DropZone({ onChanged }: { onChanged: () => void }) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [isOver, setOver] = useState(false);
  const set = (upload: Upload) =>
    setUploads((before) => before.map((other) => (other.name === upload.name ? upload : other)));
  const take = async (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    const names = new Set(files.map(({ name }) => name));
    setUploads((before) => [
      ...files.map(({ name, size }) => ({ name, size, state: 'waiting' as const, text: 'waiting' })),
      ...before.filter(({ name }) => !names.has(name)),
    ]);
    for (const file of files) {
      const about = { name: file.name, size: file.size };
      set({ ...about, state: 'reading', text: 'being read' });
      set(await add(file, (progress) => set({ ...about, state: 'reading', ...partOf(progress) })));
      onChanged();
    }
  };
  return (
    <section
      class={`drop ${isOver ? 'over' : ''}`}
      aria-label="Add files"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer?.files);
      }}
    >
      <p>
        Drop Excel, PDF, Word, CSV, HTML, Markdown, JSON or text files here, or{' '}
        <label class="button">
          choose some
          <input class="hidden" type="file" multiple onChange={(event) => take(event.currentTarget.files)} />
        </label>
      </p>
      {uploads.length > 0 && (
        <ul class="uploads" aria-live="polite">
          {uploads.map(({ name, size, state, text, part }) => (
            <li key={name} class={state}>
              <strong>{name}</strong> <span class="hint">{bytes(size)}</span>
              {state === 'reading' && <progress value={part} aria-label={`Reading ${name}`} />}
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

async function add(file: File, onProgress: (progress: Progress) => void): Promise<Upload> {
  const about = { name: file.name, size: file.size };
  try {
    const base64 = await base64Of(file);
    const { result } = await ask<{ result: { status: string; reason?: string; duplicate_of?: string } }>(
      'add_memory',
      { name: file.name, base64 },
      { onProgress },
    );
    if (result.status === 'failed') return { ...about, state: 'failed', text: result.reason ?? 'could not be read' };
    return { ...about, state: 'ready', text: result.duplicate_of ? 'is already in the lake' : 'ready' };
  } catch (error) {
    return { ...about, state: 'failed', text: (error as Error).message };
  }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(new Error('The browser could not read this file.'));
    reader.readAsDataURL(file);
  });
}

function partOf({ progress, total, message }: Progress): { text: string; part?: number } {
  const part = total ? progress / total : undefined;
  const text = message ?? (part === undefined ? 'being read' : `${Math.round(100 * part)} %`);
  return { text, ...(part !== undefined && { part }) };
}
