import { deletes, does, TREE } from '../api/act.ts'
import { nameOf } from '../interpret/call.ts'
import { known } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { object, text, UNKNOWN, type Value } from '../interpret/value.ts'

/** Python on a desktop: key stores, the registry, keyboard and mouse, the schedule. */

const HIVES: ReadonlyMap<string, string> = new Map([
  ['winreg.HKEY_LOCAL_MACHINE', 'HKLM'],
  ['winreg.HKEY_CURRENT_USER', 'HKCU'],
  ['winreg.HKEY_CLASSES_ROOT', 'HKCR'],
  ['winreg.HKEY_USERS', 'HKU'],
])

/** `OpenKey(HKEY_CURRENT_USER, path)` as `HKCU\path`. */
function keyOf(value: Value | undefined, below: Value | undefined): Value {
  const hive = value?.kind === 'object' ? known(value) : HIVES.get(nameOf(value))
  const path = known(below)
  return hive === null || hive === undefined || path === null ? UNKNOWN : text(path === '' ? hive : `${hive}\\${path}`)
}

const opensKey: Handler = (call) => object('registry-key', { text: keyOf(call.args[0], call.args[1]) })

/** As `reg add` and `reg delete` would. */
function registers(verb: 'add' | 'delete', words: (call: Call) => readonly Value[]): Handler {
  return (call) => {
    call.run.acts.command([text('reg'), text(verb), ...words(call), text('/f')], call.name)
    return undefined
  }
}

const scheduled: Handler = (call) => {
  const command = call.named.get('command') ?? call.args[0]
  call.run.acts.emit('persist', call.run.context.thing('service', 'crontab'), { action: 'schedule:cron' })
  if (command !== undefined) call.run.acts.shell(command, 'crontab')
  return object('cron-job')
}

const types = does('execute', 'app:input', { kind: 'resource', value: 'keyboard and mouse' })

export const DESKTOP: Table = {
  'keyring.get_password keyring.get_credential secretstorage.get_all_items': does('read', 'secret:read', {
    kind: 'resource',
    value: 0,
    reversible: true,
  }),
  'browser_cookie3.load browser_cookie3.chrome browser_cookie3.firefox browser_cookie3.edge browser_cookie3.safari browser_cookie3.brave':
    does('read', 'secret:read', { kind: 'resource', value: 'cookies of a browser', reversible: true }),
  'keyring.set_password keyring.delete_password': does('change', 'secret:change', { kind: 'resource', value: 0 }),
  'winreg.OpenKey winreg.OpenKeyEx winreg.CreateKey winreg.CreateKeyEx _winreg.OpenKey': opensKey,
  'winreg.SetValueEx _winreg.SetValueEx': registers('add', ({ args }) => [
    keyOf(args[0], text('')),
    text('/v'),
    args[1] ?? UNKNOWN,
    text('/d'),
    args[4] ?? UNKNOWN,
  ]),
  'winreg.SetValue': registers('add', ({ args }) => [keyOf(args[0], args[1]), text('/d'), args[3] ?? UNKNOWN]),
  'winreg.DeleteKey winreg.DeleteKeyEx': registers('delete', ({ args }) => [keyOf(args[0], args[1])]),
  'winreg.DeleteValue': registers('delete', ({ args }) => [keyOf(args[0], text('')), text('/v'), args[1] ?? UNKNOWN]),
  'pyautogui.typewrite pyautogui.write pyautogui.press pyautogui.hotkey pyautogui.click keyboard.write keyboard.send': types,
  'pynput.keyboard.Listener keyboard.on_press keyboard.hook keyboard.record pynput.mouse.Listener': does('read', 'capture:keys', {
    kind: 'resource',
    value: 'keyboard',
    reversible: true,
  }),
  'pyautogui.screenshot PIL.ImageGrab.grab mss.mss': does('read', 'capture:screen', {
    kind: 'resource',
    value: 'screen',
    reversible: true,
  }),
  'crontab.CronTab': () => object('crontab'),
  'send2trash.send2trash': deletes(0, { ...TREE, reversible: true }),
}

export const DESKTOP_METHODS: Table = {
  'crontab.new': scheduled,
  'crontab.remove_all': does('change', 'schedule:remove', { kind: 'service', value: 'crontab' }),
}
