import type { ComponentType } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useAction } from '../../lib/hooks.ts';
import type { Progress, Tool } from '../../lib/mcp.ts';
import type { ProgramLanguage } from '../../lib/programs/complete.ts';
import { type ProgramStep, runProgram } from '../../lib/programs/run.ts';
import { linkTo } from '../../lib/route.ts';
import { t, tx } from '../../lib/texts.ts';
import { CopyButton } from '../copy-button.tsx';
import { ProgressLine } from '../progress-line.tsx';
import { Empty, Failure, Loading } from '../states.tsx';
import type { ProgramEditorProps } from './program-editor.tsx';
import { ProgramResult } from './program-result.tsx';
import { WritePlan } from './write-plan.tsx';

export const RUN_TOOLS = 'run_tools';

const EXAMPLES: Readonly<Record<ProgramLanguage, string>> = {
  javascript:
    'const { upstreams } = await tools.atoll_status({});\nreturn upstreams.map(({ key, state }) => ({ key, state }));\n',
  python: "status = tools.atoll_status()\n[(one['key'], one['state']) for one in status['upstreams']]\n",
};

/** A program that calls tools: written with completion, its writes confirmed, its calls over time. */
export function ProgramView({ tools, query }: { tools: readonly Tool[]; query: URLSearchParams }) {
  const [language, setLanguage] = useState<ProgramLanguage>(
    query.get('language') === 'python' ? 'python' : 'javascript',
  );
  const [code, setCode] = useState(query.get('code') ?? EXAMPLES[language]);
  const [given, setGiven] = useState({ text: code });
  const [editor, setEditor] = useState<{ Editor: ComponentType<ProgramEditorProps> }>();
  const [progress, setProgress] = useState<Progress>();
  const act = useCallback(async (signal: AbortSignal, step: ProgramStep) => {
    setProgress(undefined);
    return runProgram(step, { signal, onProgress: setProgress });
  }, []);
  const program = useAction(act);
  useEffect(() => {
    void import('./program-editor.tsx').then(({ ProgramEditor }) => setEditor({ Editor: ProgramEditor }));
  }, []);
  if (!tools.some(({ name }) => name === RUN_TOOLS)) return <NotEnabled />;
  if (!editor) return <Loading what={t('the editor')} />;
  const run = () => {
    if (code.trim()) void program.run({ code, language });
  };
  const choose = (chosen: ProgramLanguage) => {
    setLanguage(chosen);
    if (code.trim() === '' || code === EXAMPLES[language]) setGiven({ text: EXAMPLES[chosen] });
  };
  const { value } = program;
  return (
    <section class="card program" aria-label={t('Program')}>
      <h2>{t('Program')}</h2>
      <p class="hint">
        {t(
          'Call a tool with await tools.name({ … }). Ctrl Space completes names and arguments, Ctrl Enter runs. Calls that may change something wait until you confirm them.',
        )}
      </p>
      <editor.Editor given={given} language={language} tools={tools} onChange={setCode} onRun={run} />
      <div class="actions">
        <button type="button" class="primary" disabled={program.isRunning || code.trim() === ''} onClick={run}>
          {program.isRunning ? t('Running …') : t('Run')}
        </button>
        {program.isRunning && (
          <button type="button" onClick={program.cancel}>
            {t('Cancel')}
          </button>
        )}
        <label class="inline">
          {t('Written in')}
          <select value={language} onChange={(event) => choose(event.currentTarget.value as ProgramLanguage)}>
            <option value="javascript">JavaScript</option>
            <option value="python">Python</option>
          </select>
        </label>
        <CopyButton
          label={t('Copy link')}
          text={() => `${location.origin}/${linkTo('tools', RUN_TOOLS)}?${new URLSearchParams({ code, language })}`}
        />
      </div>
      {program.isRunning && <ProgressLine progress={progress} />}
      {program.error && <Failure error={program.error} />}
      {value?.plan && !program.isRunning && (
        <WritePlan key={value.plan.id} plan={value.plan} onConfirm={(step) => void program.run(step)} />
      )}
      {value && !program.isRunning && <ProgramResult answer={value} />}
    </section>
  );
}

function NotEnabled() {
  return (
    <Empty title={t('Programs are switched off here')}>
      <p>
        {tx(
          'With {code} in the configuration, assistants and this page can run programs that call many tools at once, in a sandbox.',
          {
            code: <code>"runTools": true</code>,
          },
        )}
      </p>
    </Empty>
  );
}
