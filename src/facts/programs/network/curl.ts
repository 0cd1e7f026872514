import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { isStream, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { byName, list, takes } from '../tool.ts'
import { between, followsUpTo, proxyVariables, request, save, saveByName } from './http.ts'
import { bodiesOf, bodyIn, reportQueries } from './queries.ts'

/** curl. A file named by `@` in any option is read; what is read goes out with the request. Actions: see http.ts. */

const DATA = ['-d', '--data', '--data-ascii', '--data-binary', '--json']
const URLENCODED = ['--data-urlencode', '--url-query']
const FORM = ['-F', '--form']
const UPLOAD = ['-T', '--upload-file']
const PROXIES = ['-x', '--proxy', '--preproxy', '--socks4', '--socks4a', '--socks5', '--socks5-hostname', '--proxy1.0', '--doh-url']

const spec: CommandSpec = {
  flags: list(
    '-0 -1 -2 -3 -4 -6 -a -B -f -g -G -i -I -j -J -k -l -L -M -n -N -O -p -q -R -s -S -v -V -Z -# -: --append --basic ' +
      '--compressed --create-dirs --digest --fail --fail-with-body --fail-early --get --globoff --head --http1.0 --http1.1 ' +
      '--http2 --http3 --include --insecure --proxy-insecure --doh-insecure --ipv4 --ipv6 --location --location-trusted ' +
      '--negotiate --netrc --netrc-optional --no-buffer --no-progress-meter --ntlm --parallel --post301 --post302 ' +
      '--progress-bar --remote-header-name --remote-name --remote-name-all --remote-time --show-error --silent --ssl ' +
      '--ssl-reqd --tcp-nodelay --tlsv1 --tlsv1.2 --tlsv1.3 --verbose --next --path-as-is --raw --anyauth --ca-native --xattr ' +
      '--disable --junk-session-cookies --no-keepalive --suppress-connect-headers --tr-encoding --use-ascii --skip-existing ' +
      '--remove-on-error --no-clobber',
  ),
  options: {
    ...takes(
      '-A -b -C -d -e -E -F -h -H -m -P -Q -r -t -T -u -U -w -x -X -y -Y -z --url --user-agent --cookie --continue-at --data --data-ascii',
    ),
    ...takes(
      '--data-binary --data-raw --data-urlencode --json --url-query --referer --cert --cert-type --key --key-type --pass --cacert --capath',
    ),
    ...takes('--form --form-string --header --proxy-header --max-time --connect-timeout --ftp-port --quote --range --telnet-option'),
    ...takes('--upload-file --user --proxy-user --write-out --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0'),
    ...takes('--request --request-target --speed-time --speed-limit --time-cond --resolve --connect-to --doh-url --unix-socket'),
    ...takes(
      '--abstract-unix-socket --interface --dns-servers --dns-interface --ciphers --tls-max --tls13-ciphers --limit-rate --max-filesize',
    ),
    ...takes(
      '--max-redirs --retry --retry-delay --retry-max-time --keepalive-time --local-port --login-options --noproxy --proto --proto-default',
    ),
    ...takes('--proto-redir --pubkey --service-name --oauth2-bearer --aws-sigv4 --delegation --crlfile --expect100-timeout --rate'),
    ...takes(
      '--happy-eyeballs-timeout-ms --hostpubmd5 --hostpubsha256 --mail-from --mail-rcpt --mail-auth --output-dir --parallel-max --pinnedpubkey',
    ),
    ...takes(
      '--proxy-cert --proxy-key --proxy-cacert --proxy-pass --socks5-gssapi-service --tftp-blksize --create-file-mode --variable --engine',
    ),
    '-c': 'write',
    '--cookie-jar': 'write',
    '-D': 'write',
    '--dump-header': 'write',
    '--stderr': 'write',
    '--trace': 'write',
    '--trace-ascii': 'write',
    '--libcurl': 'write',
    '--etag-save': 'write',
    '--hsts': 'write',
    '--alt-svc': 'write',
    '--etag-compare': 'read',
    '--netrc-file': 'read',
    '-K': 'read',
    '--config': 'read',
    '-o': 'data',
    '--output': 'data',
  },
  inert: ['--help', '--version', '--manual', '-V', '-M'],
  refine: (parsed, context) => transfer(parsed, context),
}

/** The file that `@file` or `<file` names: at the start, or after `name` and, in forms, `=`. */
function named(word: Word, marks: string, separator: string): Word | null {
  const cut = separator === '' ? 0 : word.prefix.indexOf(separator) + 1
  if (!marks.includes(word.prefix[cut] ?? ' ')) return null
  const file = sliceWord(word, cut + 1)
  const end = separator === '=' && file.text !== null ? file.text.indexOf(';') : -1
  if (end < 0 || file.text === null) return file
  return wordOf(file.text.slice(0, end), file)
}

function urlencoded(word: Word): Word | null {
  const at = word.prefix.indexOf('@')
  const equals = word.prefix.indexOf('=')
  return at < 0 || (equals >= 0 && equals < at) ? null : sliceWord(word, at + 1)
}

/** Files whose content goes out with the request. */
function sentFiles(parsed: ParsedCommand): readonly Word[] {
  const found = [
    ...parsed.values(...DATA).map((word) => named(word, '@', '')),
    ...parsed.values(...URLENCODED).map(urlencoded),
    ...parsed.values(...FORM).map((word) => named(word, '@<', '=')),
    ...parsed.values('-H', '--header', '--proxy-header', '-w', '--write-out').map((word) => named(word, '@', '')),
    ...parsed.values('--variable').map(urlencoded),
    ...parsed.values(...UPLOAD),
  ]
  return found.filter((word) => word !== null)
}

function methodOf(parsed: ParsedCommand, body: boolean): string | null {
  const given = parsed.value('-X', '--request')
  if (given !== null) return given.text?.toUpperCase() ?? null
  if (parsed.values(...UPLOAD).length > 0) return 'PUT'
  if (body && !parsed.flag('-G', '--get')) return 'POST'
  return parsed.flag('-I', '--head') ? 'HEAD' : 'GET'
}

function attributesOf(parsed: ParsedCommand): JsonObject {
  const upload = parsed.values(...UPLOAD, ...FORM).length > 0
  const authorised = parsed.values('-u', '--user', '--oauth2-bearer', '-b', '--cookie', '--netrc-file').length > 0
  return {
    ...(parsed.flag('-k', '--insecure', '--proxy-insecure', '--doh-insecure') ? { insecure: true } : {}),
    ...(parsed.flag('-L', '--location', '--location-trusted') ? followsUpTo(parsed.value('--max-redirs')) : {}),
    ...(upload ? { upload: true } : {}),
    ...(authorised || parsed.flag('-n', '--netrc') ? { authorised: true } : {}),
  }
}

function bodiesSent(parsed: ParsedCommand, context: CommandContext): ReturnType<typeof bodiesOf> {
  const given = parsed.values(...DATA)
  const uploaded = parsed.values(...UPLOAD).flatMap((word) => bodyIn(word, context))
  return [...bodiesOf(given, parsed.invocation.input, context), ...uploaded, ...parsed.values('--data-raw', '--data-urlencode')]
}

function transfer(parsed: ParsedCommand, context: CommandContext): void {
  const urls = [...parsed.values('--url'), ...parsed.operands]
  const files = sentFiles(parsed)
  for (const word of files) readPath(context, word)
  cookies(parsed, context)
  if (parsed.flag('-n', '--netrc')) readPath(context, wordOf('~/.netrc', parsed.invocation.program))
  const body = parsed.values(...DATA, '--data-raw', '--data-urlencode', ...FORM, '--form-string', ...UPLOAD).length > 0
  const sends = files.length > 0 || (body && !parsed.flag('-G', '--get'))
  const method = methodOf(parsed, body)
  const globs = !parsed.flag('-g', '--globoff')
  for (const url of urls.flatMap((word) => (globs ? spread(word) : [word])))
    request(context, url, { method, sends, attributes: attributesOf(parsed) })
  reportQueries({ method, urls, bodies: bodiesSent(parsed, context) }, context)
  detours(parsed, context, sends)
  configured(parsed, context)
  if (urls.length > 0) outputs(parsed, context, urls)
}

/** A range that a URL goes over is tried at this many places at most. */
const MAX_HOSTS = 256

/** The URLs that curl itself makes of one with `{a,b}` or `[1-9]` in its host; hosts only, as what follows them is no other place. */
function spread(word: Word): readonly Word[] {
  const text = word.text ?? ''
  const at = text.search(/[{[]/)
  const before = text.slice(0, Math.max(at, 0))
  const scheme = before.indexOf('://')
  if (at < 0 || /[/?#]/.test(before.slice(scheme < 0 ? 0 : scheme + 3))) return [word]
  const range = /^\[(\d{1,3})-(\d{1,3})(?::\d{1,3})?\]/.exec(text.slice(at, at + 16))
  const close = text[at] === '{' ? text.indexOf('}', at) : -1
  if (range === null && close < 0) return [word]
  const first = Number(range?.[1])
  const count = Math.min(Math.max(Number(range?.[2]) - first + 1, 0), MAX_HOSTS)
  const parts = range === null ? text.slice(at + 1, close).split(',') : Array.from({ length: count }, (_, i) => String(first + i))
  const after = text.slice(range === null ? close + 1 : at + range[0].length)
  return parts.slice(0, MAX_HOSTS).map((part) => wordOf(before + part + after, word))
}

/** `-b file` reads a cookie file unless it holds a `=`. */
function cookies(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-b', '--cookie')) {
    if (!word.prefix.includes('=') && word.text !== null && word.text !== '') readPath(context, word)
  }
}

/** Proxies, and hosts or addresses that stand in for the ones the URL names. */
function detours(parsed: ParsedCommand, context: CommandContext, sends: boolean): void {
  for (const word of parsed.values(...PROXIES)) between(context, word, sends)
  for (const word of parsed.values('--resolve')) {
    const address = word.text?.split(':').slice(2).join(':')
    for (const one of (address ?? '').split(',')) between(context, address === undefined ? word : wordOf(one, word), sends)
  }
  for (const word of parsed.values('--connect-to')) {
    const [, , host = '', port = ''] = word.text?.split(':') ?? []
    between(context, word.text === null ? word : wordOf(port === '' || host === '' ? host : `${host}:${port}`, word), sends)
  }
  for (const word of parsed.values('--unix-socket', '--abstract-unix-socket')) {
    if (ENGINE.test(word.prefix)) asksEngine(parsed, context, word.span)
    else writePath(context, word, { action: 'net:socket', attributes: { socket: true } })
  }
  for (const word of [...parsed.values('--url'), ...parsed.operands])
    if (ENGINE_PORT.test(word.prefix)) asksEngine(parsed, context, word.span)
  proxyVariables(parsed, context, sends)
}

const ENGINE = /\/(?:docker|podman|containerd|crio)\.sock$/
const ENGINE_PORT = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|host\.docker\.internal):237[56](?:\/|$)/i

/** The interface of a container engine: looking is looking, anything else may start a container that owns the machine. */
function asksEngine(parsed: ParsedCommand, context: CommandContext, span: Word['span']): void {
  const body = parsed.values(...DATA, '--data-raw', ...FORM, ...UPLOAD).length > 0
  const looks = /^(?:GET|HEAD)$/.test(methodOf(parsed, body) ?? '')
  if (looks) context.emit('read', context.thing('resource', 'containers'), { action: 'container:read', span })
  else context.emit('change', context.thing('service', 'container engine'), { action: 'privilege:container', span, reversible: false })
}

/** A configuration file may hold any option, URLs and output files included. */
function configured(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-K', '--config')) context.opaque('options of `curl` come from a file', word.span)
}

function outputs(parsed: ParsedCommand, context: CommandContext, urls: readonly Word[]): void {
  const directory = parsed.value('--output-dir')
  const outputsGiven = parsed.values('-o', '--output')
  for (const word of outputsGiven) {
    const inside =
      directory?.text !== undefined && directory.text !== null && word.text !== null && !word.text.startsWith('/') && !isStream(word)
    save(context, inside ? wordOf(`${directory.text}/${word.text}`, word) : word, urls)
  }
  if (!parsed.flag('-O', '--remote-name', '--remote-name-all')) return
  for (const url of urls.slice(outputsGiven.length)) saveByName(context, url, { directory, index: 'curl_response' })
}

export const curl: CommandTable = byName({ 'curl curlie': spec })
