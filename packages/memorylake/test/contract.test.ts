import { fileURLToPath } from 'node:url';
import { contractSuite, layerSuite } from '@atoll-mcp/testing';
import { contract } from '../src/contract.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

contractSuite(contract, { packageDir });
layerSuite(packageDir);
