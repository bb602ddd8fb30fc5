import type { ProgramAnswer } from '../../lib/programs/run.ts';
import { t } from '../../lib/texts.ts';
import { Waterfall } from '../activity/waterfall.tsx';
import { Failure } from '../states.tsx';
import { Json } from '../tools/result-view.tsx';

/** What a program returned, printed and called; of one that failed, what it did before. */
export function ProgramResult({ answer }: { answer: ProgramAnswer }) {
  const { result, output, output_truncated: isCut, note, error, traceback, plan, program } = answer;
  const isOver = !plan && error === undefined;
  return (
    <>
      {error !== undefined && (
        <Failure error={error}>
          {traceback && (
            <pre class="text" tabIndex={0}>
              {traceback}
            </pre>
          )}
        </Failure>
      )}
      {isOver && (
        <>
          <h3>{t('Result')}</h3>
          <div class="result" role="status">
            {note ? (
              <p class="hint">{t('It ran and returned nothing; end it with return or print something.')}</p>
            ) : (
              <Json value={result} />
            )}
          </div>
        </>
      )}
      {output && (
        <>
          <h3>{t('Printed')}</h3>
          <pre class="text" tabIndex={0}>
            {output}
            {isCut && `\n${t('… more was printed')}`}
          </pre>
        </>
      )}
      {program !== undefined && <Waterfall key={`${program} ${plan?.id ?? ''}`} program={program} />}
    </>
  );
}
