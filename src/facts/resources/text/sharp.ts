import { remembering } from './memo.ts'

/** Which parts of a program can do a hazard that can be told by its words at all: only those of long files are looked at. */

/** Words without which no hazard is done that can be told: places of the user and the system, programs that reach out, hidden code. */
const SHARP = new RegExp(
  [
    '~/|\\bHOME\\b|home_?dir|expanduser|Path\\.home|USERPROFILE|user\\.home|getpw',
    '/etc/|/root\\b|/home/|/Users/|/var/|/usr/|/opt/|/dev/|["\'`]/["\'`]',
    '\\.(?:ssh|aws|azure|npmrc|netrc|pypirc|gnupg|kube|docker|env)\\b|id_(?:rsa|ed25519|ecdsa)|credential|keychain|[Cc]ookies|[Ss]ecret',
    'authorized_keys|bashrc|zshrc|profile|crontab|systemctl|launchctl|LaunchAgents',
    'sudo|curl|wget|\\bn(?:et)?cat\\b|\\bnc\\b|socat|\\bssh\\b|\\bscp\\b|\\brsync\\b|git[ "\',]{1,4}push|kubectl|docker',
    '\\brm[ "\',]{1,4}-|chmod|chown|mkfs|\\bdd\\b|bash|[" \'`]sh[" \'`]|powershell',
    'base64|b64decode|atob|fromCharCode|unhexlify|fromhex|rot13|marshal|\\beval\\b|\\bexec\\b|new Function|compile\\(|__import__',
    'os\\.environ(?!\\.get|\\[)|process\\.env(?![.\\[])|ENV\\.(?:to_h|to_a|each|inspect|map)|env::vars|os\\.Environ|getenv\\(\\)',
    'socket|dup2|\\bpty\\b|urlopen|requests\\.|httpx|fetch\\(|axios|https?\\.(?:request|get|post)|Net::HTTP|TcpStream',
    'net\\.(?:connect|Socket|Dial)|openConnection|WebSocket|\\.connect\\(',
    'DROP |TRUNCATE |dropdb|dropDatabase|rmtree|rm_rf|rmSync|rimraf|remove_dir_all|RemoveAll|deleteRecursively|Deno\\.remove',
  ].join('|'),
)

/** True where a text names anything by which harm is done to the user, the machine or others. */
export const isSharp = remembering((text) => SHARP.test(text))

/** Where a statement begins that stands by itself: at the margin, unless it closes or goes on with what stands before. */
const BEGINS: Readonly<Record<string, RegExp>> = {
  python: /^(?!(?:else|elif|except|finally)\b)[\w@"'(*[{]/,
  node: /^[\w@"'`(/$[{;]/,
  ruby: /^(?!(?:end|else|elsif|when|rescue|ensure)\b)[\w@"'`:$[]/,
  shell: /^(?!(?:done|fi|esac|then|do|else|elif)\b)[^\s#})&|]/,
}
/** What names later statements are made of: modules that are loaded, and values at the margin. */
const NAMES: Readonly<Record<string, RegExp>> = {
  python: /^(?:import|from)\s|^\w+\s*=\s*[^\n]{0,200}$/,
  node: /^(?:import|const|let|var)\s[^\n]{0,400}$/,
  ruby: /^(?:require|include)\b|^\w+\s*=\s*[^\n]{0,200}$/,
  shell: /^(?:export\s+)?\w+=[^\n]{0,200}$/,
}

/** The statements of a program that are sharp, and those that give names; the whole text where its language is not taken apart. */
export function sharpParts(language: string, text: string): string {
  return PARTS[language]?.(text) ?? text
}

const PARTS: Readonly<Record<string, (text: string) => string>> = Object.fromEntries(
  Object.entries(BEGINS).map(([language, begins]) => {
    const names = NAMES[language] ?? SHARP
    return [language, remembering((text) => partsOf(text, begins, names))]
  }),
)

function partsOf(text: string, begins: RegExp, names: RegExp): string {
  const kept: string[] = []
  let current: string[] = []
  const close = (): void => {
    const part = current.join('\n')
    if (part !== '' && (names.test(part) || SHARP.test(part))) kept.push(part)
    current = []
  }
  let continued = false
  for (const line of text.split('\n')) {
    if (!continued && begins.test(line) && current.at(-1)?.startsWith('@') !== true) close()
    current.push(line)
    continued = line.endsWith('\\')
  }
  close()
  return kept.join('\n')
}
