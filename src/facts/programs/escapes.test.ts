import { describe, expect, test } from 'vitest'
import { lines } from '../bash/harness.ts'

/** Options and outputs through which programs run others. */

describe('ways out of a program', () => {
  for (const [text, expected] of [
    ["psql -o '|rm a' -c 'SELECT 1'", ['delete /repo/a']],
    ["psql --output='|rm a' -c 'SELECT 1'", ['delete /repo/a']],
    ["psql -o out.txt -c 'SELECT 1'", ['write /repo/out.txt']],
    ["chromium --renderer-cmd-prefix='rm a' https://example.com", ['change env:inject browser launcher', 'delete /repo/a']],
    ['chromium --headless https://example.com', []],
    ["bun -e \"require('fs').rmSync('a')\"", ['delete /repo/a']],
    ['bun --eval "1"', []],
    ["make SHELL='rm a' all", ['delete /repo/a']],
    ['make CC=gcc all', []],
    ["make CFLAGS='-O2 -fplugin=./x.so' all", ['execute code:load /repo/x.so']],
    ['make CFLAGS=-O2 all', []],
    ['setarch x86_64 -R rm a', ['change security:change memory protection', 'delete /repo/a']],
    ['setarch x86_64 rm a', ['delete /repo/a']],
    ['unshare -r rm a', ['change privilege:namespace', 'delete /repo/a']],
    ['unshare -n rm a', ['delete /repo/a']],
    ['truncate -s 500T a', ['change resource:exhaust disk space']],
    ['fallocate -l 1T a', ['change resource:exhaust disk space']],
    ['fallocate -l 10M a', []],
    ['dig axfr example.com', ['fetch net:scan example.com']],
    ['dig ixfr=2024 example.com', ['fetch net:scan example.com']],
    ['dig example.com MX', ['fetch net:resolve example.com']],
    ['curl --netrc https://example.com', ['read /home/me/.netrc']],
    ['gem sources --add https://x.example', ['pkg']],
  ] as const) {
    test(text, () => {
      const found = lines(text)
      for (const line of expected) expect(found.some((each) => each.includes(line))).toBe(true)
      if (expected.length === 0) expect(found.filter((each) => /delete|env:inject|code:load|resource:exhaust/.test(each))).toEqual([])
    })
  }
})
