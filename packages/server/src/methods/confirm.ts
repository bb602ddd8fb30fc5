import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Confirmation, ConfirmationRequired, isObject, type Json, type RequestContext } from '@atoll-mcp/core';
import { inputRequired, missingCapability } from '../protocol/shared/input-required.ts';

const METHOD = 'elicitation/create';
const secret = randomBytes(32);

/** How a tool asks the user of one call. An answer counts only for the question and the arguments that it was given to. */
export function confirmer(params: Json, request: RequestContext): (message: string) => Promise<Confirmation> {
  return async (message) => {
    const answer = request.inputResponses?.confirm;
    if (isObject(answer) && isOwnState(request.requestState, stateOf(params, message))) {
      const isAccepted = answer.action === 'accept' && isObject(answer.content) && answer.content.confirm === true;
      return isAccepted ? 'accepted' : 'declined';
    }
    const canAsk = request.era === 'modern' || request.ask !== undefined;
    if (!canAsk || missingCapability({ method: METHOD }, request.capabilities)) return 'unavailable';
    throw new ConfirmationRequired(message);
  };
}

/** The result that asks the user; the edge brings the answer back. */
export function confirmationQuestion(params: Json, { message }: ConfirmationRequired): Json {
  const requestedSchema = {
    type: 'object',
    properties: { confirm: { type: 'boolean', title: 'Confirm', description: message, default: false } },
    required: ['confirm'],
  };
  const confirm = { method: METHOD, params: { message, requestedSchema } };
  return inputRequired({ confirm }, stateOf(params, message));
}

function stateOf({ name, arguments: args }: Json, message: string): string {
  const question = JSON.stringify([name, args ?? {}, message]);
  return createHmac('sha256', secret).update(question).digest('base64url');
}

function isOwnState(given: string | undefined, expected: string): boolean {
  const bytes = Buffer.from(given ?? '');
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
}
