/** `countersign trust`: a person at a terminal says that a policy of a project is theirs, exactly as it is. */
import { realpathSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { stateDirectory } from '../../open.ts'
import { formatPolicyError } from '../../policy/errors.ts'
import { compileText, POLICY_FILE, sha256 } from '../../policy/file.ts'
import type { Policy } from '../../policy/policy.ts'
import { MANAGED_DIRECTORY } from '../../policy/scopes/managed.ts'
import { UNREAD } from '../../policy/scopes/model.ts'
import { openSafely } from '../../policy/scopes/open-safely.ts'
import { programsBeside, readTrusted, type TrustedFile, trustDigest, writeTrusted } from '../../policy/scopes/trust.ts'
import { trustInWords } from '../../policy/scopes/words.ts'
import { openStore } from '../../store/sqlite/open.ts'
import type { RecordInput } from '../../store/store.ts'
import { COMPILE, loadInForce } from '../open.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'

/** Asks the person; injected, so that a test can answer. */
export type Confirm = (message: string) => Promise<boolean>

/** Shows what the policy of the directory would change, and records it once a person says yes. */
export async function trust(directory: string | undefined, confirm: Confirm = atTerminal): Promise<number> {
  const path = policyAt(directory)
  const opened = openSafely(path, [stateDirectory(), MANAGED_DIRECTORY])
  if (opened.problem !== undefined) throw new UsageError(`\`${visible(path)}\` cannot be trusted: ${UNREAD[opened.problem]}`)
  const result = compileText(opened.text, path, COMPILE)
  if (!result.ok)
    throw new UsageError(`\`${visible(path)}\` is no valid policy:\n${visible(result.errors.map(formatPolicyError).join('\n'))}`)
  const state = loadInForce(null)
  if (state.policy === null) throw new UsageError(`your own policy cannot be used: ${state.detail ?? state.error}`)
  show(result.policy, state.policy)
  if (!(await confirm(`Trust ${path} as it is now?`))) {
    warn('countersign: nothing was changed; the policy still only tightens yours')
    return EXIT.usage
  }
  const by = `user:${userInfo().username}`
  const file: TrustedFile = {
    path,
    text: sha256(opened.text),
    digest: trustDigest(result.policy, sha256),
    at: new Date().toISOString(),
    by,
  }
  await recorded({ event: 'policy trusted', path, digest: file.digest, author: by })
  writeTrusted(stateDirectory(), [...others(path), file])
  print(`trusted: ${visible(path)} governs below its directory, until a byte of it changes; your own policy still raises`)
  return EXIT.ok
}

/** Every file that is trusted, and whether it is still the same. */
export async function list(options: { json?: boolean }): Promise<number> {
  const files = readTrusted(stateDirectory())
  for (const file of files) {
    const same = isSame(file)
    print(
      options.json === true
        ? JSON.stringify({ ...file, same })
        : visible(`${file.path}  ${file.at}  ${file.by}  ${same ? 'as it was' : 'changed since: it only tightens'}`),
    )
  }
  if (files.length === 0 && options.json !== true) print('no policy of a project is trusted')
  return EXIT.ok
}

/** The policy of the directory only tightens again. */
export async function revoke(directory: string | undefined): Promise<number> {
  const path = policyAt(directory)
  const rest = others(path)
  if (rest.length === readTrusted(stateDirectory()).length) throw new UsageError(`\`${visible(path)}\` is not trusted`)
  writeTrusted(stateDirectory(), rest)
  await recorded({ event: 'policy trust revoked', path, author: `user:${userInfo().username}` })
  print(`revoked: ${visible(path)} only tightens your policy`)
  return EXIT.ok
}

function policyAt(directory: string | undefined): string {
  const named = resolve(directory ?? '.')
  try {
    return join(realpathSync(named), POLICY_FILE)
  } catch {
    return join(named, POLICY_FILE)
  }
}

function others(path: string): readonly TrustedFile[] {
  return readTrusted(stateDirectory()).filter((file) => file.path !== path)
}

function isSame(file: TrustedFile): boolean {
  const opened = openSafely(file.path, [stateDirectory(), MANAGED_DIRECTORY])
  if (opened.problem !== undefined || sha256(opened.text) !== file.text) return false
  const result = compileText(opened.text, file.path, COMPILE)
  return result.ok && trustDigest(result.policy, sha256) === file.digest
}

function show(brought: Policy, mine: Policy): void {
  print(`${visible(brought.path ?? '')}, ${brought.digest.slice(0, 19)}`)
  print('Until it is trusted it only tightens your policy. Once it is trusted, below its directory:')
  const lines = trustInWords(brought, mine)
  for (const line of lines) print(visible(`  ${line}`))
  if (lines.length === 0) print('  nothing changes')
  for (const path of programsBeside(brought)) print(visible(`  bound to the yes: ${path}`))
  print('What your own policy denies or asks about stays: its rules, hazards, roles, contracts, scanners and judges.')
}

async function atTerminal(message: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(
      'only a person at a terminal can trust a policy; where nobody sits, name it: --policy, COUNTERSIGN_POLICY or `init --policy`',
    )
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message: visible(message), initialValue: false })) === true
}

/** In the log before it is in force. */
async function recorded(body: RecordInput['body']): Promise<void> {
  const store = openStore({ directory: stateDirectory() })
  try {
    await store.append({ kind: 'policy', session: null, tenant: null, tool: null, decision: null, code: null, at: Date.now(), body })
  } finally {
    store.close()
  }
}
