/** Pages about hosts, made of what the code says of them: one a host, and the table of all. */
import { homedir } from 'node:os'
import type { Borrowing, HostAbout, HostAdapter } from '../src/hosts/adapter.ts'
import { secondsFor } from '../src/hosts/adapter.ts'
import { HOSTS } from '../src/hosts/all.ts'

const ASKED = { prompt: "the host's own prompt", denial: 'a denial that names the approval' } as const

const SEEN: Readonly<Record<HostAbout['seen'], string>> = {
  driven: 'Seen with the real client: [what it runs and what it stops](../hosts.md#what-real-clients-do).',
  documents: 'From the documents of the host: nobody here ran it yet. `countersign doctor` tries the installed hook, and not the host.',
}

/** Path and text of each page. */
export function hostPages(mark: string): readonly (readonly [string, () => string])[] {
  const each = HOSTS.map((host): readonly [string, () => string] => [
    `docs/guide/hosts/${host.name}.md`,
    () => `${mark}\n${hostPage(host)}`,
  ])
  return [...each, ['docs/reference/hosts.md', () => `${mark}\n${table()}`]]
}

function hostPage(host: HostAdapter): string {
  const { name, about } = host
  const { ask, escapes, scopes, waits } = about
  const questions =
    ask.attended === ask.headless
      ? `A question is ${ASKED[ask.headless]}: ${ask.why}.\n  Once somebody said yes (\`countersign approvals approve …\`), the same call passes once.`
      : `A question is ${ASKED[ask.attended]}, and where nobody sits there ${ASKED[ask.headless]}: ${ask.why}.`
  return `
# ${about.title}

\`\`\`sh
countersign init --agent ${name}
countersign doctor
\`\`\`

The first shows what it writes before it does: a policy, a hook script, and the hook in \`${where(host)}\`. The second sends a destructive
call through the installed hook and looks into the log. \`countersign uninstall --agent ${name}\` leaves the files as they were.
${scopes.length === 1 ? '' : `\`--scope\` takes ${scopes.map((scope) => `\`${scope}\``).join(', ')}.\n`}
${SEEN[about.seen]}

- ${questions}
- The host waits ${waits} seconds, and the gate answers within ${2 * secondsFor(about) + 3}, so its answer comes before the host gives up.
- Where the hook fails (${failures(about)}).
- ${about.subagents === undefined ? APART : 'Subagents belong to the session of the agent that started them.'}
${[...borrowed(about), ...escapes.map((each) => `- The gate does not see ${each}.`)].join('\n')}
`
}

const APART =
  'It does not say to which session a subagent belongs: what one reports counts as [text from the network](../sequences.md#agents-that-start-agents).'

const TOLD: Readonly<Record<Borrowing['told'], string>> = {
  once: 'A call that comes through both hooks is decided once: one record, one question, one answer.',
  apart: 'Its calls there look like those of the other host, so each is judged and asked about twice: install one of the two hooks.',
}

function borrowed({ borrows = [] }: HostAbout): readonly string[] {
  return borrows.map(({ from, scopes, when, told }) => {
    const title = HOSTS.find(({ name }) => name === from)?.about.title ?? from
    return `- It also runs hooks in the ${scopes.join(' and ')} settings of ${title}${when === '' ? '' : ` ${when}`}. ${TOLD[told]}`
  })
}

function where(host: HostAdapter): string {
  return host.settingsPath({ scope: 'user', node: '', program: '', build: '' }).replace(homedir(), '~')
}

function failures({ failing }: HostAbout): string {
  const words = { stopped: 'the call is stopped', runs: 'the host runs the call', unknown: 'it is not known what the host does' } as const
  const ways = Object.keys(NAMES) as (keyof typeof NAMES)[]
  return [...new Set(Object.values(failing))]
    .map(
      (what) =>
        `${ways
          .filter((way) => failing[way] === what)
          .map((way) => NAMES[way])
          .join(', ')}: ${words[what]}`,
    )
    .join(';\n  ')
}

const NAMES = {
  crash: 'it crashes',
  hang: 'it hangs',
  missing: 'its file is gone',
  empty: 'its file is empty',
  garbage: 'its file is garbage',
} as const

function table(): string {
  const rows = HOSTS.map(({ name, about: { title, ask, failing, seen } }) => {
    const open = Object.entries(failing).flatMap(([way, what]) => (what === 'stopped' ? [] : [`${way}: ${what}`]))
    const asked = ask.attended === ask.headless ? ASKED[ask.headless] : `${ASKED[ask.attended]}; headless ${ASKED[ask.headless]}`
    return `| [${title}](../guide/hosts/${name}.md) | ${asked} | ${open.length === 0 ? 'stopped' : open.join(', ')} | ${seen} |`
  })
  return `
# Hosts

What a question becomes at each host, and what happens to a call where the hook fails. No row says allow.

| host | a question becomes | a hook that fails | known from |
|---|---|---|---|
${rows.join('\n')}
`
}
