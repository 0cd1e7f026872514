/** The files that a judge's config names: evidence of what it was measured to do. One that cannot be used is an error. */
import { createDigester } from '../../core/digest.ts'
import { type JudgeEvidence, judgeDigest, readEvidence } from '../judge-evidence.ts'
import type { JudgePolicy } from '../judges.ts'
import type { Located } from '../reading/fields.ts'
import type { CompileContext } from '../section.ts'

interface Naming {
  readonly file: Located<string> | undefined
  /** `sha256:…` that the file must have. */
  readonly digest?: Located<string> | undefined
  readonly judge: JudgePolicy
  readonly named: ReadonlyMap<string, JudgePolicy>
}

/** What the file says, if it is of this very judge; null where none is named. Faults go to the reader. */
export function evidenceOf({ file, digest, judge, named }: Naming, { reader, options }: CompileContext): JudgeEvidence | null {
  if (file === undefined) return null
  const fail = (what: string, help: string): null => {
    reader.fail({ code: 'policy.judge_file', message: `\`${file.value}\`: ${what}`, help, at: file.at })
    return null
  }
  const read = options.readFile?.(file.value) ?? { problem: 'files cannot be read here' }
  if ('problem' in read) return fail(read.problem, 'paths are relative to the directory of the policy')
  const actual = `sha256:${options.sha256(read.text)}`
  if (digest !== undefined && digest.value !== actual) {
    const help = `look at what changed in it; as it is now it has \`${actual}\``
    reader.fail({ code: 'policy.judge_file', message: `\`${file.value}\` is not the file of this digest`, help, at: digest.at })
    return null
  }
  const evidence = readEvidence(read.text)
  if (typeof evidence === 'string') return fail(evidence, 'write it with `countersign judge calibrate`')
  if (evidence.judgeDigest === judgeDigest(judge, named, createDigester(options.sha256))) return evidence
  const of = evidence.judge === judge.name ? `\`${judge.name}\` as it was before` : `the judge \`${evidence.judge}\``
  return fail(`it was measured on ${of}`, 'measure this one with `countersign judge calibrate`')
}
