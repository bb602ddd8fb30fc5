import type { PythonRuntimeOptions, Wall } from '../interface.ts';
import { ownCommand } from '../own-command.ts';
import type { JailOptions } from './jail.ts';
import { selfTest } from './self-test.ts';
import type { PythonSession } from './session.ts';
import { isRoot } from './setup/places.ts';
import { Zygote } from './zygote.ts';

export type Started = { zygote: Zygote; walls: readonly Wall[] } | { reason: string; fix: string };

/** Starts the parent inside bubblewrap if that works, else without it, and trusts neither before it was attacked. */
export async function startZygote(
  options: Omit<JailOptions, 'workDir' | 'bubblewrap'>,
  bubblewrap: NonNullable<PythonRuntimeOptions['bubblewrap']>,
  open: (zygote: Zygote) => PythonSession,
): Promise<Started> {
  const ways = { auto: [true, false], required: [true], off: [false] }[bubblewrap];
  const problems: string[] = [];
  for (const jailed of ways) {
    const name = jailed ? 'bubblewrap' : 'lockdown';
    try {
      const zygote = await Zygote.start({ ...options, bubblewrap: jailed });
      const problem = await attack(zygote, open);
      if (!problem) return { zygote, walls: walls(jailed) };
      problems.push(`${name}: ${problem}`);
      await zygote.stop();
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  return {
    reason: `No sandbox for Python works here (${problems.join('; ')})`,
    fix: `Linux 5.13 or newer with Landlock is needed; "${ownCommand(['doctor'])}" shows what is missing`,
  };
}

async function attack(zygote: Zygote, open: (zygote: Zygote) => PythonSession): Promise<string | undefined> {
  const session = open(zygote);
  try {
    const through = await selfTest(session);
    return through.length > 0 ? `untrusted code could ${through.join(', ')}` : undefined;
  } finally {
    await session.end('closed');
  }
}

function walls(jailed: boolean): Wall[] {
  const unprivileged: Wall[] = isRoot() ? ['unprivileged'] : [];
  return jailed ? ['namespaces', ...unprivileged] : unprivileged;
}
