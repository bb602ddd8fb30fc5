/** The answer of a user who was asked to confirm; `unavailable` when the client cannot ask its user. */
export type Confirmation = 'accepted' | 'declined' | 'unavailable';

/** Ends a run whose user has to be asked first. The edge asks, and runs the tool again with the answer. */
export class ConfirmationRequired extends Error {
  override readonly name = 'ConfirmationRequired';
}
