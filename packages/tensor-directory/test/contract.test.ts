import { contractSuite, layerSuite } from '@atoll-mcp/testing';
import { contract } from '../src/contract.ts';

const packageDir = new URL('..', import.meta.url).pathname;

contractSuite(contract, { packageDir });
layerSuite(packageDir);
