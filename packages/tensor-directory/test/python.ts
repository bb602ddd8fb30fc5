import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { requires } from '../../../tooling/test/needs.mjs';

const runtime = createPythonRuntime();
const { available } = await runtime.probe();
await runtime.close();

/** Options of a test or a suite that runs Python models, or compares with NumPy. */
export const needsPython = requires(available, 'python');
