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

export const HOSTS: readonly HostAdapter[] = [
  claudeCode,
  codex,
  geminiCli,
  cursor,
  copilotCli,
  opencode,
  qwenCode,
  vscode,
  cline,
  windsurf,
  goose,
  kiro,
  droid,
  amp,
  openclaw,
]

export function hostNamed(name: string): HostAdapter | undefined {
  return HOSTS.find((host) => host.name === name)
}
