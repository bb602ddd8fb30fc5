import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, chatAnswer, chatAnswerFrom, codes, modelId, toWire } from '../schemas.ts';

export const runPromptTemplate = defineTool({
  name: 'run_prompt_template',
  title: 'Run a prompt template',
  description:
    "Fills a template with values, as they are, and asks a model: the one given, else the template's, else the first that can chat. Missing values are named.",
  keywords: 'use or fill in a saved prompt; reusable, snippet',
  input: z.object({
    template_name: z.string().trim().min(1).max(200).describe('Name of the template'),
    variables: z.record(z.string(), z.unknown()).describe('Values by variable'),
    model: modelId.optional().describe("Model instead of the template's"),
  }),
  output: chatAnswer.extend({ template_name: z.string(), prompt: z.string() }),
  annotations: asksModel,
  errors: [...codes.required, ...codes.service, ...codes.model, ...codes.files],
  async run({ template_name, variables, model }, { service, signal, progress }) {
    const { reply, ...filled } = await service.templates.run(template_name, variables, model, { signal, progress });
    return { ...toWire(filled), ...chatAnswerFrom(reply) };
  },
});
