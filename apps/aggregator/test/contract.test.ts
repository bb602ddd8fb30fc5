import { fileURLToPath } from 'node:url';
import { contractSuite } from '@atoll-mcp/testing';
import { adminContract } from '../src/admin/contract.ts';
import { contract } from '../src/contract.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));
contractSuite(contract, { packageDir });
contractSuite(adminContract, { packageDir, toolsDir: 'src/admin/tools' });
