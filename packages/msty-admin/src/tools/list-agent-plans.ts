import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listAgentPlans = defineTool({
  name: 'list_agent_plans',
  title: 'List agent plans',
  description: "Lists Msty Studio's plans of agent mode, newest first.",
  keywords: 'to-do lists, tasks of agents, workflows',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('agent_plans', limit)),
});
