import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, toWire } from '../schemas.ts';

export const scanDatabaseLocations = defineTool({
  name: 'scan_database_locations',
  title: 'Scan database locations',
  description:
    'Looks through every folder that Msty uses or used for files that could hold data, and says what each SQLite file is and which one is read. Use it when the database is not found.',
  keywords: 'where data is kept on disk; search for SQLite files; lost database, path',
  input: z.object({}),
  output: z.object({
    locations: z.array(
      z.object({
        path: z.string(),
        exists: z.boolean(),
        files: z.array(z.object({ path: z.string(), size_bytes: z.int() })),
      }),
    ),
    databases: z.array(z.object({ path: z.string(), kind: z.string(), size_mb: z.number(), chosen: z.boolean() })),
    database: z.string().nullable(),
    recommendations: z.array(z.string()),
  }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service }) {
    const scanned = await service.installation.scan();
    return {
      ...toWire(scanned),
      locations: scanned.locations.map(({ path, exists, files }) => ({ path, exists, files: files.map(toWire) })),
      databases: scanned.databases.map(toWire),
    };
  },
});
