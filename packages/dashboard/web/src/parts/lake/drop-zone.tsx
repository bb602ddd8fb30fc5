import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children?: ComponentChildren;
}

/** Takes files by drop or by choice. */
export function DropZone({ onFiles, children }: Props) {
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null | undefined) => {
    if (list?.length) onFiles([...list]);
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
        take(event.dataTransfer?.files);
      }}
    >
      <p>
        Drop PDF, Excel, Word, CSV, HTML, Markdown, mail or text files here, or{' '}
        <label class="button">
          choose some
          <input
            class="hidden"
            type="file"
            multiple
            onChange={(event) => {
              take(event.currentTarget.files);
              event.currentTarget.value = '';
            }}
          />
        </label>
      </p>
      {children}
    </section>
  );
}
