/** The files that a policy rests on: whoever changes one of them has changed what the gate says. */
import { statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { secretFiles } from './policy/channels.ts'
import type { Policy } from './policy/policy.ts'
import { programsOf } from './policy/programs.ts'
import { operatorPolicies } from './policy/scopes/model.ts'
import { isFileCopy } from './policy/sections/head-copies.ts'

/**
 * The policy's file and those that it names: whoever may write a file of grants may grant himself what it gates (ROS-W2),
 * whoever rewrites a copy of the log's head hides what was lost, whoever has the secret of a channel may answer in its place, and
 * whoever rewrites a program that it runs answers for people and judges (T22, T40).
 */
export function filesOf(policy: Policy | null): readonly string[] {
  if (policy === null) return []
  const copies = policy.audit.headCopies.filter(isFileCopy).map(({ to }) => to)
  return [...namedFiles(policy), ...copies, ...secretFiles(policy.approvals.channels), ...programsOf(policy).flatMap(filesOfProgram)]
}

/** The files of every policy that judges: of one that the operator does not answer for only itself and what it names beside itself. */
export function judgingFiles(policy: Policy | null): readonly string[] {
  if (policy?.scopes === undefined) return filesOf(policy)
  const { lower, unread } = policy.scopes
  const untrusted = lower.filter(({ whole }) => whole === null).flatMap(({ policy: each }) => namedFiles(each))
  return [...operatorPolicies(policy).flatMap(filesOf), ...untrusted, ...unread.map(({ path }) => path)]
}

function namedFiles({ path, files }: Policy): readonly string[] {
  return path === null ? [] : [path, ...files.map((name) => resolve(dirname(path), name))]
}

/** The program, and what it is handed by an absolute path: the script of an interpreter. A directory is only looked at. */
function filesOfProgram([program, ...args]: readonly string[]): readonly string[] {
  return [...(program === undefined ? [] : [program]), ...args.filter((word) => isAbsolute(word) && mayBeFile(word))]
}

/** What is not there yet is a file once somebody writes it. */
function mayBeFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true
  } catch {
    return true
  }
}
