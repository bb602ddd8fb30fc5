import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeSession } from '../interface.ts';

/** Attacks that must fail before a runtime is trusted. A kernel that silently ignores a rule is noticed here. */
const ATTACKS: Readonly<Record<string, string>> = {
  'read a file': 'open(CANARY).read()',
  'write a file': "open(CANARY + '.new', 'w')",
  'list a folder': 'os.listdir(os.path.dirname(CANARY))',
  'open a socket': 'socket.socket()',
  'reach a service on this machine': "socket.create_connection(('127.0.0.1', PORT), 2)",
  'start a process': 'os.fork() or os._exit(0)',
  'run a program': "os.execv('/bin/true', ['true'])",
  'signal its parent': 'os.kill(os.getppid(), 0)',
  'trace a process': 'denied(libc.ptrace(16, os.getppid(), 0, 0))',
  'make a namespace': 'denied(libc.unshare(0x10000000))',
  'raise a limit': 'resource.setrlimit(resource.RLIMIT_AS, (-1, -1))',
  'see the environment': 'denied(0 if os.environ else -1)',
};

/** The attacks that got through. */
export async function selfTest(session: CodeSession): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-canary-'));
  const server = createServer((socket) => socket.end());
  try {
    // Anybody may read it, so only the sandbox can stop the code.
    await chmod(folder, 0o755);
    const canary = join(folder, 'canary');
    await writeFile(canary, randomBytes(8).toString('hex'), { mode: 0o644 });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { ok, stdout, failure } = await session.run(script(canary, portOf(server)), { timeoutMs: 30_000 });
    if (!ok) return [`finish the self-test (${failure?.message})`];
    const lines = new Set(stdout.split('\n'));
    return Object.keys(ATTACKS).filter((name) => !lines.has(`held: ${name}`));
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const portOf = (server: Server) => (server.address() as { port: number }).port;

function script(canary: string, port: number): string {
  const attacks = Object.entries(ATTACKS).map(([name, code]) => `attempt(${JSON.stringify(name)}, lambda: ${code})`);
  return `
import ctypes, os, resource, socket
CANARY, PORT = ${JSON.stringify(canary)}, ${port}
libc = ctypes.CDLL(None)
def denied(result):
    if result < 0: raise OSError
def attempt(name, attack):
    try: attack()
    except (OSError, ValueError): print('held:', name)
${attacks.join('\n')}
`;
}
