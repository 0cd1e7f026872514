import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath } from '../../resources/acts.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Programs that tell somebody something.
 * Actions: mail:send (attributes attachments) · mail:read · message:local (users and screens of this machine) · message:send.
 */

const HELP = ['--help', '--version', '-V']

function toEach(recipients: readonly Word[], parsed: ParsedCommand, context: CommandContext): void {
  const attached = parsed.values('-a', '-A', '--attach', '--attach-type')
  for (const word of attached) readPath(context, word)
  for (const word of recipients) {
    context.emit('send', context.thing('address', word.text ?? `${word.prefix}*`), {
      action: 'mail:send',
      span: word.span,
      ...(word.text === null ? { reason: 'the recipient is not known before it runs' } : {}),
      attributes: attached.length > 0 ? { attachments: attached.length } : {},
    })
  }
}

const mail: CommandSpec = {
  flags: list('-i -n -N -v -E -t -H -e -f -d -x -F'),
  options: { ...takes('-s -c -b -r -S -u -a -A -O -e -m --subject --cc --bcc --attach --return-address --append'), '-q': 'read' },
  inert: HELP,
  refine: (parsed, context) => {
    const recipients = [...parsed.operands, ...parsed.values('-c', '-b', '--cc', '--bcc')]
    if (recipients.length > 0) toEach(recipients, parsed, context)
    else if (parsed.invocation.name === 'mail' || parsed.invocation.name === 'mutt')
      context.emit('read', context.thing('resource', 'mailbox'), { action: 'mail:read' })
  },
}

const sendmail: CommandSpec = {
  flags: list('-t -i -v -oi -om -bs -bp -n -G -bd -q'),
  options: takes('-f -F -r -O -a -S -h -p -R -V -X -C --from --host --port --user --account --file'),
  inert: HELP,
  refine: (parsed, context) => {
    if (parsed.flag('-bp', '-q')) return
    if (parsed.operands.length > 0) toEach(parsed.operands, parsed, context)
    else context.emit('send', context.thing('address', 'the recipients in the message'), { action: 'mail:send' })
  },
}

const swaks: CommandSpec = {
  flags: list('-tls --tls -a --auth -S'),
  options: {
    ...takes('-t -f -s -p -au -ap --to --from --server --port --header --body --auth-user --auth-password --h-Subject'),
    '--attach': 'data',
    '--data': 'data',
  },
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.values('-s', '--server')) reachUrl(context, word, { verb: 'send', action: 'mail:send' })
    for (const word of parsed.values('--attach', '--body', '--data')) {
      if (word.prefix.startsWith('@')) readPath(context, sliceWord(word, 1))
    }
    toEach([...parsed.values('-t', '--to'), ...parsed.operands], parsed, context)
  },
}

const local: CommandSpec = {
  operands: ['data'],
  inert: HELP,
  effects: [{ verb: 'change', action: 'message:local', target: { kind: 'resource', value: 'screens of this machine' } }],
}

/** `wall [file]`: words that name no file are the message. */
const wall: CommandSpec = {
  ...local,
  flags: list('-n --nobanner'),
  options: takes('-t --timeout -g --group'),
  refine: ({ operands: [file, ...more] }, context) => {
    if (file !== undefined && more.length === 0 && (file.text ?? '').includes('/') && !/\s/.test(file.text ?? '')) readPath(context, file)
  },
}

/** `terminal-notifier -execute command` runs it when the notice is clicked. */
function notifies(parsed: ParsedCommand, context: CommandContext): void {
  const command = parsed.value('-execute')
  if (command !== null) context.shell(command.text, command.span, 'terminal-notifier')
}

/** Windows that ask: what is typed into one for passwords goes to the caller. */
const asks: CommandSpec = {
  ...local,
  flags: list('--password --username --newpassword'),
  options: takes('--text --title --msgbox --yesno --inputbox'),
  refine: (parsed, context) => {
    if (parsed.flag('--password', '--newpassword')) context.emit('read', context.thing('account', 'user input'), { action: 'secret:read' })
  },
}

const CHAT_VERBS: ReadonlySet<string> = new Set(list('send publish pub chat message messages create file upload'))

/** Chat clients: files that are named go along; `subscribe` and the like only listen. */
const chat: CommandSpec = {
  options: takes(
    '-c --channel -m --message -t --title --to --from --body -a --account -u --username -r --recipient --tags --priority ' +
      '--file -f --attachment --image --filename',
  ),
  operands: ['data'],
  inert: [...HELP, '-h'],
  refine: (parsed, context) => {
    const words = parsed.operands.filter((word) => !CHAT_VERBS.has(word.text ?? ''))
    const [first] = parsed.operands
    const files = parsed.values('--file', '-f', '--attachment', '--image').concat(parsed.invocation.name === 'slackcat' ? words : [])
    for (const word of files) readPath(context, word)
    const listens = /^(?:subscribe|sub|receive|listen|list|ls|listGroups|history)$|:(?:list|fetch|profile)$/.test(first?.text ?? '')
    const to = parsed.value('--to', '-r', '--recipient', '-c', '--channel') ?? words.at(parsed.invocation.name === 'signal-cli' ? -1 : 0)
    const name = to === undefined || files.includes(to) ? 'default channel' : (to.text ?? 'unknown')
    context.emit(listens ? 'fetch' : 'send', context.thing('account', name), { action: listens ? 'message:read' : 'message:send' })
  },
}

export const messages: CommandTable = byName({
  'mail mailx s-nail nail mutt neomutt alpine': mail,
  'sendmail msmtp ssmtp exim exim4 esmtp': sendmail,
  swaks,
  wall,
  'write mesg notify-send dunstify': local,
  'terminal-notifier': {
    ...local,
    options: takes('-execute -message -title -open -subtitle -sound -group'),
    singleDashLong: true,
    refine: notifies,
  },
  'zenity kdialog': asks,
  'slack slackcat telegram-send telegram-cli signal-cli discord.sh twilio ntfy pushover apprise toot twurl matrix-commander': chat,
  'fetchmail getmail mbsync offlineimap': { inert: HELP, effects: [{ verb: 'fetch', action: 'mail:read' }] },
})
