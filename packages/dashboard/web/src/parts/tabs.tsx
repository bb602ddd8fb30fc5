import { linkTo } from '../lib/route.ts';

interface Props {
  readonly label: string;
  readonly page: string;
  readonly tabs: readonly { readonly key: string; readonly title: string }[];
  readonly chosen: string;
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, page, tabs, chosen }: Props) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ key, title }) => (
        <a
          class="tab"
          key={key}
          href={key ? linkTo(page, key) : `#/${page}`}
          aria-current={key === chosen ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
