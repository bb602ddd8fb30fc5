import { type Envelope, plain } from '@atoll-mcp/core';
import { z } from 'zod';

const failed = z.object({ success: z.literal(false), message: z.string() });

/** `{success:true,…}` or `{success:false,message}`: deletes, updates and our own tools. */
export const successField: Envelope = {
  success: (output) => z.object({ success: z.literal(true) }).extend((output as z.ZodObject).shape),
  ok: (output) => ({ success: true, ...(output as object) }),
  failure: failed,
  fail: ({ message }) => ({ success: false, message }),
};

/** Uploads answer with their output as it is, or with `{error}`. */
export const errorField: Envelope = {
  ...plain,
  failure: z.object({ error: z.string() }),
  fail: ({ message }) => ({ error: message }),
};

/** A page as it is; only failures have a `success`. */
export const barePage: Envelope = { ...successField, success: plain.success, ok: plain.ok };

/** Lists fail with an empty page and a message. */
export const emptyPage = (rows: 'tensors' | 'models'): Envelope => ({
  ...plain,
  failure: z.object({
    [rows]: z.array(z.never()),
    total_items_in_collection: z.literal(0),
    offset: z.int(),
    limit: z.int(),
    message: z.string(),
  }),
  fail: ({ message }, { args }) => {
    const { offset, limit } = (args ?? {}) as { offset?: unknown; limit?: unknown };
    return {
      [rows]: [],
      total_items_in_collection: 0,
      offset: Number.isSafeInteger(offset) ? offset : 0,
      limit: Number.isSafeInteger(limit) ? limit : 100,
      message,
    };
  },
});

/** Success and failure are both sentences. */
export const sentence: Envelope = plain;
