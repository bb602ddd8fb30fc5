import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidParams, type Json, type RequestContext } from '@atoll-mcp/core';
import { type EverythingTool, says, text } from './everything-tools.ts';

interface Question {
  readonly method: string;
  readonly params: Json;
}

const NAME = { type: 'string' };

export function elicit(message: string, properties: Json): Question {
  const requestedSchema = { type: 'object', properties, required: Object.keys(properties) };
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

const sample = (words: string, maxTokens: number): Question => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(words) }], maxTokens },
});

const roots: Question = { method: 'roots/list', params: {} };

const secret = randomBytes(32);

/** A state that only this process can have written. */
function sealed(state: string): string {
  return `${state}.${createHmac('sha256', secret).update(state).digest('base64url')}`;
}

function unsealed(requestState: string | undefined): string {
  const state = requestState?.slice(0, requestState.lastIndexOf('.')) ?? '';
  const expected = Buffer.from(sealed(state));
  const given = Buffer.from(requestState ?? '');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidParams('requestState is not from this server');
  }
  return state;
}

/** Asks until every question has been answered in the form it was put. */
export async function asking(
  questions: Record<string, Question>,
  request: RequestContext,
  then: (answers: Record<string, Json>) => Json,
  state?: string,
): Promise<Json> {
  const answers = (request.inputResponses ?? {}) as Record<string, Json>;
  if (state !== undefined && request.inputResponses) unsealed(request.requestState);
  const open = Object.entries(questions).filter(([key, question]) => !isAnswer(answers[key], question));
  if (open.length === 0) return then(answers);
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(open),
    ...(state !== undefined && { requestState: sealed(state) }),
  };
}

function isAnswer(answer: Json | undefined, { method }: Question): boolean {
  if (method === 'elicitation/create') return typeof answer?.action === 'string';
  if (method === 'roots/list') return Array.isArray(answer?.roots);
  return answer?.content !== undefined;
}

const told = (answers: unknown) => says(text(`Answered: ${JSON.stringify(answers)}`));
const formOf = (answer: Json | undefined) => (answer?.content ?? {}) as Json;

/** Tools that answer with a question first. */
export const inputRequiredTools: Record<string, EverythingTool> = {
  test_input_required_result_elicitation: {
    description: 'Asks for a name',
    call: async (_args, request) =>
      asking({ user_name: elicit('What is your name?', { name: NAME }) }, request, ({ user_name }) =>
        says(text(`Hello, ${String(formOf(user_name).name)}!`)),
      ),
  },
  test_input_required_result_sampling: {
    description: 'Asks the model of the client',
    call: async (_args, request) =>
      asking({ capital_question: sample('What is the capital of France?', 100) }, request, told),
  },
  test_input_required_result_list_roots: {
    description: 'Asks for the roots of the client',
    call: async (_args, request) => asking({ client_roots: roots }, request, told),
  },
  test_input_required_result_request_state: {
    description: 'Gives the client a state to bring back',
    call: async (_args, request) =>
      asking({ confirm: confirmation }, request, () => says(text('state-ok')), 'waiting for a confirmation'),
  },
  test_input_required_result_tampered_state: {
    description: 'Takes back only the state that it gave',
    call: async (_args, request) => asking({ confirm: confirmation }, request, told, 'sealed'),
  },
  test_input_required_result_multiple_inputs: {
    description: 'Asks for three things at once',
    call: async (_args, request) => {
      const user_name = elicit('What is your name?', { name: NAME });
      const greeting = sample('Generate a greeting', 50);
      return asking({ user_name, greeting, client_roots: roots }, request, told, 'three at once');
    },
  },
  test_input_required_result_multi_round: {
    description: 'Asks twice, one after the other',
    call: async (_args, request) => {
      const isSecond = request.inputResponses && unsealed(request.requestState) === 'second';
      const step1 = elicit('Step 1: What is your name?', { name: NAME });
      const step2 = elicit('Step 2: What is your favorite color?', { color: { type: 'string' } });
      if (isSecond) return asking({ step2 }, request, told, 'second');
      return asking({ step1 }, request, () => second(step2), 'first');
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks only for what the client offers',
    call: async (_args, request) => {
      const { elicitation, sampling } = request.capabilities;
      const questions = {
        ...(elicitation !== undefined && { user_name: elicit('What is your name?', { name: NAME }) }),
        ...(sampling !== undefined && { greeting: sample('Generate a greeting', 50) }),
      };
      return asking(questions, request, told);
    },
  },
  test_streaming_elicitation: {
    description: 'Reports progress and then asks',
    call: async (_args, request) => {
      await request.notify('notifications/progress', { progress: 1, total: 2 });
      return asking({ user_name: elicit('What is your name?', { name: NAME }) }, request, told);
    },
  },
};

const confirmation = elicit('Please confirm', { ok: { type: 'boolean' } });

function second(step2: Question): Json {
  return { resultType: 'input_required', inputRequests: { step2 }, requestState: sealed('second') };
}

/** Tools that ask older clients while they wait, and others as the tools above do. */
export const askingTools: Record<string, EverythingTool> = {
  test_sampling: {
    description: 'Asks the model of the client',
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    call: async ({ prompt }, request) =>
      askingNow(request, sample(String(prompt), 100), ({ content }) =>
        says(text(`LLM response: ${String((content as Json).text)}`)),
      ),
  },
  test_elicitation: {
    description: 'Asks the user',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    call: async ({ message }, request) => {
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      return askingNow(request, elicit(String(message), properties), ({ action, content }) =>
        says(text(`User response: <action: ${String(action)}, content: ${JSON.stringify(content)}>`)),
      );
    },
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks the user, with an answer to each question already filled in',
    call: async (_args, request) =>
      completed(request, {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks the user to choose, in every way there is',
    call: async (_args, request) => {
      const options = ['option1', 'option2', 'option3'];
      const titled = [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ];
      const enumNames = ['Option One', 'Option Two', 'Option Three'];
      return completed(request, {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      });
    },
  },
};

async function completed(request: RequestContext, properties: Json): Promise<Json> {
  const requestedSchema = { type: 'object', properties, required: [] };
  const question = { method: 'elicitation/create', params: { message: 'Please fill this in', requestedSchema } };
  return askingNow(request, question, ({ action, content }) =>
    says(text(`Elicitation completed: action=${String(action)}, content=${JSON.stringify(content)}`)),
  );
}

async function askingNow(request: RequestContext, question: Question, then: (answer: Json) => Json): Promise<Json> {
  if (request.ask) return then(await request.ask(question.method, question.params));
  return asking({ answer: question }, request, ({ answer }) => then(answer ?? {}));
}
