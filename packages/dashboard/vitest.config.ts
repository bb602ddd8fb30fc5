import { defineConfig } from 'vitest/config';

// The page's own configuration has its root in web/, where there are no tests.
export default defineConfig({ test: { include: ['test/**/*.test.ts'] } });
