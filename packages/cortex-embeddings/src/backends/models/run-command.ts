/** A program that failed: the message is its last lines, `output` all that it wrote at the end. */
export class CommandFailed extends Error {
  readonly output: string;

  constructor(command: string, code: number | null, output: string) {
    super(lastLines(output) || `${command} ended with code ${code}`);
    this.output = output;
  }
}

/** Runs a program of the user's with their environment; rejects with CommandFailed. */
export async function runCommand(command: string, args: readonly string[], signal?: AbortSignal): Promise<void> {
  // On Windows npm and pip are scripts, which only a shell starts; no argument here comes from a user.
  const shell = process.platform === 'win32';
  // Loaded when used: importing the contract must not load it.
  const { spawn } = await import('node:child_process');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, shell });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new CommandFailed(command, code, output);
}

/** The first program that there is, asked for its version. */
export async function firstCommand<Command extends readonly [string, ...string[]]>(
  commands: readonly Command[],
): Promise<Command | undefined> {
  for (const command of commands) {
    const [program, ...args] = command;
    const isThere = await runCommand(program, [...args, '--version']).then(
      () => true,
      () => false,
    );
    if (isThere) return command;
  }
  return undefined;
}

const lastLines = (text: string) => text.trim().split('\n').slice(-3).join(' ').slice(0, 500);
