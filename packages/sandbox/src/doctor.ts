import { platform } from 'node:os';
import type { Capability, CodeRuntime } from './interface.ts';
import { createJavaScriptRuntime } from './javascript/runtime.ts';
import { setupCommand } from './own-command.ts';
import { createPythonRuntime } from './python/runtime.ts';
import { hasCommand } from './python/setup/commands.ts';
import { WANTED_MODULES } from './python/setup/find-python.ts';
import { isRoot } from './python/setup/places.ts';
import { createSqlRuntime } from './sql/runtime.ts';

export interface Finding {
  readonly name: string;
  readonly capability: Capability;
  /** What would make it better although it works. */
  readonly advice?: { readonly text: string; readonly command: string };
}

/** Starts and attacks every runtime that could run here, whatever earlier runs found. */
export async function examine(options: { readonly pythonDir?: string } = {}): Promise<readonly Finding[]> {
  const python = await probe(createPythonRuntime({ ...options, preload: ['numpy'] }));
  const findings: Finding[] = [{ name: 'python', capability: python, ...pythonAdvice(python, options.pythonDir) }];
  if (python.walls.includes('namespaces')) {
    const alone = await probe(createPythonRuntime({ ...options, preload: ['numpy'], bubblewrap: 'off' }));
    findings.push({ name: 'python without bubblewrap', capability: alone });
  }
  findings.push({ name: 'javascript', capability: await probe(createJavaScriptRuntime()) });
  findings.push({ name: 'sql', capability: await probe(createSqlRuntime()) });
  return findings;
}

export function render(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ name, capability, advice }) => {
    const { available, version = '', walls, packages, reason, fix } = capability;
    const named = Object.entries(packages).map(([key, value]) => `${key} ${value}`);
    return [
      `${available ? 'ok ' : 'no '} ${name}${version && ` (${version})`}`,
      ...(walls.length ? [`     isolation: ${walls.join(', ')}; every attack of the self-test failed`] : []),
      ...(named.length ? [`     packages: ${named.join(', ')}`] : []),
      ...(reason ? [`     ${reason}`] : []),
      ...(fix ? [`     repair: ${fix}`] : []),
      ...(advice ? [`     ${advice.text}: ${advice.command}`] : []),
    ];
  });
  return `${lines.join('\n')}\n`;
}

async function probe(runtime: Pick<CodeRuntime, 'probe' | 'close'>): Promise<Capability> {
  try {
    return await runtime.probe();
  } finally {
    await runtime.close();
  }
}

function pythonAdvice({ available, walls, packages }: Capability, pythonDir?: string): Pick<Finding, 'advice'> {
  if (!available || platform() !== 'linux') return {};
  if (Object.keys(packages).length < WANTED_MODULES.length)
    return { advice: { text: 'Some packages are missing', command: setupCommand(pythonDir) } };
  if (walls.includes('namespaces')) return {};
  const sudo = isRoot() ? '' : 'sudo ';
  if (!hasCommand('bwrap'))
    return { advice: { text: 'A second layer of isolation is missing', command: `${sudo}apt-get install bubblewrap` } };
  const command = `${sudo}sysctl kernel.apparmor_restrict_unprivileged_userns=0, or run outside a container`;
  return { advice: { text: 'bubblewrap is installed but cannot create namespaces', command } };
}
