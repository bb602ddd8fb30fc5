import { useState } from 'preact/hooks';
import { bytes } from '../lib/format.ts';
import { ask, type Progress } from '../lib/mcp.ts';

interface Upload {
  readonly name: string;
  readonly size: number;
  readonly state: 'reading' | 'ready' | 'failed';
  readonly text: string;
}

/** Takes files into the lake and shows how each one fares. */
export function DropZone({ onChanged }: { onChanged: () => void }) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [isOver, setOver] = useState(false);
  const set = (upload: Upload) =>
    setUploads((before) => [upload, ...before.filter(({ name }) => name !== upload.name)]);
  const take = async (files: FileList | null | undefined) => {
    for (const file of files ?? []) {
      set({ name: file.name, size: file.size, state: 'reading', text: 'reading' });
      set(
        await add(file, (progress) =>
          set({ name: file.name, size: file.size, state: 'reading', text: progressText(progress) }),
        ),
      );
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
          {uploads.map(({ name, size, state, text }) => (
            <li key={name} class={state}>
              <strong>{name}</strong> <span class="hint">{bytes(size)}</span>{' '}
              {state === 'reading' && <span class="spinner" aria-hidden="true" />} {text}
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

function progressText({ progress, total, message }: Progress): string {
  return message ?? (total ? `${Math.round((100 * progress) / total)} %` : 'reading');
}
