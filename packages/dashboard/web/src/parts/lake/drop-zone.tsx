import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../lib/texts.ts';

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
      aria-label={t('Add files')}
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
        {t('Drop PDF, Excel, Word, CSV, HTML, Markdown, mail or text files here, or')}{' '}
        <label class="button">
          {t('choose some')}
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
