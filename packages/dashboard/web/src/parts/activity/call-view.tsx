import { useCallback, useEffect, useRef } from 'preact/hooks';
import { admin, type CallDetail, type CallSummary } from '../../lib/admin.ts';
import { asCurl, asProgram, asTypeScript } from '../../lib/copies.ts';
import { decimal, duration, time } from '../../lib/format.ts';
import { useAction, useAdmin, useLoaded } from '../../lib/hooks.ts';
import { callTool, type Tool, type ToolResult } from '../../lib/mcp.ts';
import { isProgram } from '../../lib/programs/timeline.ts';
import { linkTo } from '../../lib/route.ts';
import { language, t, tx } from '../../lib/texts.ts';
import { CopyButton } from '../copy-button.tsx';
import { Failure, Loading } from '../states.tsx';
import { Json, ResultView } from '../tools/result-view.tsx';
import { OutcomeTag } from './outcome-tag.tsx';
import { Waterfall } from './waterfall.tsx';

/** One call: what was sent, what came back, and the same again. */
export function CallView({ id, tool }: { id: number; tool: (name: string) => Tool | undefined }) {
  const call = useLoaded((signal) => admin<CallDetail>('call', { id }, { signal }), [id]);
  const box = useRef<HTMLElement>(null);
  const isThere = call.value?.id === id;
  useEffect(() => {
    // Where it is not beside the list, it is above it, and whoever chose it there would not see it.
    if (isThere && matchMedia('(max-width: 1100px)').matches) box.current?.scrollIntoView();
  }, [isThere]);
  if (call.error) {
    return (
      <section class="card call">
        <Failure error={call.error} />
        <a href="#/activity">{t('Back to the list')}</a>
      </section>
    );
  }
  if (!call.value || call.value.id !== id) return <Loading what={t('the call')} />;
  const { name, server, caller, client, ms, at, sent_chars: sent, answer_chars: received } = call.value;
  return (
    <section ref={box} class="card call" aria-label={t('Call {id}', { id })}>
      <header>
        <h2>
          <code>{name}</code> <OutcomeTag outcome={call.value.outcome} />
        </h2>
        <a class="button" href="#/activity" aria-label={t('Close')}>
          ✕
        </a>
      </header>
      <dl class="figures">
        <Figure label={t('Server')} value={server} />
        <Figure label={t('Caller')} value={client ?? caller} />
        <Figure label={t('When')} value={time(at)} />
        <Figure label={t('Duration')} value={duration(ms)} />
        <Figure label={t('Characters sent')} value={chars(sent)} />
        <Figure label={t('Characters received')} value={chars(received)} />
        <Figure label={t('Tokens, estimated')} value={call.value.about_tokens.toLocaleString(language)} />
      </dl>
      {call.value.program !== undefined && <Program call={call.value} program={call.value.program} />}
      <h3>{t('Arguments')}</h3>
      {call.value.arguments === undefined ? (
        <p class="hint">{t('Not kept.')}</p>
      ) : (
        <div class="result">
          <Json value={call.value.arguments} />
        </div>
      )}
      <h3>{t('Answer')}</h3>
      <Answer answer={call.value.answer} />
      {call.value.clipped && <p class="hint">{t('Only the beginning of what is long was kept.')}</p>}
      <Again call={call.value} tool={tool(name)} />
    </section>
  );
}

/** What a program did, or a way to the program that made this call. */
function Program({ call, program }: { call: CallDetail; program: number }) {
  return isProgram(call) ? <Waterfall program={program} /> : <ProgramLink program={program} />;
}

function ProgramLink({ program }: { program: number }) {
  const calls = useAdmin<{ calls: readonly CallSummary[] }>('activity', { program, limit: 1_000 }, [program]);
  const own = calls.value?.calls.find(isProgram);
  if (!own) return <p class="hint">{t('Made by a program that is still running, or no longer recorded.')}</p>;
  return (
    <p class="hint">
      {tx('Made by <a>a program</a>.', { a: (text) => <a href={linkTo('activity', String(own.id))}>{text}</a> })}
    </p>
  );
}

function Answer({ answer }: { answer: unknown }) {
  if (answer === undefined) return <p class="hint">{t('Not kept.')}</p>;
  const { error, content } = answer as { error?: string; content?: unknown };
  if (typeof error === 'string') return <p class="notice bad">{error}</p>;
  return Array.isArray(content) && content.every((part) => typeof part === 'object') ? (
    <ResultView result={answer as ToolResult} />
  ) : (
    <div class="result">
      <Json value={answer} />
    </div>
  );
}

function Again({ call, tool }: { call: CallDetail; tool: Tool | undefined }) {
  const act = useCallback(
    async (signal: AbortSignal) => {
      const started = performance.now();
      const result = await callTool(call.name, call.arguments ?? {}, { signal, isPersons: true });
      return { result, ms: performance.now() - started };
    },
    [call],
  );
  const again = useAction(act);
  const params = { name: call.name, arguments: call.arguments ?? {} };
  const obstacle = obstacleOf(call);
  const run = () => {
    const changes = tool?.annotations?.readOnlyHint !== true;
    if (!changes || confirm(t('"{name}" may change something. Run it again?', { name: call.name }))) void again.run();
  };
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" disabled={obstacle !== undefined || again.isRunning} onClick={run}>
          {again.isRunning ? t('Running …') : t('Run it again')}
        </button>
        <a class="button" href={linkTo('tools', call.name)}>
          {t('Open its form')}
        </a>
        <CopyButton label={t('Copy as curl')} text={() => asCurl(params)} />
        <CopyButton label={t('Copy as TypeScript')} text={() => asTypeScript(params)} />
        <CopyButton label={t('Copy as program')} text={() => asProgram(params)} />
        <a class="button" href={`${linkTo('tools', 'run_tools')}?${new URLSearchParams({ code: asProgram(params) })}`}>
          {t('Open as program')}
        </a>
      </div>
      {obstacle && <p class="hint">{obstacle}</p>}
      {again.error && <Failure error={again.error} />}
      {again.value && (
        <>
          <h3>
            {tx('Answer now {ms}', {
              ms: <span class="hint">{t('after {ms}', { ms: duration(again.value.ms) })}</span>,
            })}
          </h3>
          <ResultView result={again.value.result} />
        </>
      )}
    </>
  );
}

/** Why the same call cannot be made from what was kept of it. */
function obstacleOf({ arguments: args, clipped }: CallDetail): string | undefined {
  if (args === undefined) return t('Its arguments were not kept, so it cannot be run again from here.');
  if (clipped) return t('It was too long to be kept entirely, so it cannot be run again from here.');
  if (JSON.stringify(args).includes('"[redacted]"'))
    return t('It had a secret in it, so it cannot be run again from here.');
  return undefined;
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

export function chars(count: number): string {
  return count < 1_000 ? `${count}` : `${decimal(count / 1_000, count < 10_000 ? 1 : 0)}k`;
}
