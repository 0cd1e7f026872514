import { defineConfig } from 'vitest/config'

/** Rooms without processes, servers or global state: their files share one loaded program, which is most of the time. */
const PURE = ['core', 'ingress', 'facts', 'policy', 'session', 'grants', 'layers', 'judges'].map((room) => `src/${room}/**/*.test.ts`)

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    globalSetup: ['test/support/missing.ts'],
    // The runner would keep one core free; more than one for each makes browsers and servers miss their times.
    maxWorkers: '100%',
    projects: [
      { extends: true, test: { name: 'pure', include: [...PURE, 'console/src/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: { name: 'real', include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], exclude: PURE },
      },
    ],
  },
})
