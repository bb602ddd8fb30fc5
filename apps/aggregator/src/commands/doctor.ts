import { silentLogger } from '@atoll-mcp/core';
import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { createAtollServer } from '../server.ts';
import { checkPort } from './check-port.ts';
import { parseWords, print } from './cli-io.ts';
import { checkFolder, checkNode, checkRuntimes, checkUpstream, type Finding } from './findings.ts';

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
    if (parseWords(argv, []).flags.has('json')) print(JSON.stringify({ ok: isFine, findings }));
    else for (const finding of findings) show(finding);
    return isFine ? 0 : 1;
  },
});

function show({ what, isFine, detail, repair }: Finding): void {
  print(`${isFine ? 'ok' : 'no'}  ${what}${detail === undefined ? '' : `: ${detail}`}`);
  if (repair !== undefined) print(`    repair: ${repair}`);
}

/** Starts every upstream once. */
async function checkUpstreams(config: AggregatorConfig, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const app = createAtollServer({ ...config, auditFile: undefined, pinning: 'off' }, { env, log: silentLogger });
  try {
    await app.begun();
    return await Promise.all(app.supervisors.map(checkUpstream));
  } finally {
    await app.close();
  }
}
