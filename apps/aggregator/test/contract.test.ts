import { fileURLToPath } from 'node:url';
import { contractSuite } from '@atoll-mcp/testing';
import { contract } from '../src/contract.ts';

contractSuite(contract, { packageDir: fileURLToPath(new URL('..', import.meta.url)) });
