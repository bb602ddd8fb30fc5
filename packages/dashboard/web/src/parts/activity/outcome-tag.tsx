const WORDS = { ok: 'ok', error: 'failed', fault: 'no answer' };
const KINDS = { ok: 'good', error: 'warn', fault: 'bad' };

export function OutcomeTag({ outcome }: { outcome: 'ok' | 'error' | 'fault' }) {
  return <span class={`tag ${KINDS[outcome]}`}>{WORDS[outcome]}</span>;
}
