import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, toWire } from '../schemas.ts';

export const detectMstyInstallation = defineTool({
  name: 'detect_msty_installation',
  title: 'Detect Msty Studio',
  description:
    'Says whether Msty Studio is installed and runs (null if unknown), its version, and where app, data and database are. Start here when something is not found.',
  keywords: 'is the app there, installed, running; find its folder; set-up',
  input: z.object({}),
  output: z.object({
    installed: z.boolean(),
    version: z.string().nullable(),
    is_running: z.boolean().nullable(),
    paths: z.object({ app: z.string().nullable(), data: z.string().nullable(), database: z.string().nullable() }),
    platform_info: z.object({ system: z.string(), machine: z.string(), is_apple_silicon: z.boolean() }),
  }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service }) {
    const { platform, ...installation } = await service.installation.detect();
    return { ...toWire(installation), platform_info: toWire(platform) };
  },
});
