import type { HazardRule } from '../rule.ts'
import { attribute, has } from './match.ts'

/** Agents that are started by the call: whether anything stands before what they do. */
export const agentRules: readonly HazardRule[] = [
  {
    id: 'ungated-agent',
    code: 'hazard.security_disabled',
    level: 'hard',
    reason: 'starts an agent without its gates',
    advice: 'Start the agent with its permission checks on.',
    safer: 'claude --version',
    examples: {
      match: ['claude --dangerously-skip-permissions -p x', 'claude --bare -p x'],
      not_match: ['claude --version', 'claude -p x'],
    },
    actions: ['agent:start'],
    when: (effect) => has(effect, 'ungated') || attribute(effect, 'gated') === 'no',
  },
  {
    id: 'unproven-agent',
    code: 'hazard.agent',
    level: 'soft',
    reason: 'starts an agent, and nothing shows that the gate would stand before it',
    advice: 'Do it yourself, or let a person start it.',
    safer: 'claude --version',
    examples: {
      match: ['claude -p x', 'codex exec x', 'npx @google/gemini-cli -p x', 'goose run -t x'],
      not_match: [
        'claude --version',
        'claude --dangerously-skip-permissions -p x',
        'codex login status',
        'which claude',
        'claude mcp list',
      ],
    },
    verbs: ['execute'],
    actions: ['agent:start'],
    when: (effect) => !has(effect, 'ungated') && !['yes', 'no'].includes(String(attribute(effect, 'gated'))),
  },
  {
    id: 'sandbox-off',
    code: 'hazard.security_disabled',
    level: 'soft',
    reason: 'runs a command outside of the sandbox that the host puts around commands',
    advice: 'Run it inside of the sandbox first, and say what it could not do there.',
    safer: { tool: 'Bash', args: { command: 'npm test' } },
    examples: {
      match: [{ tool: 'Bash', args: { command: 'npm test', dangerouslyDisableSandbox: true } }],
      not_match: [{ tool: 'Bash', args: { command: 'npm test', dangerouslyDisableSandbox: false } }, 'npm test'],
    },
    actions: ['sandbox:off'],
  },
  {
    id: 'remote-agent',
    code: 'hazard.agent',
    level: 'soft',
    reason: 'sets up or starts an agent on another machine, where this gate does not stand before it',
    advice: 'Do it yourself, or let your user set it up.',
    safer: { tool: 'RemoteTrigger', args: { action: 'list' } },
    examples: {
      match: [
        { tool: 'RemoteTrigger', args: { action: 'create', body: { prompt: 'x' } } },
        { tool: 'RemoteTrigger', args: { action: 'run', trigger_id: 'trig_1' } },
      ],
      not_match: [{ tool: 'RemoteTrigger', args: { action: 'list' } }],
    },
    actions: ['agent:remote'],
    when: (effect) => !/^(?:list|get)$/.test(String(attribute(effect, 'operation') ?? '')),
  },
]
