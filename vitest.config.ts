import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Rooms without processes, servers or global state: their files share one loaded program, which is most of the time. */
const PURE = ['core', 'ingress', 'facts', 'policy', 'session', 'grants', 'layers', 'judges'].map((room) => `src/${room}/**/*.test.ts`)

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One more than cores: files wait for processes, servers and browsers more than they compute.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { extends: true, test: { name: 'pure', include: [...PURE, 'console/src/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: { name: 'real', include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], exclude: PURE },
      },
    ],
  },
})
