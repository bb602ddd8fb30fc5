import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger } from '@atoll-mcp/core';
import { type Command, folderProblem } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { createAtollServer } from '../server.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import { checkPort } from './check-port.ts';
import { parseWords, print } from './cli-io.ts';

export interface Finding {
  readonly what: string;
  readonly isFine: boolean;
  readonly detail?: string | undefined;
  /** How to fix it. */
  readonly repair?: string | undefined;
}

export const doctor = (options: {
  env: NodeJS.ProcessEnv;
  configFile: string | undefined;
}): Command<AggregatorConfig> => ({
  usage: 'doctor [--json]',
  summary: 'Check configuration, servers, Python and port, and say how to repair what is wrong',
  flags: ['json'],
  usesDataDir: 'write',
  async run({ argv, config }) {
    const findings = [
      checkNode(),
      { what: 'configuration', isFine: true, detail: options.configFile ?? 'none; the built-in servers run' },
      checkFolder(config.dataDir),
      await checkPort(config),
      ...(await checkUpstreams(config, options.env)),
      ...(config.builtin ? await checkRuntimes() : []),
    ];
    const isFine = findings.every((finding) => finding.isFine);
    if (parseWords(argv, ['config']).flags.has('json')) print(JSON.stringify({ ok: isFine, findings }));
    else for (const finding of findings) show(finding);
    return isFine ? 0 : 1;
  },
});

function show({ what, isFine, detail, repair }: Finding): void {
  print(`${isFine ? 'ok' : 'no'}  ${what}${detail === undefined ? '' : `: ${detail}`}`);
  if (repair !== undefined) print(`    repair: ${repair}`);
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isFine = major > 20 || (major === 20 && minor >= 19);
  return {
    what: 'node',
    isFine,
    detail: process.versions.node,
    ...(!isFine && { repair: 'install Node 20.19 or newer' }),
  };
}

function checkFolder(folder: string): Finding {
  const problem = folderProblem(folder);
  const what = 'data folder';
  if (problem === undefined) return { what, isFine: true, detail: folder };
  return { what, isFine: false, detail: problem, repair: 'give another with --data-dir' };
}

/** Starts every upstream once. */
async function checkUpstreams(config: AggregatorConfig, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const app = createAtollServer({ ...config, auditFile: undefined }, { env, log: silentLogger });
  try {
    await app.begun();
    return await Promise.all(app.supervisors.map(checkUpstream));
  } finally {
    await app.close();
  }
}

async function checkUpstream(supervisor: UpstreamSupervisor): Promise<Finding> {
  const what = `server ${supervisor.key}`;
  if (supervisor.state === 'disabled') return { what, isFine: true, detail: 'disabled' };
  await Promise.race([supervisor.ready().catch(() => {}), delay(60_000, undefined, { ref: false })]);
  const { link, lists, whyDown, upstream } = supervisor;
  if (link) return { what, isFine: true, detail: `${lists.tools.length} tools, ${link.era} era` };
  const lastLine = upstream.stderrTail?.at(-1);
  const detail = [whyDown ?? 'it does not start', lastLine && `last line of stderr: ${lastLine}`]
    .filter(Boolean)
    .join('; ');
  return { what, isFine: false, detail, repair: REPAIRS[upstream.kind] };
}

const REPAIRS: Readonly<Record<UpstreamSupervisor['upstream']['kind'], string>> = {
  'in-process': 'see the reason, or remove it from "servers"',
  stdio: 'run its command in a terminal to see why; "command", "args" and "env" must be what it needs',
  http: 'start it, and check "url" and "headers"',
};

/** The sandboxes of the built-in servers. Each is started and tested, which takes a moment. */
async function checkRuntimes(): Promise<Finding[]> {
  const { examine } = await import('@atoll-mcp/sandbox');
  const findings = await examine();
  return findings.map(({ name, capability: { available, version, reason, fix } }) => ({
    what: `sandbox ${name}`,
    isFine: available,
    detail: available ? version : reason,
    ...(!available && fix !== undefined && { repair: fix }),
  }));
}
