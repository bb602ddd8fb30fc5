import type { RpcClient, Unsolicited } from './rpc-client.ts';

/** A JSON-RPC connection to an upstream over any transport. */
export interface Wire {
  readonly client: RpcClient;
  readonly pid?: number | undefined;
  readonly stderrTail?: readonly string[];
  /** Called when the era is known, for transports that behave differently in each. */
  onNegotiated?(handshake: { era: 'legacy' | 'modern'; protocolVersion: string }): void;
  close(): Promise<void>;
}

export interface WireEvents extends Unsolicited {
  /** The connection is closed and will not reconnect. */
  onClose(why: string): void;
}
