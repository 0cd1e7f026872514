import { resolvedName } from '../../../facts/effect.ts'
import type { HazardPack } from '../rule.ts'
import { action } from './match.ts'

/** Lines and buses of this machine that devices hang on; disks are the matter of other rules. */
const LINE = new RegExp(
  String.raw`^/dev/(?:tty(?:ACM|USB|AMA|THS|mxc|O|S)\d|serial/|cu\.|i2c-\d|spidev\d|gpiochip\d|hidraw\d|lp\d|usb/|bus/usb/)` +
    String.raw`|^/sys/class/(?:gpio|pwm|leds|hwmon|regulator|thermal)/`,
)

export const devices: HazardPack = {
  name: 'devices',
  summary: 'what devices are told over a bus, a line or the air',
  rules: [
    {
      id: 'told-device',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'tells a device what to do: it switches, moves or sets something that is no file',
      advice: 'Show what would be sent, and let your user run it.',
      safer: 'gpioinfo gpiochip0',
      examples: {
        match: ['cansend can0 123#00', 'gpioset gpiochip0 4=1', 'echo AT > /dev/ttyUSB0', 'uhubctl -l 1-1 -p 1 -a cycle'],
        not_match: [
          'candump can0',
          'cansend vcan0 123#00',
          'gpioget gpiochip0 4',
          'echo x > /dev/null',
          'stty -F /dev/ttyUSB0 9600',
          'uhubctl',
        ],
      },
      verbs: ['change', 'write'],
      when: (effect) =>
        action(effect, 'device:act') ||
        (effect.verb === 'write' && effect.target.kind === 'path' && LINE.test(resolvedName(effect.target))),
    },
  ],
}
