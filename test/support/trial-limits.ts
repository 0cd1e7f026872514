/** Of trials in tests, by the test runner or without it. Memory as by default: Node 24 reserves more than 512 MiB and does not start with less. */
export const LIMITS = { timeMs: 20_000, memoryBytes: 1 << 30, outputBytes: 8_192, spaceBytes: 1 << 26, processes: 128 }
