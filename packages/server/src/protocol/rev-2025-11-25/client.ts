import { type ClientCodec, clientMeta } from '../shared/client-codec.ts';
import { isInputRequired } from '../shared/input-required.ts';
import { ENVELOPE } from '../shared/revisions.ts';

export const client2025: ClientCodec = {
  era: 'legacy',
  probe: 'ping',
  requestParams({ params, context }) {
    const meta = context && clientMeta(context.meta, ENVELOPE);
    return meta ? { ...params, _meta: meta } : params;
  },
  isComplete: (result) => !isInputRequired(result),
};
