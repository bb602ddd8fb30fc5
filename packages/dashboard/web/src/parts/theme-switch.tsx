import { useEffect, useState } from 'preact/hooks';
import { inBrowser } from '../lib/kept/kept.ts';
import { t } from '../lib/texts.ts';

const KEY = 'atoll.theme';
type Theme = 'auto' | 'light' | 'dark';

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => (inBrowser.get(KEY) as Theme | undefined) ?? 'auto');
  useEffect(() => {
    inBrowser.set(KEY, theme);
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <label class="theme">
      <span>{t('Theme')}</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        <option value="auto">{t('System')}</option>
        <option value="light">{t('Light')}</option>
        <option value="dark">{t('Dark')}</option>
      </select>
    </label>
  );
}
