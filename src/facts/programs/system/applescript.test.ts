import { describe, expect, test } from 'vitest'
import { family } from '../../../layers/hazard/verdict-harness.ts'
import { facts, lines } from '../../bash/harness.ts'

const script = (text: string) => `osascript -e '${text}'`
const javascript = (text: string) => `osascript -l JavaScript -e '${text}'`

/** What is handed to a shell, in whichever way. */
const DELETES: readonly string[] = [
  script('do shell script "rm -rf /srv/x"'),
  script('do shell script "rm -rf /srv/x" with administrator privileges'),
  script('tell application "Terminal" to do script "rm -rf /srv/x"'),
  script('tell application "iTerm" to tell current session of current window to write text "rm -rf /srv/x"'),
  script('tell application "System Events" to keystroke "rm -rf /srv/x"'),
  script('run script "do shell script \\"rm -rf /srv/x\\""'),
  javascript('Application.currentApplication().doShellScript("rm -rf /srv/x")'),
  javascript('const app = Application("Terminal"); app.doScript("rm -rf /srv/x")'),
  javascript('Application("System Events").keystroke("rm -rf /srv/x")'),
  `osascript -e 'tell application "Terminal"' -e 'do script "rm -rf /srv/x"' -e 'end tell'`,
  "xdotool type 'rm -rf /srv/x'",
  "ydotool type 'rm -rf /srv/x'",
  "wtype 'rm -rf /srv/x'",
  "cliclick t:'rm -rf /srv/x'",
]

describe('commands that are given to a shell through other programs', () => {
  for (const command of DELETES)
    test(command, () => expect(facts(command).effects.some((item) => item.verb === 'delete' && item.target.real === '/srv/x')).toBe(true))
})

describe('what is put together is not known', () => {
  for (const command of [
    script('do shell script "rm -rf " & quoted form of x'),
    script('set x to "ls"\ndo shell script x'),
    script('run script x'),
    javascript('app.doShellScript(x)'),
    javascript('app.doShellScript("rm -rf " + x)'),
    javascript('ObjC.import("stdlib"); $.system("ls")'),
    'osascript -e "$X"',
  ])
    test(command, () => expect(facts(command).coverage).toBe('partial'))
})

describe('what programs are told', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['tell application "Messages" to send "hi" to buddy "x"', 'likely send message:send'],
    ['tell application "Finder" to empty the trash', 'likely delete fs:trash trash'],
    ['tell application "System Events" to shut down', 'likely change power:off system'],
    ['tell application "System Events" to restart', 'likely change power:restart system'],
    ['tell application "Notes" to delete every note', 'likely delete mail:delete mail or notes'],
    ['get the clipboard', 'likely read clipboard:read clipboard'],
    ['set the clipboard to "x"', 'likely change clipboard:write clipboard'],
    ['tell application "System Events" to keystroke "hello"', 'execute app:input keyboard and mouse'],
    ['tell application "Finder" to get name of every window', 'likely execute app:script AppleScript'],
  ]
  for (const [text, expected] of cases) test(text, () => expect(lines(script(text))).toContain(expected))
  test('a notification is nothing', () => expect(lines(script('display notification "done"'))).toEqual([]))
  test('text that is no command line is not taken for one', () =>
    expect(lines("xdotool type 'hello world'")).toEqual(['execute app:input keyboard and mouse']))
})

family('programs that are steered', {
  meets: 'ask message',
  commands: [script('tell application "Messages" to send "hi" to buddy "x"'), javascript('Application("Messages").send("x", {to: y})')],
  run: [script('display notification "done"'), script('tell application "Finder" to get name of every window'), 'xdotool getactivewindow'],
})
