import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { byName, list, refined, takes } from '../tool.ts'

/**
 * Programs that talk to devices over a bus, a line or the air. What they read is everyday; what they write switches, moves or sets something,
 * and nothing takes it back.
 */

function tells(context: CommandContext, what: string, span?: Word['span']): void {
  context.emit('change', context.thing('resource', what), {
    action: 'device:act',
    reversible: false,
    ...(span === undefined ? {} : { span }),
  })
}

interface Told {
  readonly on: string
  /** Words, operands first and then options, with which something is written; absent: always, null: never. */
  readonly writes?: RegExp | null
  readonly valued?: string
  readonly flags?: string
  readonly singleDashLong?: true
}

/** Writes where its words say so, and looks otherwise. */
function device({ on, writes, valued = '', flags = '', singleDashLong }: Told): CommandSpec {
  return refined(
    ({ operands, invocation: { args } }, context) => {
      const text = (words: readonly Word[]) => words.map((word) => word.text ?? '\0').join(' ')
      const said = ` ${text(operands)} ${text(args.filter(({ prefix }) => prefix.startsWith('-')))} `
      if (writes === undefined || writes?.test(said) === true) tells(context, on)
    },
    {
      operands: ['data'],
      options: takes(valued),
      flags: list(flags),
      inert: ['--help', '--version'],
      ...(singleDashLong === undefined ? {} : { singleDashLong }),
    },
  )
}

/** A bus that is only made up moves nothing. */
const isVirtual = (name: string): boolean => /^vx?can\d{0,4}$/.test(name)

const ontoBus: CommandSpec = refined(
  ({ operands: [bus] }, context) => {
    if (bus !== undefined && !isVirtual(bus.text ?? '')) tells(context, bus.text ?? bus.prefix, bus.span)
  },
  { operands: ['data'], options: takes('-g -I -L -D -n -p -e -s -d -l'), inert: ['-h', '-?', '--help'] },
)

/** `canplayer -I file to=from`: without such a pair the frames go where the file says. */
const replays: CommandSpec = refined(
  (parsed, context) => {
    const file = parsed.value('-I')
    if (file !== null) readPath(context, file)
    const to = parsed.operands.map(({ text }) => text?.split('=', 1)[0] ?? '')
    if (to.length === 0 || !to.every((name) => isVirtual(name) || name === 'stdout')) tells(context, to[0] ?? 'can')
  },
  { operands: ['data'], options: takes('-I -l -g -s -n'), flags: list('-t -i -v -x'), inert: ['-h', '-?', '--help'] },
)

const LOCAL = /^(?:localhost|127\.[\d.]{1,11}|::1|0\.0\.0\.0)$/

/** `mbpoll HOST 1`: whatever follows the device is written to it. */
const modbus: CommandSpec = refined(
  ({ operands: [host, ...values] }, context) => {
    if (host !== undefined && values.length > 0 && !LOCAL.test(host.text ?? '')) tells(context, host.text ?? host.prefix, host.span)
  },
  { operands: ['data'], options: takes('-m -a -r -c -t -p -b -d -P -s -l -o -0'), flags: list('-1 -B -u -q -v -W'), inert: ['-h', '-V'] },
)

/** Memories that are set for good, or lock what is there. */
const FUSE = /^(?:[lhe]?fuse\w{0,10}|lock\w{0,10}|efuse)$/i

/** `avrdude -U memory:operation:file`: what is read out changes nothing. */
function programs(parsed: ParsedCommand, context: CommandContext): void {
  const memories = parsed.values('-U').map(({ text, prefix }) => (text ?? prefix).split(':'))
  const written = memories.filter(([, operation]) => operation !== 'r' && operation !== 'v')
  if (written.some(([memory = '']) => FUSE.test(memory))) tells(context, 'fuses')
  if (written.length > 0 || parsed.flag('-e'))
    context.emit('change', context.thing('resource', 'board'), { action: 'dev:flash', reversible: false })
}

export const buses: CommandTable = byName({
  'cansend cangen isotpsend cansequence isotpserver slcan_attach': ontoBus,
  canplayer: replays,
  'candump cansniffer canbusload isotprecv isotpdump isotpsniffer log2asc asc2log canlogserver': device({ on: 'can', writes: null }),
  cangw: device({ on: 'can', writes: / -[ADF]/, valued: '-s -d -m -f -l' }),
  'mbpoll modpoll': modbus,
  gpioset: device({
    on: 'gpio',
    valued: '-m -s -u -D -B -c -t -p -C --mode --sec --usec --chip --toggle --hold-period --consumer --bias --drive',
  }),
  'gpioget gpioinfo gpiodetect gpiofind gpiomon gpionotify': device({ on: 'gpio', writes: null, valued: '-c -n -B -F -p --chip --bias' }),
  'raspi-gpio pinctrl': device({ on: 'gpio', writes: /^ set\b|\b(?:op|dh|dl|pu|pd)\b/ }),
  pigs: device({
    on: 'gpio',
    writes: /(?:^| )(?:w|write|p|pwm|s|servo|m|modes|trig|hp|hc|wvtx|wvtxr|i2cw\w{1,2}|spiw|spix|serw\w?|bs[12]|bc[12])(?: |$)/,
  }),
  i2cset: device({ on: 'i2c', valued: '-m' }),
  i2ctransfer: device({ on: 'i2c', writes: / w\d/ }),
  'i2cget i2cdump i2cdetect': device({ on: 'i2c', writes: null }),
  'bacwp bacwpm bacdcc bacrd bacucov bacawf': device({ on: 'bacnet' }),
  'bacrp bacrpm bacwi bacwh bacepics bacarf bacscov': device({ on: 'bacnet', writes: null }),
  uhubctl: device({
    on: 'usb power',
    writes: / (?:-a|--action)/,
    valued: '-l -L -p -a -d -r -w -n -s --location --level --ports --action --delay --repeat --wait --vendor --search',
  }),
  usbrelay: device({ on: 'relay', writes: /=/ }),
  sispmctl: device({ on: 'power outlets', writes: / -[oftAbB]/, valued: '-o -f -t -g -m -d -D -A -b' }),
  hackrf_transfer: device({ on: 'radio', writes: / -[txR]/, valued: '-r -t -f -a -l -g -x -s -n -b -c -d -p -w' }),
  'rpitx sendiq pifmrds pisstv pocsag tx_sdr limesdr_send codesend send433': device({ on: 'radio' }),
  irsend: device({ on: 'infrared', writes: /^ (?:send|set|simulate)/i, valued: '-d -a -# --device --address --count' }),
  'ir-ctl': device({
    on: 'infrared',
    writes: / (?:-s|-S|-k|--send|--scancode|--keycode)/,
    valued: '-s -S -k -K -d -c --send --scancode --keycode --keymap --device',
  }),
  'cec-ctl': device({ on: 'cec', writes: / --(?:standby|image-view-on|active-source|user-control\S*|give-audio\S*|set-\S+)/ }),
  knxtool: device({ on: 'knx', writes: /^ (?:groups?write|groupsresponse|on|off|dimup|dimdown|m\w+write|writeaddress)/ }),
  avrdude: {
    operands: ['data'],
    options: takes('-p -b -B -c -C -i -P -U -x -E -D'),
    flags: list('-e -F -n -O -q -u -t -v -V'),
    inert: list('--help -h --version -n'),
    refine: programs,
  },
})
