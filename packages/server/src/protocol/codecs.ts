import type { Era } from '@atoll-mcp/core';
import { codec2025 } from './rev-2025-11-25/codec.ts';
import { codec2026 } from './rev-2026-07-28/codec.ts';
import type { Codec } from './shared/codec.ts';

export const codecOf = (era: Era): Codec => (era === 'modern' ? codec2026 : codec2025);
