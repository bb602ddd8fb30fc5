import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, chatAnswer, chatAnswerFrom, codes, modelId, toWire } from '../schemas.ts';

export const runPromptTemplate = defineTool({
  name: 'run_prompt_template',
  title: 'Run a prompt template',
  description:
    'Fills a template with values and asks a model: the one given, else the preferred one of the template, else the first that can chat. Missing values are named. Values are put in as they are.',
  input: z.object({
    template_name: z.string().trim().min(1).max(200).describe('Name of template to run'),
    variables: z.record(z.string(), z.unknown()).describe('Variable values to substitute'),
    model: modelId.optional().describe('Override model'),
  }),
  output: chatAnswer.extend({ template_name: z.string(), prompt: z.string() }),
  annotations: asksModel,
  errors: [...codes.required, ...codes.service, ...codes.model, ...codes.files],
  async run({ template_name, variables, model }, { service, signal, progress }) {
    const { reply, ...filled } = await service.templates.run(template_name, variables, model, { signal, progress });
    return { ...toWire(filled), ...chatAnswerFrom(reply) };
  },
});
