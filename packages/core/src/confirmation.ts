import type { Json } from './json.ts';

/** The answer of a user who was asked to confirm; `unavailable` when the client cannot ask its user. */
export type Confirmation = 'accepted' | 'declined' | 'unavailable';

/** Ends a run that needs the user's confirmation. The transport asks the user and runs the tool again with the answer. */
export class ConfirmationRequired extends Error {
  override readonly name = 'ConfirmationRequired';
}

/** Ends a call that needs input from the client. It arrives in a later request with the same arguments and this state. */
export class InputRequired extends Error {
  override readonly name = 'InputRequired';
  readonly inputRequests: Json;
  readonly requestState: string;

  constructor(inputRequests: Json, requestState: string) {
    super('The client has to answer first');
    this.inputRequests = inputRequests;
    this.requestState = requestState;
  }
}
