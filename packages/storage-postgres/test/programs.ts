import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectStdio } from '@atoll-mcp/testing';

export type TestClient = Awaited<ReturnType<typeof connectStdio>>;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = join(root, 'packages/storage-postgres');

/** The built program of a package, below `packages` or `apps`. */
export const programOf = (place: string) => join(root, place, 'dist/cli.js');

/** Built programs, each with a data folder of its own, on one shared storage. */
export class Programs {
  readonly #folder = mkdtempSync(join(tmpdir(), 'atoll-programs-'));
  readonly #clients: TestClient[] = [];
  readonly #children: ChildProcess[] = [];
  #started = 0;

  newFolder(): string {
    return join(this.#folder, String(this.#started++));
  }

  /** Starts one that speaks over stdio. The driver is found from where it runs, as when it is installed beside it. */
  async connect(place: string, args: readonly string[], env: Record<string, string> = {}): Promise<TestClient> {
    const client = await connectStdio({
      command: process.execPath,
      args: [programOf(place), ...this.#withFolder(args)],
      cwd: here,
      env: { PATH: process.env.PATH ?? '', HOME: this.#folder, ...env },
    });
    this.#clients.push(client);
    return client;
  }

  /** Starts one that listens on a free port, and returns its address. */
  async listen(place: string, args: readonly string[]): Promise<string> {
    const all = [programOf(place), '--http', '--port', '0', ...this.#withFolder(args)];
    const child = spawn(process.execPath, all, {
      cwd: here,
      env: { PATH: process.env.PATH, HOME: this.#folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#children.push(child);
    for await (const line of createInterface({ input: child.stderr })) {
      const url = /"url":"([^"]+)"/.exec(line)?.[1];
      if (url) {
        // What it says later is of no interest, but has to go somewhere.
        child.stderr.resume();
        return url;
      }
    }
    throw new Error(`${place} ended before it listened`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    for (const child of this.#children) {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #withFolder(args: readonly string[]): readonly string[] {
    return args.includes('--data-dir') ? args : ['--data-dir', this.newFolder(), ...args];
  }
}

/** What a tool answered, or an error with its words. */
export async function call(client: TestClient, name: string, args: Record<string, unknown>): Promise<unknown> {
  const answer = await client.callTool({ name, arguments: args });
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent;
}
