import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { factsOf } from './tool-harness.ts'

/** Server, tool and arguments, and whether a device is told something. */
const CASES: readonly (readonly [server: string, tool: string, args: JsonObject, tells: boolean])[] = [
  ['plc', 'write_tag', { tag: 'Pump3.Run', value: true }, true],
  ['plc', 'read_tag', { tag: 'Pump3.Run' }, false],
  ['modbus', 'write_multiple_registers', { address: 40, values: [1] }, true],
  ['modbus', 'read_holding_registers', { address: 40, count: 4 }, false],
  ['gpio', 'pulse', { pin: 17, ms: 200 }, true],
  ['gpio', 'pin_state', { pin: 17 }, false],
  ['gpio', 'list_pins', {}, false],
  ['canbus', 'capture_frames', { seconds: 2 }, false],
  ['house', 'set_valve', { valve: 'v-1', open: true }, true],
  ['house', 'valve_report', { valve: 'v-1' }, false],
  ['docs', 'write_page', { title: 'Relays' }, false],
  ['compiler', 'list_registers', { target: 'x86' }, false],
]

describe('tools that tell devices something', () => {
  for (const [server, tool, args, tells] of CASES)
    test(`${server} ${tool}`, () =>
      expect(factsOf(tool, args, { server }).effects.some(({ action }) => action === 'device:act')).toBe(tells))
})
