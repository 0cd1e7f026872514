/** Claude Code's built-in tools and their inputs. */
import type { ToolFamily } from '../spec.ts'
import { FIND_FILES, quiet, SEARCH_FILES } from './shapes.ts'

export const claudeCode: ToolFamily = {
  family: 'claude-code',
  servers: [],
  tools: {
    Bash: {
      tier: 'medium',
      args: { command: 'shell', description: 'ignore' },
      refine: (context) => {
        if (context.value('dangerouslyDisableSandbox') !== true) return
        context.emit('change', context.thing('agent', 'sandbox'), {
          action: 'sandbox:off',
          attributes: { argument: 'dangerouslyDisableSandbox' },
        })
      },
    },
    PowerShell: { tier: 'medium', args: { command: 'powershell', description: 'ignore' } },
    Monitor: { tier: 'medium', args: { command: 'shell', description: 'ignore', 'ws.url': 'fetch' } },
    Read: { tier: 'low', args: { file_path: 'read' } },
    Write: { tier: 'low', args: { file_path: 'write' } },
    Edit: { tier: 'low', args: { file_path: 'write' } },
    MultiEdit: { tier: 'low', args: { file_path: 'write' } },
    NotebookEdit: { tier: 'low', args: { notebook_path: 'write' } },
    NotebookRead: { tier: 'low', args: { notebook_path: 'read' } },
    LS: { tier: 'low', args: { path: 'list' } },
    Glob: FIND_FILES,
    Grep: SEARCH_FILES,
    LSP: { tier: 'low', on: { path: 'read' } },
    WebFetch: { tier: 'low', args: { url: 'fetch', prompt: 'ignore' } },
    WebSearch: {
      tier: 'low',
      args: { query: 'ignore', 'allowed_domains.*': 'ignore', 'blocked_domains.*': 'ignore' },
      effects: [{ verb: 'fetch', action: 'web:search', kind: 'resource', value: 'web search' }],
    },
    Agent: {
      tier: 'low',
      args: { prompt: 'ignore', description: 'ignore' },
      effects: [{ verb: 'execute', action: 'agent:task', kind: 'agent', from: ['subagent_type'], value: 'subagent' }],
    },
    Workflow: { tier: 'low', effects: [{ verb: 'execute', action: 'agent:task', kind: 'agent', from: ['name'], value: 'workflow' }] },
    Skill: {
      tier: 'low',
      effects: [{ verb: 'execute', action: 'agent:skill', kind: 'agent', from: ['skill', 'command', 'name'], value: 'skill' }],
      args: { command: 'ignore' },
    },
    CronCreate: {
      tier: 'medium',
      args: { prompt: 'ignore', cron: 'ignore' },
      effects: [
        {
          verb: 'persist',
          action: 'agent:schedule',
          kind: 'agent',
          from: ['cron'],
          value: 'cron',
          attributes: { recurring: ['recurring'], durable: ['durable'] },
        },
      ],
    },
    CronDelete: {
      tier: 'low',
      effects: [{ verb: 'change', action: 'agent:unschedule', kind: 'agent', from: ['id', 'name'], value: 'cron' }],
    },
    RemoteTrigger: {
      tier: 'high',
      effects: [
        {
          verb: 'send',
          action: 'agent:remote',
          kind: 'agent',
          from: ['trigger_id'],
          value: 'remote trigger',
          attributes: { operation: ['action'] },
        },
      ],
    },
    SendMessage: {
      tier: 'low',
      args: { message: 'ignore', summary: 'ignore', to: 'ignore' },
      effects: [{ verb: 'send', action: 'agent:message', kind: 'agent', from: ['to', 'recipient'], value: 'agent' }],
    },
    EnterWorktree: {
      tier: 'low',
      args: { path: 'ignore', name: 'ignore' },
      effects: [{ verb: 'change', action: 'git:worktree', kind: 'repository', from: ['path', 'name'], value: 'worktree' }],
    },
    ExitWorktree: {
      tier: 'low',
      refine: (context) => {
        const discards = context.value('discard_changes') === true
        context.emit('change', context.thing('repository', 'worktree'), {
          action: discards ? 'git:discard' : 'git:worktree',
          reversible: !discards,
          directory: context.cwd,
        })
      },
    },
    SendUserFile: { tier: 'low', on: { path: 'read' } },
    ShareOnboardingGuide: {
      tier: 'medium',
      effects: [{ verb: 'publish', action: 'file:share', kind: 'resource', value: 'onboarding guide' }],
    },
    SendFeedback: { tier: 'medium', effects: [{ verb: 'send', action: 'feedback:send', kind: 'resource', value: 'feedback' }] },
    Artifact: { tier: 'low', args: { file_path: 'read' } },
    ReadMcpResourceTool: {
      tier: 'low',
      args: { uri: 'ignore' },
      effects: [{ verb: 'read', action: 'mcp:resource', kind: 'resource', from: ['uri'], value: 'resource' }],
    },
    ReadMcpResourceDirTool: {
      tier: 'low',
      args: { uri: 'ignore' },
      effects: [{ verb: 'read', action: 'mcp:resource', kind: 'resource', from: ['uri'], value: 'resource' }],
    },
    ...quiet(
      'AskUserQuestion ClaudeDesign CronList EndConversation EnterPlanMode ExitPlanMode ListAgents ListMcpResourcesTool ' +
        'OfferChromeSetup Projects propose_skills',
    ),
    ...quiet(
      'PushNotification ReadNotifications ReportFindings ScheduleWakeup SendUserMessage SetGoal ShowOnboardingRolePicker SubagentHandback',
    ),
    ...quiet('TaskCreate TaskGet TaskList TaskStop TaskUpdate TaskOutput TodoWrite TodoRead ToolSearch WaitForMcpServers BashOutput'),
  },
  aliases: { Task: 'Agent', KillShell: 'TaskStop', KillBash: 'TaskStop', SlashCommand: 'Skill' },
}
