import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { CitationReporter } from './test/citations-run.ts'

/**
 * No test asks a server with a certificate of others, and Node reads all of these at each start: a process that does nothing takes three
 * times as long. What starts Node thousands of times is not to wait for that.
 */
delete process.env.NODE_EXTRA_CA_CERTS

/**
 * A bash that finds a socket at its standard input, as Node gives it one, and no shell above it takes itself for one that was started from
 * afar, and reads `~/.bashrc`: what stands there is no part of a test, and may take a hundred times as long as the command.
 */
process.env.SHLVL = '1'

/** Files beside the sources that take as long as those which start processes: the last of a run has a core to itself, and wastes the other. */
const LONG = [/\/src\/open-/, /\/src\/cli\/program\//, /\/scripts\//, /\/src\/sandbox\//, /-flood\.test/, /\/channels\/redaction\.test/]

/** What starts processes and browsers takes longest, and longer the more a worker has loaded: it comes first. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const starts = ({ moduleId }: TestSpecification) => moduleId.includes('/test/') || LONG.some((name) => name.test(moduleId))
    return [...sorted.filter(starts), ...sorted.filter((file) => !starts(file))]
  }
}

export default defineConfig({
  test: {
    include: ['{src,console/src,test,scripts}/**/*.test.ts'],
    // Ends what hangs, and says nothing about speed: a loaded machine takes ten times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Young objects get as much room from the start as they get in the end, and twice that: less is copied, for a twentieth of the time.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    // A requirement is proved by tests that ran.
    reporters: ['default', ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []), new CitationReporter()],
    globalSetup: ['test/support/missing.ts'],
    // Files share one loaded program, for loading it takes longer than most tests: they leave no variable, directory or patch behind.
    isolate: false,
    // Of the time of files that start processes, browsers and servers half is waiting: for a disk, for timers, for what they started.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: ProcessesFirst },
    // What commands print is compared; a terminal or a CI of ours must not colour it.
    env: { NO_COLOR: '1' },
  },
})
