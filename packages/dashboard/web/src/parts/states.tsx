import type { ComponentChildren } from 'preact';
import { isRefusal } from '../lib/admin.ts';
import { t, tx } from '../lib/texts.ts';

export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" /> {t('Loading {what} …', { what })}
    </p>
  );
}

/** What went wrong, in words, and what to do next. */
export function Failure({ error, next, children }: { error: string; next?: string; children?: ComponentChildren }) {
  return (
    <div class="notice bad" role="alert">
      <strong>{error}</strong>
      {next && <p>{next}</p>}
      {children}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A failure of administration; where the caller may not administer, how that is changed. */
export function AdminFailure({ error }: { error: Error }) {
  if (!isRefusal(error)) return <Failure error={error.message} />;
  return (
    <Empty title={t('This is for people who administer this Atoll')}>
      <p>{error.message}.</p>
    </Empty>
  );
}

/** Shown where a page's server is not among the tools. */
export function Absent({ server }: { server: string }) {
  return (
    <Empty title={t('{server} is not running here', { server })}>
      <p>
        {tx(
          'Its tools are not listed by this endpoint. The <a>overview</a> says why; add it under {code} in {code2} to have it.',
          { a: (text) => <a href="#/">{text}</a>, code: <code>servers</code>, code2: <code>atoll.json</code> },
        )}
      </p>
    </Empty>
  );
}
