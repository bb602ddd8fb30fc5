import { z } from 'zod';

/**
 * A field that the service checks by itself, because zod would be too slow for it (millions of numbers).
 * `schema` is what clients are shown. Presence is still checked unless `optional` is asked for.
 */
export function unchecked(schema: z.core.JSONSchema.BaseSchema, description: string) {
  return z
    .unknown()
    .refine((value) => value !== undefined, 'is required')
    .meta({ ...schema, description });
}
