import { randomBytes } from 'node:crypto';

/** Twenty letters and digits that cannot be guessed. */
export const shortId = (): string => randomBytes(10).toString('hex');
