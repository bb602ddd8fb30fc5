import { safeName } from '../catalog/naming.ts';
import { adviceFor, type UpstreamPin } from './upstream-pin.ts';

const MAX_SHOWN = 50;

/** What `atoll_status` tells about a server's definitions: our own words and safe names, because a model reads them. */
export function pinStatus(key: string, pin: UpstreamPin | undefined) {
  const { state, comparison, problem, suspicions, heldBack } = pin?.report ?? {};
  if (!state || !suspicions || !heldBack || (state === 'unknown' && problem === undefined)) return {};
  const changes = (comparison?.tools ?? []).slice(0, MAX_SHOWN);
  return {
    definitions: {
      state,
      held_back: heldBack.length,
      ...(comparison?.isOtherServer && { is_other_server: true }),
      ...(changes.length > 0 && { changes: changes.map(({ kind, tool }) => `${safeName(tool)}: ${kind}`) }),
      ...(suspicions.length > 0 && {
        warnings: suspicions.slice(0, MAX_SHOWN).map(({ tool, message }) => `${safeName(tool)}: ${message}`),
      }),
      ...(problem !== undefined && { problem }),
      ...(state === 'changed' && { advice: adviceFor(key) }),
    },
  };
}
