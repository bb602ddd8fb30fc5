import { connectInMemory, originalSuite } from '@atoll-mcp/testing';
import { expect, onTestFinished } from 'vitest';
import { createMstyServer } from '../src/index.ts';
import { closedPorts, modelService, whole } from './fixtures/model-service.ts';
import { emptyHome, studioHome } from './fixtures/studio.ts';

const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const succeeded = (data: unknown) => ({ success: true, data, message: expect.any(String), timestamp: stamp });
const failed = (code: string, message: unknown, suggestion: unknown) => ({
  success: false,
  error: { code, message, suggestion },
  timestamp: stamp,
});

const MODEL = 'llama-3.3-70b-instruct';
const model = { models: [MODEL], chat: whole("Here's my answer...") };

async function connect(home: string, service?: Parameters<typeof modelService>[0]) {
  const [aiPort, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort] = await closedPorts();
  const running = service && (await modelService(service));
  const ports = { aiPort: running?.port ?? aiPort, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort };
  const server = createMstyServer({ home, ...ports, timeout: 30, dataDir: `${home}/atoll` });
  onTestFinished(() => server.close());
  return connectInMemory(server);
}

originalSuite('Msty Admin without Msty', () => connect(emptyHome()), [
  {
    title: 'the error response',
    calls: [
      {
        tool: 'read_msty_database',
        arguments: { query_type: 'stats' },
        answer: failed(
          'DATABASE_NOT_FOUND',
          'Msty database not found at expected location',
          'Run detect_msty_installation first to verify paths',
        ),
        isError: true,
      },
    ],
  },
  {
    title: 'detect_msty_installation finds nothing',
    calls: [
      {
        tool: 'detect_msty_installation',
        arguments: {},
        answer: succeeded({
          installed: false,
          version: null,
          is_running: expect.toSatisfy((value) => value === null || typeof value === 'boolean'),
          paths: { app: null, data: null, database: null },
          platform_info: {
            system: expect.any(String),
            machine: expect.any(String),
            is_apple_silicon: expect.any(Boolean),
          },
        }),
      },
    ],
  },
]);

originalSuite('Msty Admin', () => connect(studioHome().home, model), [
  {
    title: 'detect_msty_installation',
    calls: [
      {
        tool: 'detect_msty_installation',
        arguments: {},
        answer: succeeded({
          installed: true,
          version: null,
          is_running: expect.toSatisfy((value) => value === null || typeof value === 'boolean'),
          paths: {
            app: null,
            data: '$HOME/.config/MstyStudio',
            database: '$HOME/.config/MstyStudio/File System/000/t/00/00000000',
          },
          platform_info: {
            system: expect.any(String),
            machine: expect.any(String),
            is_apple_silicon: expect.any(Boolean),
          },
        }),
      },
    ],
  },
  {
    title: 'analyse_msty_health',
    calls: [
      {
        tool: 'analyse_msty_health',
        arguments: {},
        answer: succeeded({
          overall_status: 'healthy',
          database_status: { exists: true, size_mb: expect.any(Number), integrity: 'ok' },
          service_status: {
            local_ai: { available: true, port: expect.any(Number) },
            mlx: { available: false, port: expect.any(Number) },
            llamacpp: { available: false, port: expect.any(Number) },
            vibe_proxy: { available: false, port: expect.any(Number) },
            ollama: { available: false, port: expect.any(Number) },
            lm_studio: { available: false, port: expect.any(Number) },
          },
          recommendations: [],
        }),
      },
    ],
  },
  {
    title: 'chat_with_local_model',
    calls: [
      {
        tool: 'chat_with_local_model',
        arguments: { message: 'Hello' },
        answer: succeeded({
          response: "Here's my answer...",
          model: MODEL,
          tokens: { prompt: 45, completion: 128, total: 173 },
          timing: { total_ms: expect.any(Number), tokens_per_second: expect.any(Number) },
        }),
      },
    ],
  },
  {
    title: 'find_model_by_tag, with every tag of the seed',
    calls: [
      ...['fast', 'coding', 'creative', 'reasoning', 'embedding', 'vision', 'long_context', 'medium', 'small'].map(
        (tag) => ({
          tool: 'find_model_by_tag',
          arguments: { tag },
          answer: succeeded({ tag, models: [], count: 0 }),
        }),
      ),
      ...['quality', 'large', 'general'].map((tag) => ({
        tool: 'find_model_by_tag',
        arguments: { tag },
        answer: succeeded({ tag, models: [expect.objectContaining({ id: MODEL, _service: 'local_ai' })], count: 1 }),
      })),
    ],
  },
  {
    title: 'benchmark_model',
    calls: [
      {
        tool: 'benchmark_model',
        arguments: { model_id: MODEL, num_runs: 1 },
        answer: succeeded({
          model_id: MODEL,
          results: [50, 200, 500].map((prompt_length) => ({
            prompt_length,
            avg_tokens_per_sec: expect.any(Number),
            avg_latency_ms: expect.any(Number),
          })),
          overall_avg_tokens_per_sec: expect.any(Number),
          rating: expect.any(String),
          token_counts: 'service',
          failed_runs: 0,
        }),
      },
    ],
  },
  {
    title: 'create_prompt_template and run_prompt_template',
    calls: [
      {
        tool: 'create_prompt_template',
        arguments: {
          name: 'code-review',
          template:
            'Review this {{language}} code for {{focus}}:\n\n```{{language}}\n{{code}}\n```\n\nProvide specific suggestions.',
          description: 'Code review template',
          category: 'coding',
        },
        answer: succeeded(
          expect.objectContaining({
            name: 'code-review',
            category: 'coding',
            variables: ['language', 'focus', 'code'],
          }),
        ),
      },
      {
        tool: 'run_prompt_template',
        arguments: {
          template_name: 'code-review',
          variables: { language: 'Rust', focus: 'safety', code: 'fn main() {}' },
        },
        answer: succeeded(
          expect.objectContaining({
            response: "Here's my answer...",
            prompt: 'Review this Rust code for safety:\n\n```Rust\nfn main() {}\n```\n\nProvide specific suggestions.',
          }),
        ),
      },
    ],
  },
]);
