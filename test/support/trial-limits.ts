/** Of trials in tests, by the test runner or without it. */
export const LIMITS = { timeMs: 20_000, memoryBytes: 1 << 29, outputBytes: 8_192, spaceBytes: 1 << 26, processes: 128 }
