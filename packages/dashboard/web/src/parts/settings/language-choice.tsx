import { chooseLanguage, chosenLanguage, LANGUAGES, type Language, t } from '../../lib/texts.ts';

/** The language of the page; what servers, tools and documents say stays in theirs. */
export function LanguageChoice() {
  return (
    <section class="card" aria-label={t('Language')}>
      <h2>{t('Language')}</h2>
      <label>
        {t('Language of this page')}
        <select
          value={chosenLanguage() ?? ''}
          onChange={(event) => chooseLanguage((event.currentTarget.value || undefined) as Language | undefined)}
        >
          <option value="">{t('As the browser')}</option>
          {Object.entries(LANGUAGES).map(([key, name]) => (
            <option key={key} value={key} lang={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">{t('Tools, servers and documents keep their own language.')}</p>
    </section>
  );
}
