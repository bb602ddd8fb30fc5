import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { byService, byServiceFrom, codes, looks, toWire } from '../schemas.ts';

export const getSidecarStatus = defineTool({
  name: 'get_sidecar_status',
  title: 'Show local services',
  description:
    'Asks every local AI service (Local AI, MLX, LLaMA.cpp, Ollama, LM Studio, Vibe proxy) and says which answer, on which port and with how many models.',
  keywords: 'is Ollama, LM Studio, MLX or llama.cpp running; up, online, reachable; port',
  input: z.object({}),
  output: z.object({ available_count: z.int(), by_service: byService }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service, signal }) {
    const status = await service.services.status(signal);
    return { ...toWire(status), by_service: byServiceFrom(status.byService) };
  },
});
