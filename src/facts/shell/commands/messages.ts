import { reachUrl, readPath } from '../acts.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../spec.ts'
import { each, list, takes } from './tool.ts'

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
    for (const word of parsed.values('-s', '--server')) reachUrl(context, 'send', word, { action: 'mail:send' })
    for (const word of parsed.values('--attach', '--body', '--data')) {
      if (word.prefix.startsWith('@')) readPath(context, { ...word, text: word.text?.slice(1) ?? null, prefix: word.prefix.slice(1) })
    }
    toEach([...parsed.values('-t', '--to'), ...parsed.operands], parsed, context)
  },
}

const local: CommandSpec = {
  operands: ['data'],
  inert: HELP,
  effects: [{ verb: 'change', action: 'message:local', target: { kind: 'resource', value: 'screens of this machine' } }],
}

const chat: CommandSpec = {
  operands: ['data'],
  inert: [...HELP, '-h'],
  effects: [{ verb: 'send', action: 'message:send', target: { kind: 'account', operand: 0, value: 'default channel' } }],
}

export const messages: CommandTable = {
  ...each('mail mailx s-nail nail mutt neomutt alpine', mail),
  ...each('sendmail msmtp ssmtp exim exim4 esmtp', sendmail),
  swaks,
  ...each('wall write mesg notify-send terminal-notifier zenity kdialog dunstify', local),
  ...each('slack slackcat telegram-send telegram-cli signal-cli discord.sh twilio ntfy pushover', chat),
  ...each('fetchmail getmail mbsync offlineimap', { inert: HELP, effects: [{ verb: 'fetch', action: 'mail:read' }] }),
}
