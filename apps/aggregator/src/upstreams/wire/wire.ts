import type { RpcClient, Unsolicited } from './rpc-client.ts';

/** A connection to an upstream over which JSON-RPC flows, whatever carries it. */
export interface Wire {
  readonly client: RpcClient;
  readonly pid?: number | undefined;
  readonly stderrTail?: readonly string[];
  /** Told when the era is known, for carriers that behave differently in each. */
  settleOn?(handshake: { era: 'legacy' | 'modern'; protocolVersion: string }): void;
  close(): Promise<void>;
}

export interface WireEvents extends Unsolicited {
  /** The connection is gone and will not come back by itself. */
  onClose(why: string): void;
}
