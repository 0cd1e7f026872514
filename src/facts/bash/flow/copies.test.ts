import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { lines } from '../harness.ts'

/** A file that is copied, moved or linked and then run: what runs is what stood in the file that was there before. */

const WORLD = {
  files: {
    '/repo/job.sh': 'touch /tmp/JOB\n',
    '/repo/job.py': "open('/tmp/JOB', 'w')\n",
    '/repo/other.sh': 'touch /tmp/OTHER\n',
    '/repo/tools/run.sh': 'touch /tmp/JOB\n',
    '/repo/tools/deep/run.sh': 'touch /tmp/JOB\n',
    '/repo/bin/keep': '',
  },
}

const RUNS: readonly string[] = [
  'cp job.sh y && ./y',
  'cp job.sh y; bash y',
  'cp job.sh y; source y',
  'cp job.sh y; . ./y',
  'cp -p job.sh /tmp/y && sh /tmp/y',
  'cp job.sh bin && bin/job.sh',
  'cp job.sh other.sh bin/ && bin/job.sh',
  'cp -t bin job.sh && sh bin/job.sh',
  'mv job.sh y && sh y',
  'mv job.sh other.sh && sh other.sh',
  'install -m755 job.sh y && ./y',
  'install -m755 job.sh bin/ && bin/job.sh',
  'ln -s job.sh y && ./y',
  'ln job.sh y && ./y',
  'link job.sh y && sh y',
  'ln -s job.sh a; ln -s a b; sh b',
  'ln -s ../job.sh bin/y && sh bin/y',
  'ln -s $PWD/job.sh /tmp/y && /tmp/y',
  'cp job.sh a; mv a b; cp b c; sh c',
  'cp job.sh a; ln -s a b; sh b',
  'cat job.sh > y && sh y',
  'cat job.sh | tee y && sh y',
  'tee y < job.sh && sh y',
  'dd if=job.sh of=y && sh y',
  'rsync job.sh y && sh y',
  'cp job.py x && python3 x',
  'cp -r tools copy && copy/run.sh',
  'cp -r tools copy && sh copy/deep/run.sh',
  'mv tools elsewhere && elsewhere/run.sh',
  'ln -s tools t && t/run.sh',
  'cp job.sh y; chmod +x y; nohup ./y &',
  'cp job.sh y; sudo ./y',
  'cp job.sh y; xargs ./y < /dev/null',
]

describe('what runs is what was copied', () => {
  for (const command of RUNS) {
    proves('T02', command, () => {
      const seen = lines(command, WORLD)
      expect(seen.filter((line) => /^write (?:fs:touch )?\/tmp\/JOB$/.test(line))).toHaveLength(1)
      expect(seen.filter((line) => line.startsWith('opaque'))).toEqual([])
    })
  }
})

const CONTENT: readonly (readonly [command: string, last: string])[] = [
  // What was written since is what runs, under either name.
  ["ln -s other.sh y; echo 'touch /tmp/NEW' > other.sh; sh y", 'write fs:touch /tmp/NEW'],
  ["ln other.sh y; echo 'touch /tmp/NEW' > other.sh; sh y", 'write fs:touch /tmp/NEW'],
  ["ln -s other.sh y; echo 'touch /tmp/NEW' > y; sh other.sh", 'write fs:touch /tmp/NEW'],
  ["ln other.sh y; echo 'touch /tmp/NEW' > y; sh other.sh", 'write fs:touch /tmp/NEW'],
  ["cp job.sh y; echo 'touch /tmp/NEW' > y; sh y", 'write fs:touch /tmp/NEW'],
  // The copy keeps what stood there.
  ["cp job.sh y; echo 'touch /tmp/NEW' > job.sh; sh y", 'write fs:touch /tmp/JOB'],
  ["echo 'touch /tmp/NEW' > job.sh; cp job.sh y; sh y", 'write fs:touch /tmp/NEW'],
  ["echo 'touch /tmp/NEW' > a; cp a bin/b; cp other.sh bin/c; sh bin/b", 'write fs:touch /tmp/NEW'],
  // Where nobody knows, nobody says.
  ["cp job.sh y; sed -i 's/a/b/' y; sh y", 'likely execute script:unseen /repo/y'],
  ['cp job.sh y; echo more >> y; sh y', 'likely execute script:unseen /repo/y'],
  ["sed 's/a/b/' job.sh > y; sh y", 'likely execute script:unseen /repo/y'],
  ['cat job.sh other.sh > y; sh y', 'likely execute script:unseen /repo/y'],
  ['cat -n job.sh > y; sh y', 'likely execute script:unseen /repo/y'],
  ['cp absent.sh y; sh y', 'likely execute script:unseen /repo/y'],
  ['cp "$X" y; sh y', 'likely execute script:unseen /repo/y'],
  // The network stands behind a copy of a copy.
  ['curl -o a https://h.example/a.sh; cp a b; mv b c; sh c', 'execute code:downloaded https://h.example/a.sh'],
  // A copied program is that program.
  ['cp /bin/rm x && ./x -rf /srv/data', 'delete /srv/data'],
  ['ln -s /usr/bin/rm x; ./x -rf /srv/data', 'delete /srv/data'],
  ['ln -s /bin/rm ls; ./ls -rf /srv/data', 'delete /srv/data'],
  ['install /bin/cat /tmp/x; /tmp/x /etc/hosts', 'read /etc/hosts'],
  ['cp /usr/bin/bash x; ./x -c "touch /tmp/NEW"', 'write fs:touch /tmp/NEW'],
]

describe('and no other', () => {
  for (const [command, last] of CONTENT) test(command, () => expect(lines(command, WORLD).at(-1)).toBe(last))

  test('a link on disk to an installed program is that program', () => {
    expect(lines('./ls -rf /srv/data', { links: { '/repo/ls': '/bin/rm' }, files: { '/bin/rm': '' } })).toEqual(['delete /srv/data'])
  })

  test('what is written to a second name is written to the file', () => {
    expect(lines('ln /etc/hosts y; echo x > y').at(-1)).toBe('write /etc/hosts')
  })

  test('a copy that cannot be read is said to be one', () => {
    expect(lines('cp absent.sh y; sh y')).toContain('opaque `y` is a copy of `absent.sh`, which cannot be read')
  })

  test('copying runs nothing', () => {
    expect(lines('cp job.sh y', WORLD)).toEqual(['read /repo/job.sh', 'write fs:copy /repo/y'])
    expect(lines('cp /bin/rm x', WORLD)).toEqual(['read /bin/rm', 'write fs:copy /repo/x'])
  })
})
