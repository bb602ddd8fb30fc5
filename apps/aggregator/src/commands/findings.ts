import { setTimeout as delay } from 'node:timers/promises';
import { folderProblem } from '@atoll-mcp/server';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';

export interface Finding {
  readonly what: string;
  readonly isFine: boolean;
  readonly detail?: string | undefined;
  /** How to fix it. */
  readonly repair?: string | undefined;
}

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isFine = major > 20 || (major === 20 && minor >= 19);
  return {
    what: 'node',
    isFine,
    detail: process.versions.node,
    ...(!isFine && { repair: 'install Node 20.19 or newer' }),
  };
}

export function checkFolder(folder: string): Finding {
  const problem = folderProblem(folder);
  const what = 'data folder';
  if (problem === undefined) return { what, isFine: true, detail: folder };
  return { what, isFine: false, detail: problem, repair: 'give another with --data-dir' };
}

export async function checkUpstream(supervisor: UpstreamSupervisor): Promise<Finding> {
  const what = `server ${supervisor.key}`;
  if (supervisor.state === 'disabled') return { what, isFine: true, detail: 'disabled' };
  await Promise.race([supervisor.ready().catch(() => {}), delay(60_000, undefined, { ref: false })]);
  const { link, lists, downReason, upstream } = supervisor;
  if (link) return { what, isFine: true, detail: `${lists.tools.length} tools, ${link.era} era` };
  const lastLine = upstream.stderrTail?.at(-1);
  const detail = [downReason ?? 'it does not start', lastLine && `last line of stderr: ${lastLine}`]
    .filter(Boolean)
    .join('; ');
  return { what, isFine: false, detail, repair: REPAIRS[upstream.kind] };
}

const REPAIRS: Readonly<Record<UpstreamSupervisor['upstream']['kind'], string>> = {
  'in-process': 'see the reason, or remove it from "servers"',
  stdio: 'run its command in a terminal to see why; "command", "args" and "env" must be what it needs',
  http: 'start it, and check "url" and "headers"',
  openapi: 'check "openapi", "baseUrl" and "auth"',
};

/** The sandboxes of the built-in servers. Each is started and tested, which takes a moment. */
export async function checkRuntimes(): Promise<Finding[]> {
  const { examine } = await import('@atoll-mcp/sandbox');
  const findings = await examine();
  return findings.map(({ name, capability: { available, version, reason, fix } }) => ({
    what: `sandbox ${name}`,
    isFine: available,
    detail: available ? version : reason,
    ...(!available && fix !== undefined && { repair: fix }),
  }));
}
