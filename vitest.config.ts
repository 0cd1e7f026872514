import { defineConfig } from 'vitest/config'
import { CitationReporter } from './test/citations-run.ts'

export default defineConfig({
  test: {
    include: ['{src,console/src,test,scripts}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A requirement is proved by tests that ran.
    reporters: ['default', ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []), new CitationReporter()],
    globalSetup: ['test/support/missing.ts'],
    // Files share one loaded program, for loading it takes longer than most tests: they leave no variable, directory or patch behind.
    isolate: false,
    // The runner would keep one core free; more than one for each makes browsers and servers miss their times.
    maxWorkers: '100%',
    // What commands print is compared; a terminal or a CI of ours must not colour it.
    env: { NO_COLOR: '1' },
  },
})
