import { useEffect, useRef } from 'preact/hooks';
import { useLoaded } from '../../lib/hooks.ts';
import { drawPage } from '../../lib/lake/lake.ts';
import { t } from '../../lib/texts.ts';
import { Failure, Loading } from '../states.tsx';

interface Props {
  readonly id: string;
  readonly page: number;
  /** Where the passage stands, in points from the top left. */
  readonly boxes: readonly (readonly number[])[];
  readonly onPages: (count: number) => void;
}

/** A page as it is printed, with the passage marked. */
export function PdfPage({ id, page, boxes, onPages }: Props) {
  const drawn = useLoaded((signal) => drawPage(id, page, signal), [id, page]);
  const first = useRef<HTMLSpanElement>(null);
  const { src, width = 1, height = 1, pages } = drawn.value ?? {};
  useEffect(() => {
    if (pages !== undefined) onPages(pages);
    first.current?.scrollIntoView({ block: 'center' });
  }, [src]);
  if (drawn.error)
    return <Failure error={t('Page {page} could not be drawn: {error}', { page, error: drawn.error })} />;
  if (!src) return <Loading what={t('page {page}', { page })} />;
  const part = (value: number, of: number) => `${Math.min(100, Math.max(0, (100 * value) / of))}%`;
  return (
    <figure class="pdf-page">
      <img
        src={src}
        alt={t('Page {page}; its text is beside it', { page })}
        width={Math.round(width)}
        height={Math.round(height)}
      />
      {boxes.map(([left = 0, top = 0, right = 0, bottom = 0], index) => (
        <span
          key={index}
          ref={index === 0 ? first : null}
          class="place"
          style={{
            left: part(left - 2, width),
            top: part(top - 2, height),
            width: part(right - left + 4, width),
            height: part(bottom - top + 4, height),
          }}
        />
      ))}
    </figure>
  );
}
