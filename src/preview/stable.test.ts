/** What `ansible-playbook --check --diff` says twice of the same play counts as the same, and of another one not. */
import { describe, expect, test } from 'vitest'
import { stablePlay } from './stable.ts'

const play = (...answers: readonly string[]): string =>
  `\nPLAY [local] ****\n\nTASK [configuration] ****\n${answers.join('')}\nTASK [gone] ****\nok: [a]\n\nPLAY RECAP ****\na : ok=2\n`
const answer = (host: string, text: string, copy = 'ansible-local-7210x467poyu/tmp4y6jg8lw'): string =>
  `--- before: /srv/app.conf\n+++ after: /root/.ansible/tmp/${copy}\n@@ -1 +1 @@\n-port=79\n+${text}\n\nchanged: [${host}]\n`

const FIRST = play(answer('a', 'port=80'), answer('b', 'port=80'))

describe('the same play', () => {
  test.each([
    ['its own temporary files', play(answer('a', 'port=80', 'ansible-local-99abc/tmpxyz_1'), answer('b', 'port=80'))],
    ['hosts that answer in another order', play(answer('b', 'port=80'), answer('a', 'port=80'))],
  ])('%s', (_title, second) => {
    expect(stablePlay(second)).toBe(stablePlay(FIRST))
  })
})

describe('another play', () => {
  test.each([
    ['another content', play(answer('a', 'port=81'), answer('b', 'port=80'))],
    ['contents of two hosts exchanged', play(answer('a', 'port=80'), answer('b', 'port=81'))],
    ['another host', play(answer('a', 'port=80'), answer('c', 'port=80'))],
    ['one host less', play(answer('a', 'port=80'))],
    ['another template', play(answer('a', 'port=80', 'ansible-local-7210x467poyu/tmp4y6jg8lw/other.j2'), answer('b', 'port=80'))],
  ])('%s', (_title, second) => {
    const one = stablePlay(play(answer('a', 'port=81'), answer('b', 'port=82')))
    expect(stablePlay(second)).not.toBe(stablePlay(FIRST))
    expect(one).not.toBe(stablePlay(play(answer('a', 'port=82'), answer('b', 'port=81'))))
  })
  test('tasks in another order', () => {
    const one = 'TASK [x]\nok: [a]\nTASK [y]\nchanged: [a]\n'
    const two = 'TASK [y]\nchanged: [a]\nTASK [x]\nok: [a]\n'
    expect(stablePlay(one)).not.toBe(stablePlay(two))
  })
})
