import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GOOGLE, plannerFor } from '../src/backends/choose.ts';
import { openDirectory } from './directory.ts';

describe('a language model for what the rules cannot read', () => {
  /** Speaks OpenAI's protocol on loopback and answers with what it is given. */
  async function endpoint(answer: (prompt: string) => { status?: number; content: string }) {
    const asked: { prompt: string; authorization: string | undefined }[] = [];
    const addressed: { path: string | undefined; model: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const { model, messages } = JSON.parse(body);
        const prompt = messages.at(-1).content as string;
        addressed.push({ path: request.url, model });
        asked.push({ prompt, authorization: request.headers.authorization });
        const { status = 200, content } = answer(prompt);
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ choices: [{ message: { content } }] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { asked, addressed, llmUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
  }

  test("is Google's with a Gemini key alone, by its OpenAI-compatible protocol", async () => {
    const { asked, addressed, llmUrl } = await endpoint(() => ({ content: '{"steps":[]}' }));
    expect(GOOGLE.url).toBe('https://generativelanguage.googleapis.com/v1beta/openai');
    expect(plannerFor({})).toBeUndefined();
    const planner = plannerFor({ geminiApiKey: 'gemini' }, { ...GOOGLE, url: llmUrl })!;
    expect(await planner.plan('a riddle', 'the task')).toEqual({ steps: [] });
    expect(asked).toEqual([{ prompt: 'a riddle', authorization: 'Bearer gemini' }]);
    expect(addressed).toEqual([{ path: '/v1/chat/completions', model: 'gemini-2.5-flash' }]);
  });

  test('is asked only then, and its answer is carried out', async () => {
    const { asked, llmUrl } = await endpoint(() => ({
      content: '```json\n{"steps":[{"do":"show","item":{"name":"x"}}]}\n```',
    }));
    const { upload, ask } = await openDirectory({ llmUrl, llmApiKey: 'key' });
    await upload('x', [1]);
    expect(await ask("find tensor 'x'")).toMatch(/^Tensor 'x' found/);
    expect(asked).toEqual([]);
    expect(await ask('Zeig mir bitte das Ding namens x')).toMatch(/^Tensor 'x' found/);
    expect(asked).toEqual([{ prompt: 'Zeig mir bitte das Ding namens x', authorization: 'Bearer key' }]);
  });

  test.each([
    [{ content: '{"steps":[{"do":"delete","item":{"name":"x"}}]}' }, /^Error analyzing prompt: /],
    [{ content: 'Sure, here is a joke' }, /^Error analyzing prompt: /],
    [{ status: 500, content: '' }, /^Error analyzing prompt: /],
    [
      { content: '{"steps":[{"do":"search","what":"tensors","filter":{"createdAfter":"last week"}}]}' },
      /^Error analyzing prompt: 'last week' is not a date; give one such as 2024-01-31\.$/,
    ],
    [
      { content: '{"steps":[{"do":"count","what":"models","filter":{"createdBefore":"soon"}}]}' },
      /^Error analyzing prompt: 'soon' is not a date/,
    ],
    [{ content: '{"steps":[{"do":"show","item":{"step":1}}]}' }, /^Error analyzing prompt: .*later/],
    [{ content: '{"steps":[{"do":"show","item":{"name":"y"}}]}' }, /^Tensor 'y' not found\.$/],
    [{ content: '{"steps":[{"do":"run","model":"m","inputs":[{"tensor":{"name":"x"}}]}]}' }, /^Model 'm' not found\.$/],
    [{ content: '{"steps":[]}' }, /^The intent of your request is unclear/],
  ])('answers of %j lead to an honest sentence', async (content, sentence) => {
    const { llmUrl } = await endpoint(() => content);
    const { upload, call } = await openDirectory({ llmUrl });
    await upload('x', [1]);
    const { text, isError } = await call('query_tensor_directory', { prompt: 'tell me a joke' });
    expect(text).toMatch(sentence);
    expect(isError).toBe(text.startsWith('Error'));
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(1);
  });
});
