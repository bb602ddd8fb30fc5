import { diffWords } from '../lib/diff.ts';
import '../styles/diff.css';

/** What became of a text: words that are gone are struck through, words that are new are underlined. */
export function DiffText({ before, after }: { before: string; after: string }) {
  return (
    <div class="diff">
      {diffWords(before, after).map(({ kind, text }, index) =>
        kind === 'same' ? (
          <span key={index}>{text}</span>
        ) : kind === 'gone' ? (
          <del key={index}>{text}</del>
        ) : (
          <ins key={index}>{text}</ins>
        ),
      )}
    </div>
  );
}
