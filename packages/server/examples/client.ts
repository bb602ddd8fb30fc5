import { clientFor, type MessageTransport } from '@atoll-mcp/server';
import { contract } from './greeter.ts';

/** Arguments, outputs and error codes have the contract's types. */
export async function greetOver(transport: MessageTransport, name: string): Promise<string> {
  const client = await clientFor(contract, transport);
  try {
    const { greeting } = await client.call('greet', { name });
    return greeting;
  } catch (error) {
    if (client.isFailureOf('greet', error) && error.code === 'NO_NAME') return `Refused: ${error.message}`;
    throw error;
  } finally {
    await client.close();
  }
}
