import { languagesOf, type useSetup } from '../../lib/setup.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { InstallRow } from '../setup/install-row.tsx';
import { Failure } from '../states.tsx';

/** The models there are: which is used, which are installed, which can be. */
export function ModelList({ state }: { state: ReturnType<typeof useSetup> }) {
  const { setup, use } = state;
  // Whoever may not administer has nothing to choose here.
  if (setup.failure || !setup.value) return null;
  return (
    <section class="card" aria-label={t('Models')}>
      <h2>{t('Models')}</h2>
      <p class="hint">{t('Calls may name any installed model; calls without a name use the active one.')}</p>
      <ul class="installs">
        {setup.value.models.map((model) => {
          const { name, kind, installed: isInstalled, active: isActive, dimensions, licence } = model;
          const about = [
            kind === 'reranker' ? t('reranks results') : plural(dimensions, 'dimension'),
            languagesOf(model),
            licence,
          ];
          return (
            <InstallRow
              key={name}
              what={name}
              title={name}
              about={about.join(' · ')}
              isInstalled={isInstalled}
              sizeBytes={model.size_bytes}
              state={state}
            >
              {isActive && <span class="tag good">{t('in use')}</span>}
              {isInstalled && !isActive && kind === 'embedding' && (
                <button type="button" disabled={use.isRunning} onClick={() => void use.run(name)}>
                  {t('Use')}
                  <span class="hidden"> {name}</span>
                </button>
              )}
            </InstallRow>
          );
        })}
      </ul>
      {use.error && <Failure error={use.error} />}
      {use.value && (
        <p class="notice" role="status">
          {tx(
            '{use} is used from the next start of Atoll on. Documents that are there already are searched with it after {code}.',
            { use: use.value, code: <code>memorylake reindex</code> },
          )}
        </p>
      )}
    </section>
  );
}
