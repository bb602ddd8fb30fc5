import type { ComponentChildren } from 'preact';

interface Props {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** What was reached, in a word or two. */
  readonly done: string;
  /** Where it goes on. */
  readonly link: string;
  readonly children: ComponentChildren;
}

/** One of the first steps, ticked once it is done. */
export function Step({ number, title, isDone, done, link, children }: Props) {
  return (
    <li class={`card step ${isDone ? 'done' : ''}`}>
      <h3>
        <span class="number" aria-hidden="true">
          {isDone ? '✓' : number}
        </span>
        {title}
        {isDone && (
          <a class="tag good" href={link}>
            {done}
          </a>
        )}
      </h3>
      {children}
    </li>
  );
}
