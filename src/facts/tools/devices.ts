/** Tools that act on devices: by what their server stands for, or by what their name says is written or switched. */
import type { ToolDefinition } from '../../core/call.ts'
import { wordsOf } from '../resources/text/identifier.ts'
import { isTelling, saysItReads } from './acting.ts'
import type { Collector } from './collect.ts'
import type { Intent } from './spec.ts'

/** What a server of such devices goes by. */
const SERVERS: ReadonlySet<string> = new Set(
  (
    'plc scada hmi modbus canbus can opcua opc gpio bacnet knx zigbee zwave serial uart i2c spi robot cnc ros mavlink actuator relay relays irrigation ' +
    'sprinkler sprinklers hvac dmx conveyor crane elevator greenhouse feeder dispenser'
  ).split(' '),
)
/** Things that are written or switched and are no data. */
const THINGS: ReadonlySet<string> = new Set(
  (
    'register registers coil coils relay relays valve valves pump pumps breaker breakers actuator actuators servo servos solenoid ' +
    'setpoint setpoints gpio plc'
  ).split(' '),
)
const LOOKS: ReadonlySet<string> = new Set(
  'capture sniff dump sample poll measure ping discover identify enumerate subscribe connect disconnect simulate explain decode log plot'.split(
    ' ',
  ),
)
const CHANGES: ReadonlySet<Intent['verb']> = new Set<Intent['verb']>(['change', 'write', 'delete', 'execute', 'send', 'publish'])

interface Named {
  readonly server: string | null
  readonly name: string
}

/** Reports that a tool, which no table knows, tells a device something. */
export function reportDevice(
  { server, name }: Named,
  intent: Intent | null,
  {
    definition,
    collector,
  }: {
    readonly definition: ToolDefinition | null
    readonly collector: Collector
  },
): void {
  const words = wordsOf(name)
  if (saysItReads(definition) || LOOKS.has(words[0] ?? '') || intent?.verb === 'read' || intent?.verb === 'fetch') return
  if (intent === null && isTelling(words)) return
  const ofDevices = wordsOf(server ?? '').some((word) => SERVERS.has(word)) && words.length > 0 && Object.keys(collector.args).length > 0
  const onThing = intent !== null && CHANGES.has(intent.verb) && words.slice(1).some((word) => THINGS.has(word))
  if (!ofDevices && !onThing) return
  collector.emit('change', collector.thing('resource', name), {
    action: 'device:act',
    certainty: 'likely',
    reversible: false,
    attributes: { tool: name },
  })
}
