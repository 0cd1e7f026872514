import type { Language } from '../../../host.ts'
import { known } from '../../interpret/reading.ts'
import type { Call } from '../../interpret/run.ts'
import type { Value } from '../../interpret/value.ts'
import { lastName, operationName } from './roots.ts'

/** Packages whose one use is to talk to devices, at this machine or over a bus: what is called there is told to something that is no file. */

const PACKAGES: Partial<Readonly<Record<Language, ReadonlySet<string>>>> = {
  python: new Set(
    (
      'RPi gpiozero pigpio lgpio gpiod periphery smbus smbus2 spidev serial can canopen snap7 pymodbus minimalmodbus pycomm3 BAC0 asyncua ' +
      'digitalio pwmio busio usb hid pyftdi pylibftdi pyfirmata pyfirmata2 Adafruit_GPIO kasa phue pysnmp miio pychromecast pyvisa ' +
      'nidaqmx nidcpower nifgen niswitch nidigital mcculw uldaq labjack pymeasure instrumental qcodes zhinst easy_scpi pylablib ' +
      'thorlabs_apt zaber_motion pipython rtde_control ur_rtde dynamixel_sdk odrive roboclaw djitellopy dronekit mavsdk pymavlink cflib ' +
      'pyads opcua epics caproto tango pyHS100 tinytuya broadlink pywemo'
    ).split(' '),
  ),
  node: new Set(
    (
      'onoff johnny-five serialport i2c-bus spi-device pigpio rpio array-gpio node-hid usb socketcan modbus-serial jsmodbus nodes7 ' +
      'node-opcua bacstack node-bacnet tplink-smarthome-api net-snmp raspi-io'
    ).split(' '),
  ),
  ruby: new Set('SerialPort UART RPi PiPiper Pigpio I2C SPI ModBus Artoo Dino'.split(' ')),
}

/** The package of devices that a dotted name is of; null for all others. */
export function devicePackage(language: Language, name: string): string | null {
  const head = /^@?[^.]+/.exec(name)?.[0] ?? ''
  return PACKAGES[language]?.has(head) === true ? head : null
}

/** First words by which a function of such a package, without an object, says that it writes. */
const WRITES = new Set('output write send set put move turn blink beep tone transfer xfer exec trigger digital analog publish'.split(' '))
/** How it works, and not what it does. */
const MODES = new Set('mode warnings timeout pull up debounce logger level'.split(' '))

/** Whether a function of a package of devices writes to one, by its name. */
export function writesToDevice({ name, args, named }: Call): boolean {
  const bare = lastName(name)
  // `eWriteName`: one letter is no word.
  const [first = '', second = ''] = operationName(bare)
    .split('-')
    .filter((word) => word.length > 1)
  return args.length + named.size > 0 && !/^[A-Z]/.test(bare) && WRITES.has(first) && !MODES.has(second)
}

/** What needs nothing to be said with it: `led.on()`, `plug.turn_off()`. */
const ALONE = new Set(
  (
    'turn toggle blink beep pulse power reboot restart reset shutdown shut arm disarm takeoff land launch fire trigger home halt forward ' +
    'backward raise lower dispense eject erase format kill unlock lock on off high low'
  ).split(' '),
)
const OFTEN_OF_OBJECTS = new Set('on off lock unlock reset home high low format'.split(' '))
/** Things that are opened and started as files and connections are. */
const MOVED = /relay|valve|servo|motor|lock|door|pump|gate|switch|heater|buzzer|led|light|blind|garage/i
const MOVES = new Set('open close start stop run'.split(' '))

/** Whether a call without anything said with it is an act: on what an object of `made` stands for. */
export function actsAlone(name: string, made: string, ofDevices: boolean): boolean {
  const words = operationName(name).split('-')
  const [first = ''] = words
  if (MOVES.has(first)) return MOVED.test(made)
  if (words.some((word) => word === 'status' || word === 'state' || word === 'get')) return false
  return ALONE.has(first) && (words.length > 1 || ofDevices || !OFTEN_OF_OBJECTS.has(first))
}

/** Attributes of an object that stands for a connection: how it works, and whom it calls. */
const CALLED_BACK = /^(?:on_?[a-z]|_)/i
const SETTINGS = new RegExp(
  String.raw`(?:timeout|baud_?rate|retries|verify|header|debug|logg?er|level|encoding|parity|bits|size|commit|factory|callback|handler|auth` +
    String.raw`|token|name|buffer|rts|dtr|flow|interval|session|proxies|config|options?|prefix|data|cache)$`,
  'i',
)

/** Whether a value that an attribute of such an object is given tells the other side something. */
export function setsDevice(name: string, value: Value | undefined): boolean {
  return (
    value !== undefined &&
    value.kind !== 'function' &&
    value.kind !== 'ref' &&
    value.kind !== 'method' &&
    !CALLED_BACK.test(name) &&
    !SETTINGS.test(name)
  )
}

const HERE =
  /^(?:(?:[a-z]\w{0,20}:\/\/)?(?:localhost|127\.[\d.]{1,11}|0\.0\.0\.0|\[?::1\]?)(?::\d{1,5})?(?:\/.*)?|vx?can\d{0,3}|virtual|loop:\/\/.*|mock\w*)$/i

/** Something that the call is given says that no device is meant: this machine, a bus that is only made up. */
export function staysHere({ args, named }: Call): boolean {
  return [...args.slice(0, 4), ...named.values()].some((value) => {
    const given = known(value)
    if (given !== null) return HERE.test(given)
    return value.kind === 'dict' && [...value.entries.values()].some((item) => HERE.test(known(item) ?? ''))
  })
}
