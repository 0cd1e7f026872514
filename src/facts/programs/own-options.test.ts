import { describe, expect, test } from 'vitest'
import { knownWord } from '../resources/text/word.ts'
import { lookup } from './index.ts'
import { readCommand } from './options.ts'

const SPAN = { pointer: '', start: 0, end: 0 }

function operands(command: string): readonly (string | null)[] {
  const [name = '', ...args] = command.split(' ')
  const spec = lookup(name)
  if (spec === null) throw new Error(`no table knows \`${name}\``)
  const word = (text: string) => knownWord(text, SPAN)
  const invocation = {
    name,
    program: word(name),
    args: args.map(word),
    env: new Map(),
    input: { kind: 'none' as const },
    piped: false,
    span: SPAN,
  }
  return readCommand(spec, invocation).parsed.operands.map(({ text }) => text)
}

describe('what is an operand, and what is the value of an option', () => {
  const cases: readonly (readonly [command: string, operands: readonly string[]])[] = [
    ['docker logs -f web', ['web']],
    ['docker-compose logs -f web', ['web']],
    ['podman logs -f web', ['web']],
    ['kubectl run -f pod.yaml', []],
    ['git merge -s ours topic', ['topic']],
    ['git stage -p src', ['src']],
    ['cargo new --bin shop', ['shop']],
    ['cargo install --version 1.2.0 ripgrep', ['ripgrep']],
    ['traceroute -I example.org', ['example.org']],
    ['pipx install -e ./tool', ['./tool']],
    ['poetry add --editable ./tool', ['./tool']],
    ['pipenv install -d pytest', ['pytest']],
    ['uv add --editable ./tool', ['./tool']],
    ['helm search repo -l nginx', ['nginx']],
    ['helm pull -d out chart', ['chart']],
    ['gem list -i rake', ['rake']],
    ['gem install -i vendor rake', ['rake']],
    ['serverless deploy -f hello', []],
    ['vercel -d site', ['site']],
    ['vercel -e A=b site', ['site']],
    ['rubocop -d app', ['app']],
    ['ruff check -e src', ['src']],
    ['django-admin startapp -n x.py shop', ['shop']],
    ['exa -T src', ['src']],
    ['black -c code', []],
  ]
  for (const [command, expected] of cases) test(command, () => expect(operands(command)).toEqual(expected))
})
