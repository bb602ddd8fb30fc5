import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, toWire } from '../schemas.ts';

export const getSystemResources = defineTool({
  name: 'get_system_resources',
  title: 'Show system resources',
  description: 'Shows processors, memory, disk and whether Msty runs, with advice for running models here.',
  keywords: 'RAM, CPU, GPU, free disk space, hardware of this computer; how much is left',
  input: z.object({}),
  output: z.object({
    cpu_count: z.int(),
    cpu_model: z.string().nullable(),
    load_average: z.array(z.number()),
    memory: z.object({ total_gb: z.number(), available_gb: z.number() }),
    disk: z.object({ total_gb: z.number().nullable(), free_gb: z.number().nullable() }),
    msty_running: z.boolean().nullable(),
    recommendations: z.array(z.string()),
  }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service }) {
    const { memory, disk, ...resources } = await service.system.resources();
    return { ...toWire(resources), memory: toWire(memory), disk: toWire(disk) };
  },
});
