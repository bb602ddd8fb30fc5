import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, toWire } from '../schemas.ts';

export const analyseMstyHealth = defineTool({
  name: 'analyse_msty_health',
  title: 'Analyse health',
  description:
    'Checks installation, database integrity and all local services, and recommends what to do. Use it first when a user says that something does not work.',
  keywords: 'diagnose problems: broken, failing, not working, errors; status check, troubleshoot',
  input: z.object({}),
  output: z.object({
    overall_status: z.enum(['healthy', 'warning', 'critical']),
    database_status: z.object({
      exists: z.boolean(),
      size_mb: z.number().nullable(),
      integrity: z.enum(['ok', 'damaged', 'unknown']).nullable(),
    }),
    service_status: z.record(z.string(), z.object({ available: z.boolean(), port: z.int() })),
    recommendations: z.array(z.string()),
  }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service, signal }) {
    const { databaseStatus, ...health } = await service.installation.health(signal);
    return { ...toWire(health), database_status: toWire(databaseStatus) };
  },
});
