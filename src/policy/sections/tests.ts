/** The section `tests`, and files of tests beside a policy: a call, the world and what came before, and what is to be decided. */
import { isScalar } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { VERDICTS, type Verdict } from '../../core/verdict.ts'
import type { PolicyError } from '../errors.ts'
import { documentOf } from '../reading/document.ts'
import { described, either, listOf, located, oneOf, Reader, text, whole, type YamlNode } from '../reading/fields.ts'
import { json, jsonObject } from '../reading/json-field.ts'
import { record } from '../reading/record.ts'
import { PolicySource } from '../reading/source.ts'
import { section } from '../section.ts'

const OUTCOMES = VERDICTS.filter((verdict): verdict is Exclude<Verdict, 'abstain'> => verdict !== 'abstain')

const expectField = record({
  verdict: described(oneOf(OUTCOMES), 'What is decided; under `mode: shadow`, what would be.'),
  code: described(text, 'The code of the decision.'),
  approvals: described(whole(0, 20), 'How many people must agree; 0 where nobody is asked.'),
  approvers: described(listOf(text), 'Who may agree, as `approvals.approvers` names them, in any order.'),
})

const testField = record(
  {
    name: described(located(text), 'What the test shows.'),
    call: described(jsonObject, 'The call, as it is sent to the gate.'),
    world: described(json, 'Home, directory, files, links, git, hosts and variables that the call finds.'),
    earlier: described(
      listOf(jsonObject),
      'Calls before it in the session, each with its `result` and what it left behind (`after`); with `denied: true` one that the policy denies.',
    ),
    expect: described(
      either({ when: (node) => isScalar(node), first: oneOf(OUTCOMES), second: expectField }),
      'A verdict, or a mapping of what is to be decided.',
    ),
  },
  { required: ['name', 'call', 'expect'], expects: 'a test such as `{name: …, call: {tool: Bash, args: {…}}, expect: deny}`' },
)

const testsField = described(
  listOf(testField),
  'Calls and what must be decided of them; run by `countersign policy test`, not by the gate.',
)

const fileField = record(
  {
    policy: described(
      located(text),
      'The policy that is tested, from the directory of this file; default the `countersign.yaml` beside it.',
    ),
    world: described(json, 'The world of every test of this file.'),
    tests: testsField,
  },
  { required: ['tests'], expects: 'a mapping with `tests`' },
)

/** In a policy they are only checked for their shape: they say nothing about a call that comes. */
export const tests = section({ fields: () => ({ tests: testsField }), compile: () => ({}) })

export interface PolicyTest {
  readonly name: string
  readonly place: { readonly path: string; readonly line: number }
  readonly call: JsonObject
  readonly worlds: readonly Json[]
  readonly earlier: readonly JsonObject[]
  readonly expect: Expectation
}

export interface Expectation {
  readonly verdict: string | null
  readonly code: string | null
  readonly approvals: number | null
  readonly approvers: readonly string[] | null
}

export interface TestFile {
  /** As the file names it; null: the policy beside it. */
  readonly policy: string | null
  readonly tests: readonly PolicyTest[]
  readonly errors: readonly PolicyError[]
}

/** Tests of a file of their own. */
export function readTestFile(source: string, path: string): TestFile {
  const reader = new Reader(new PolicySource(source, path))
  const document = documentOf(reader, WORDING)
  const file = document === null ? undefined : fileField.read(document.contents as YamlNode, reader, { start: 0, end: 1 })
  const worlds = file?.world === undefined ? [] : [file.world]
  return {
    policy: file?.policy?.value ?? null,
    tests: (file?.tests ?? []).flatMap((test) => toTest(test, worlds, reader.source)),
    errors: reader.errors,
  }
}

/** Tests of a policy that loads. */
export function testsOfPolicy(source: string, path: string): readonly PolicyTest[] {
  const reader = new Reader(new PolicySource(source, path))
  const contents = documentOf(reader, WORDING)?.contents as YamlNode
  const list = contents !== null && contents !== undefined && 'get' in contents ? (contents.get('tests', true) as YamlNode) : null
  const found = list == null ? [] : (testsField.read(list, reader, { start: 0, end: 1 }) ?? [])
  return found.flatMap((test) => toTest(test, [], reader.source))
}

const WORDING = { noun: 'a file of tests', example: 'a file of tests holds `tests: [{name: …, call: …, expect: deny}]`' }

type RawTest = NonNullable<ReturnType<(typeof testField)['read']>>
const NOTHING_ASKED = { verdict: undefined, code: undefined, approvals: undefined, approvers: undefined }

/** Nothing where a field is missing or of the wrong type, which the reader was told of. */
function toTest({ name, call, world, earlier, expect }: RawTest, worlds: readonly Json[], source: PolicySource): readonly PolicyTest[] {
  if (name === undefined || call === undefined || expect === undefined) return []
  const { verdict, code, approvals, approvers } =
    typeof expect === 'string' ? { ...NOTHING_ASKED, verdict: expect } : { ...NOTHING_ASKED, ...expect }
  return [
    {
      name: name.value,
      place: { path: source.path ?? 'policy', line: source.place(name.at.start).line },
      call,
      worlds: world === undefined ? worlds : [...worlds, world],
      earlier: (earlier ?? []).filter(isJsonObject),
      expect: {
        verdict: verdict ?? null,
        code: code ?? null,
        approvals: approvals ?? null,
        approvers: approvers ?? null,
      },
    },
  ]
}
