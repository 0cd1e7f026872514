/** Every agent that can be gated, one row each. */
import type { HostAdapter } from './adapter.ts'
import { amp } from './amp/adapter.ts'
import { claudeCode } from './claude-code/adapter.ts'
import { cline } from './cline/adapter.ts'
import { codex } from './codex/adapter.ts'
import { copilotCli } from './copilot-cli/adapter.ts'
import { cursor } from './cursor/adapter.ts'
import { droid } from './droid/adapter.ts'
import { geminiCli } from './gemini-cli/adapter.ts'
import { goose } from './goose/adapter.ts'
import { kiro } from './kiro/adapter.ts'
import { openclaw } from './openclaw/adapter.ts'
import { opencode } from './opencode/adapter.ts'
import { qwenCode } from './qwen-code/adapter.ts'
import { vscode } from './vscode/adapter.ts'
import { windsurf } from './windsurf/adapter.ts'

/** By name, in the order in which people are told of them. A hook answers for one agent, and reads the adapter of that one alone. */
export const ROWS: Readonly<Record<string, () => HostAdapter>> = {
  'claude-code': () => claudeCode,
  codex: () => codex,
  'gemini-cli': () => geminiCli,
  cursor: () => cursor,
  'copilot-cli': () => copilotCli,
  opencode: () => opencode,
  'qwen-code': () => qwenCode,
  vscode: () => vscode,
  cline: () => cline,
  windsurf: () => windsurf,
  goose: () => goose,
  kiro: () => kiro,
  droid: () => droid,
  amp: () => amp,
  openclaw: () => openclaw,
}

export function hostNamed(name: string): HostAdapter | undefined {
  return Object.hasOwn(ROWS, name) ? ROWS[name]?.() : undefined
}
