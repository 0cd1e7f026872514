import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../core/json.ts'
import type { JudgeTool, JudgeToolsPolicy } from '../../policy/judges.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { planOf, Refusal, specsOf } from './specs.ts'

function toolsOf(text: string): JudgeToolsPolicy {
  const tools = policy(`judges: { j: { provider: anthropic, model: claude-x, tools: ${text} } }`).judges.named.get('j')?.tools
  if (tools == null) throw new Error('no tools')
  return tools
}

const ALL = toolsOf("{ allow: [read_file, grep, ast_grep.search, cmd.run], commands: ['node --test', 'terraform plan *', ls] }")

function planned(tool: JudgeTool, input: JsonObject): string {
  try {
    const { path, command } = planOf(tool, input, ALL)
    return `${path ?? '-'} | ${command.join(' ')}`
  } catch (error) {
    return error instanceof Refusal ? `refused: ${error.message}` : String(error)
  }
}

describe('what a request comes down to', () => {
  const cases: readonly (readonly [JudgeTool, JsonObject, string])[] = [
    ['read_file', { path: 'a.txt' }, 'a.txt | sed -n -e 1,2000p -e 2001q9 --'],
    ['read_file', { path: 'a.txt', first_line: 5, line_count: 2 }, 'a.txt | sed -n -e 5,6p -e 7q9 --'],
    ['read_file', { path: '-n' }, '-n | sed -n -e 1,2000p -e 2001q9 --'],
    ['read_file', {}, 'refused: `path` is one line of text'],
    ['read_file', { path: '' }, 'refused: `path` is one line of text'],
    ['read_file', { path: 'a\nb' }, 'refused: `path` is one line of text'],
    ['read_file', { path: 'a\0b' }, 'refused: `path` is one line of text'],
    ['read_file', { path: ['a'] }, 'refused: `path` is one line of text'],
    ['read_file', { path: 'a', first_line: 0 }, 'refused: `first_line` is a whole number from 1'],
    ['read_file', { path: 'a', first_line: 1.5 }, 'refused: `first_line` is a whole number from 1'],
    ['read_file', { path: 'a', first_line: '1p;w /tmp/x' }, 'refused: `first_line` is a whole number from 1'],
    ['read_file', { path: 'a', line_count: 1e12 }, 'refused: `line_count` is a whole number from 1'],
    ['grep', { pattern: 'TODO' }, '. | grep -rnIsE -m 200 -e TODO --'],
    ['grep', { pattern: '-f/etc/passwd', path: 'src' }, 'src | grep -rnIsE -m 200 -e -f/etc/passwd --'],
    ['grep', { pattern: 'x', ignore_case: true, include: '*.ts' }, '. | grep -rnIsE -m 200 -i --include=*.ts -e x --'],
    ['grep', {}, 'refused: `pattern` is one line of text'],
    ['grep', { pattern: 'x'.repeat(5_000) }, 'refused: `pattern` is one line of text'],
    [
      'ast_grep.search',
      { pattern: 'eval($X)', language: 'ts' },
      '. | ast-grep run --pattern=eval($X) --lang=ts --color=never --heading=never',
    ],
    ['ast_grep.search', { pattern: 'x', language: '--config=/tmp/x' }, 'refused: `--config=/tmp/x` is no name of a language'],
    ['ast_grep.search', { pattern: 'x' }, 'refused: `language` is one line of text'],
    ['cmd.run', { command: ['node', '--test'] }, '- | node --test'],
    ['cmd.run', { command: ['node', '--test', 'x'] }, 'refused: `node --test x` is not among the commands that are allowed'],
    ['cmd.run', { command: ['node'] }, 'refused: `node` is not among the commands that are allowed'],
    ['cmd.run', { command: ['node --test'] }, 'refused: `node --test` is not among the commands that are allowed'],
    ['cmd.run', { command: ['terraform', 'plan', '-out=x', ';', 'rm'] }, '- | terraform plan -out=x ; rm'],
    ['cmd.run', { command: ['terraform', 'apply'] }, 'refused: `terraform apply` is not among the commands that are allowed'],
    ['cmd.run', { command: ['terraform'] }, 'refused: `terraform` is not among the commands that are allowed'],
    ['cmd.run', { command: ['ls'] }, '- | ls'],
    ['cmd.run', { command: ['ls', '/'] }, 'refused: `ls /` is not among the commands that are allowed'],
    ['cmd.run', { command: ['*'] }, 'refused: `*` is not among the commands that are allowed'],
    ['cmd.run', { command: [] }, 'refused: `command` is a list of words'],
    ['cmd.run', { command: 'ls' }, 'refused: `command` is a list of words'],
    ['cmd.run', { command: ['ls', 1] }, 'refused: `command` is a list of words'],
    ['cmd.run', { command: ['ls\0'] }, 'refused: `command` is a list of words'],
    ['cmd.run', {}, 'refused: `command` is a list of words'],
  ]
  for (const [tool, input, expected] of cases) {
    test(`${tool} ${JSON.stringify(input).slice(0, 60)}`, () => expect(planned(tool, input)).toBe(expected))
  }
})

describe('what a model is told', () => {
  test('names that every wire takes, closed inputs, and the commands that are allowed', () => {
    const specs = specsOf(ALL)
    expect(specs.map(({ name }) => name)).toEqual(['read_file', 'grep', 'ast_grep_search', 'cmd_run'])
    for (const { schema } of specs) expect([schema.type, schema.additionalProperties]).toEqual(['object', false] satisfies Json[])
    expect(specs.at(-1)?.description).toContain('`node --test`, `terraform plan *`, `ls`')
    expect(specsOf(toolsOf('[grep]')).map(({ name }) => name)).toEqual(['grep'])
  })
})
