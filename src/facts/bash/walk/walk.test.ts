import { describe, expect, test } from 'vitest'
import { actions, commands, facts, line, lines } from '../harness.ts'

describe('redirections', () => {
  for (const [text, expected] of [
    ['echo x > f', ['write /repo/f']],
    ['echo x >> f', ['write /repo/f']],
    ['echo x >| f', ['write /repo/f']],
    ['echo x &> f', ['write /repo/f']],
    ['echo x &>> f', ['write /repo/f']],
    ['echo x >& f', ['write /repo/f']],
    ['echo x 2> f', ['write /repo/f']],
    ['echo x {fd}> f', ['write /repo/f']],
    ['echo x 3<> f', ['write /repo/f', 'read /repo/f']],
    ['cat < f', ['read /repo/f']],
    ['> f', ['write /repo/f']],
    ['echo x > a > b', ['write /repo/a', 'write /repo/b']],
    ['{ echo x; } > f', ['write /repo/f']],
    ['(echo x) > f', ['write /repo/f']],
    ['for i in 1 2; do echo $i; done > f', ['write /repo/f']],
    ['while read l; do echo $l; done < f', ['read /repo/f']],
    ['if true; then echo x; fi >> f', ['write /repo/f']],
    ['f() { echo x; } > f; f', ['write /repo/f']],
    ['echo x 2>&1', []],
    ['echo x >&2', []],
    ['echo x 2>&-', []],
    ['echo x > /dev/null 2> /dev/null', []],
    ['echo x > /dev/stderr', []],
    ['cat < /dev/null', []],
    ['exec > log', ['write /repo/log']],
    ['exec 3> log', ['write /repo/log']],
    ['cat <<E > f\nx\nE', ['write /repo/f']],
    ['cat > f <<E\nx\nE', ['write /repo/f']],
    ['echo x > $HOME/.bashrc', ['write /home/me/.bashrc']],
    ['cd /etc && echo x > hosts', ['write /etc/hosts']],
    ['echo x > --help', ['write /repo/--help']],
  ] as const) {
    test(text, () => expect(lines(text)).toEqual(expected))
  }

  test('appending says so', () => {
    expect(facts('echo x >> f').effects[0]?.attributes.append).toBe(true)
    expect(facts('echo x > f').effects[0]?.attributes.append).toBeUndefined()
  })

  test('an unknown target is written all the same', () => {
    const [effect] = facts('echo x > "$F"').effects
    expect(effect).toMatchObject({ verb: 'write', target: { kind: 'path', scope: 'unknown' } })
    expect(effect?.reason).toBeTruthy()
  })

  test('a redirection named like an option does not make the command inert', () => {
    expect(lines('rm -rf x > --help')).toContain('delete /repo/x')
  })

  test('the network as a file', () => {
    expect(lines('echo x > /dev/tcp/203.0.113.7/80')).toEqual(['send net:socket 203.0.113.7:80'])
    expect(lines('cat < /dev/udp/203.0.113.7/53')).toEqual(['fetch net:socket 203.0.113.7:53'])
    expect(lines('exec 3<>/dev/tcp/h.example/80')).toEqual(['fetch net:socket h.example:80', 'send net:socket h.example:80'])
    expect(lines('echo x > /dev/tcp/$H/80')[0]).toMatch(/^send net:socket /)
  })
})

describe('the directory that is in effect', () => {
  for (const [text, expected] of [
    ['cd /a; rm x', 'delete /a/x'],
    ['cd a; rm x', 'delete /repo/a/x'],
    ['cd a && cd .. && rm x', 'delete /repo/x'],
    ['cd; rm x', 'delete /home/me/x'],
    ['cd ~/a; rm x', 'delete /home/me/a/x'],
    ['cd /a; cd -; rm x', 'delete /repo/x'],
    ['(cd /a); rm x', 'delete /repo/x'],
    ['cd /a | true; rm x', 'delete /repo/x'],
    ['cd /a & rm x', 'delete /repo/x'],
    ['$(cd /a); rm x', 'delete /repo/x'],
    ['{ cd /a; }; rm x', 'delete /a/x'],
    ['pushd /a; rm x', 'delete /a/x'],
    ['pushd /a; popd; rm x', 'delete /repo/x'],
    ['f() { cd /a; }; f; rm x', 'delete /a/x'],
    ['eval "cd /a"; rm x', 'delete /a/x'],
    ['bash -c "cd /a"; rm x', 'delete /repo/x'],
    ['env -C /a rm x', 'delete /a/x'],
    ['cd /a || exit; rm x', 'delete /a/x'],
    ['d=/a; cd "$d"; rm x', 'delete /a/x'],
    ['cd "$(git rev-parse --show-toplevel)"; rm x', 'delete /repo/x'],
  ] as const) {
    test(text, () => {
      const git = { '/repo': { top: '/repo', branch: 'main', remotes: {}, aliases: {} } }
      expect(lines(text, { git })).toContain(expected)
    })
  }

  for (const text of ['cd "$X"; rm x', 'cd a*; rm x', 'cd $(cat f); rm x']) {
    test(`${text}: unknown afterwards`, () => {
      expect(facts(text).effects.find((item) => item.verb === 'delete')?.target.real).toBeNull()
    })
  }
})

describe('branches are possible, the rest is certain', () => {
  for (const [text, expected] of [
    ['rm x', 'certain'],
    ['true; rm x', 'certain'],
    ['cd a && rm x', 'certain'],
    ['rm x &', 'certain'],
    ['for i in 1; do rm x; done', 'certain'],
    ['f() { rm x; }; f', 'certain'],
    ['if rm x; then :; fi', 'certain'],
    ['false || rm x', 'possible'],
    ['[ -f x ] && rm x', 'possible'],
    ['[[ -f x ]] && rm x', 'possible'],
    ['if a; then rm x; fi', 'possible'],
    ['if a; then :; else rm x; fi', 'possible'],
    ['while a; do rm x; done', 'possible'],
    ['case a in a) rm x;; esac', 'possible'],
    ['if a; then bash -c "rm x"; fi', 'possible'],
  ] as const) {
    test(text, () => expect(facts(text).effects.find((item) => item.verb === 'delete')?.certainty).toBe(expected))
  }
})

describe('loops', () => {
  test('over known words, one by one', () => {
    expect(lines('for f in a b c; do rm $f; done')).toEqual(['delete /repo/a', 'delete /repo/b', 'delete /repo/c'])
    expect(lines('for f in {1..3}; do rm f$f; done')).toEqual(['delete /repo/f1', 'delete /repo/f2', 'delete /repo/f3'])
  })
  test('over the positional parameters', () => {
    expect(lines('set -- a b; for f; do rm $f; done')).toEqual(['delete /repo/a', 'delete /repo/b'])
  })
  test('over unknown words, once', () => {
    expect(lines('for f in $(cat list); do rm "$f"; done').filter((item) => item.startsWith('delete'))).toHaveLength(1)
  })
  test('over more words than are written out', () => {
    const words = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ')
    const deleted = facts(`for f in ${words}; do rm $f; done`).effects.filter((item) => item.verb === 'delete')
    expect(deleted.length).toBeLessThan(40)
    expect(deleted.some((item) => item.target.real === null)).toBe(true)
  })
})

describe('functions, aliases and traps', () => {
  for (const [text, expected] of [
    ['f() { rm "$1" "$2"; }; f a b', ['delete /repo/a', 'delete /repo/b']],
    ['f() { g "$@"; }; g() { rm "$@"; }; f a', ['delete /repo/a']],
    ['f() { rm x; }', []],
    ['f() { rm x; }; unset -f f; f', ['likely execute program:unknown f']],
    ['alias r="rm -f"; r x', ['delete /repo/x']],
    ['alias r=rm; \\r x', ['likely execute program:unknown r', 'possible read x'].slice(0, 1)],
    ['alias r=rm; unalias r; r', ['likely execute program:unknown r']],
    ['alias rm="rm -i"; rm x', ['delete /repo/x']],
    ['trap "rm x" EXIT INT', ['delete /repo/x']],
    ['trap - EXIT', []],
    ['trap "" USR1', []],
  ] as const) {
    test(text, () => expect(lines(text).filter((item) => !item.includes('read'))).toEqual(expected))
  }

  test('a function of the script comes before a program, a wrapper does not see it', () => {
    expect(lines('rm() { echo no; }; rm x')).toEqual([])
    expect(lines('rm() { echo no; }; command rm x')).toEqual(['delete /repo/x'])
    expect(lines('rm() { echo no; }; sudo rm x')).toContain('delete /repo/x')
  })
})

describe('commands that would run', () => {
  for (const [text, expected] of [
    ['a b | c d', ['a b', 'c d']],
    ['a && b || c; d &', ['a', 'b', 'c', 'd']],
    ['x=1', []],
    ['x=$(a)', ['a']],
    ['a $(b `c`)', ['c', 'b ?', 'a ?']],
    ['/usr/bin/a "$x"', ['a ?']],
    ['$x y', ['? y']],
    ['cd a && ls', ['cd a', 'ls']],
    ['if a; then b; fi', ['a', 'b']],
    ['! a', ['a']],
    ['time a', ['a']],
    ['a <<E\n$(b)\nE', ['b', 'a']],
  ] as const) {
    test(text, () => expect(commands(text)).toEqual(expected))
  }

  test('spans point at the command in the text', () => {
    const text = 'ls; rm -rf x && echo done'
    const spans = facts(text).commands.map((fact) => text.slice(fact.span.start, fact.span.end))
    expect(spans).toEqual(['ls', 'rm -rf x', 'echo done'])
    const [effect] = facts(text).effects.filter((item) => item.verb === 'delete')
    expect(text.slice(effect?.span?.start, effect?.span?.end)).toMatch(/^(?:rm -rf x|x)$/)
  })

  test('what was made up on the way has the span of what it was made from', () => {
    const text = 'ls; bash -c "rm -rf x"'
    const effect = facts(text).effects.find((item) => item.verb === 'delete')
    expect(text.slice(effect?.span?.start, effect?.span?.end)).toBe('"rm -rf x"')
  })
})

describe('programs that no table knows', () => {
  test('run, likely, with what their words show', () => {
    expect(lines('frobnicate --out=dist/x https://x.example plain -v')).toEqual([
      'likely execute program:unknown frobnicate',
      'possible write /repo/dist/x',
      'possible fetch https://x.example',
    ])
    expect(lines('frobnicate ./in.txt plain -v')).toEqual(['likely execute program:unknown frobnicate', 'possible read /repo/in.txt'])
  })
  test('that are given a file and an address may act there', () => {
    expect(lines('frobnicate https://x.example ./in.txt')).toEqual([
      'likely execute program:unknown frobnicate',
      'likely change cli:change frobnicate https://x.example ./in.txt',
      'possible fetch https://x.example',
      'possible read /repo/in.txt',
    ])
  })
  test('a name that is not known is dynamic, and what follows is looked at', () => {
    expect(actions('$SUDO rm x')).toContain('code:dynamic')
    expect(lines('$SUDO rm x')).toContain('possible delete /repo/x')
  })
  test('an empty first word makes room for the next', () => {
    expect(lines('E=; $E rm x')).toEqual(['delete /repo/x'])
  })
})

test('standard builtins do nothing', () => {
  const text =
    ': a; true; false; [ -f x ]; test -d y; type z; hash -r; wait; set -euo pipefail; shopt -s nullglob; umask 022; ulimit -n 9; exit 1'
  expect(lines(text)).toEqual([])
})

test('history is read, and cleared', () => {
  expect(actions('history -c')).toEqual(['history:clear'])
  expect(facts('history').effects.map(line)).toEqual(['read shell history'])
})

test('what others typed is in files: only those count as history', () => {
  const isHistory = (text: string) => facts(text).effects.some((item) => item.verb === 'read' && item.target.classes.includes('history'))
  for (const text of ['history -r ~/.bash_history', 'history -n', 'history "$X"', 'cat ~/.bash_history', 'tail -5 ~/.zsh_history'])
    expect([text, isHistory(text)]).toEqual([text, true])
  for (const text of ['history', 'history 20', 'history | tail -3', 'fc -l']) expect([text, isHistory(text)]).toEqual([text, false])
})

test('set without words and export -p list the variables', () => {
  for (const text of ['set', 'export -p', 'declare -p', 'env', 'printenv']) expect(actions(text)).toEqual(['env:list'])
  for (const text of ['set -e', 'export A=1', 'local x', 'env A=1 ls']) expect(actions(text)).not.toContain('env:list')
})

describe('names of descriptors', () => {
  for (const [command, expected] of [
    ['cat /dev/fd/0', []],
    ['cat /dev/fd/../../etc/shadow', ['read /etc/shadow']],
    ['cat < /dev/fd/3/../../../etc/shadow', ['read /etc/shadow']],
    ['echo x > /dev/fd/../../etc/passwd', ['write /etc/passwd']],
    ['bash /dev/fd/../../repo/x.sh', ['likely execute script:unseen /repo/x.sh']],
  ] as const) {
    test(command, () => expect(lines(command)).toEqual(expected))
  }
})
