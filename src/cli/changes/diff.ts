/** A small line diff for files that a person is about to change: common head and tail, and what is between. */
import { visible } from '../terminal.ts'

const CONTEXT = 2

/** Lines of a unified-looking diff; a new file is all additions, and one that goes is all removals. */
export function lineDiff(path: string, before: string | null, after: string | null): readonly string[] {
  const old = before === null ? [] : lines(before)
  const fresh = after === null ? [] : lines(after)
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  const from = Math.max(0, head - CONTEXT)
  const to = Math.max(0, tail - CONTEXT)
  return [
    `--- ${before === null ? 'new file' : path}`,
    `+++ ${after === null ? 'no file' : path}`,
    ...fresh.slice(from, head).map((line) => `  ${visible(line)}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${visible(line)}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+ ${visible(line)}`),
    ...fresh.slice(fresh.length - tail, fresh.length - to).map((line) => `  ${visible(line)}`),
  ]
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}
