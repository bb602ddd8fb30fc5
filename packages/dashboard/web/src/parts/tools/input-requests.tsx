import { useState } from 'preact/hooks';
import type { Schema, ToolResult } from '../../lib/mcp.ts';
import { t } from '../../lib/texts.ts';
import { SchemaForm } from './schema-form.tsx';

type Round = { inputResponses: Record<string, unknown>; requestState?: string };

/** A tool asks something back before it goes on: its questions as forms. */
export function InputRequests({ result, onAnswer }: { result: ToolResult; onAnswer: (round: Round) => void }) {
  const questions = Object.entries(result.inputRequests ?? {});
  const [values, setValues] = useState<Record<string, Record<string, unknown>>>({});
  const send = (action: 'accept' | 'decline') => {
    const inputResponses = Object.fromEntries(
      questions.map(([key]) => [key, action === 'accept' ? { action, content: values[key] ?? {} } : { action }]),
    );
    onAnswer({ inputResponses, ...(result.requestState !== undefined && { requestState: result.requestState }) });
  };
  return (
    <div class="notice" role="alertdialog" aria-label={t('The tool requests input')}>
      {questions.map(([key, { method, params }]) => (
        <div key={key}>
          <p>
            {method === 'elicitation/create'
              ? String(params.message ?? t('The tool asks:'))
              : t('The tool asks for {method}, which this page cannot answer.', { method })}
          </p>
          {method === 'elicitation/create' && (
            <SchemaForm
              schema={(params.requestedSchema ?? {}) as Schema}
              value={values[key] ?? {}}
              onChange={(value) => setValues({ ...values, [key]: value })}
            />
          )}
        </div>
      ))}
      <div class="actions">
        <button type="button" class="primary" onClick={() => send('accept')}>
          {t('Answer')}
        </button>
        <button type="button" onClick={() => send('decline')}>
          {t('Decline')}
        </button>
      </div>
    </div>
  );
}
