import { randomBytes } from 'node:crypto';

/** Twenty letters and digits that nobody guesses. */
export const shortId = (): string => randomBytes(10).toString('hex');
