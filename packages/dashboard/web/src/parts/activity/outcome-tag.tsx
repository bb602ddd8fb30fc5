import { t } from '../../lib/texts.ts';

const WORDS = { ok: t('ok'), error: t('failed'), fault: t('no answer') };
const KINDS = { ok: 'good', error: 'warn', fault: 'bad' };

export function OutcomeTag({ outcome }: { outcome: 'ok' | 'error' | 'fault' }) {
  return <span class={`tag ${KINDS[outcome]}`}>{WORDS[outcome]}</span>;
}
