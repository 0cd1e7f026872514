import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { textOf } from '../../resources/file-text.ts'
import { ACT_OF } from '../../resources/text/act-words.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { MOST } from '../files/names.ts'
import { byName, list, takes } from '../tool.ts'
import { between, FOLLOWED, followsUpTo, proxyVariables, request, save, saveByName } from './http.ts'
import { bodyIn, inputBody, reportQueries } from './queries.ts'

/** HTTP clients and downloaders beside curl: wget, HTTPie and kin, aria2, text browsers. Actions: see http.ts. */

const HELP = ['--help', '--version']

function wgetAttributes(parsed: ParsedCommand): JsonObject {
  return {
    ...(parsed.flag('--no-check-certificate') || parsed.value('--check-certificate')?.text === 'off' ? { insecure: true } : {}),
    ...(parsed.flag('-r', '--recursive', '-m', '--mirror') ? { recursive: true } : {}),
    ...followsUpTo(parsed.value('--max-redirect')),
  }
}

function wgetTransfer(parsed: ParsedCommand, context: CommandContext): void {
  const files = parsed.values('--post-file', '--body-file')
  const sends = files.length > 0 || parsed.values('--post-data', '--body-data').length > 0
  const given = parsed.value('--method')
  const method = given === null ? (sends ? 'POST' : 'GET') : (given.text?.toUpperCase() ?? null)
  const attributes = wgetAttributes(parsed)
  const urls = [...parsed.operands]
  for (const list of parsed.values('-i', '--input-file')) {
    const listed = /^[a-z]+:\/\//i.test(list.prefix) ? [list] : addressesIn(list, context)
    urls.push(...listed)
    if (listed.length === 0 || listed[0] === list) context.opaque('the addresses come from a file', list.span)
  }
  for (const url of urls) request(context, url, { method, sends, attributes })
  reportQueries(
    { method, urls, bodies: [...parsed.values('--post-data', '--body-data'), ...files.flatMap((word) => bodyIn(word, context))] },
    context,
  )
  wgetDetours(parsed, context, sends)
  if (!parsed.flag('--spider') && urls.length > 0) wgetSaves(parsed, context, urls)
}

function wgetSaves(parsed: ParsedCommand, context: CommandContext, urls: readonly Word[]): void {
  const output = parsed.value('-O', '--output-document')
  if (parsed.flag('-r', '--recursive', '-m', '--mirror'))
    save(context, parsed.value('-P', '--directory-prefix') ?? wordOf('.', parsed.invocation.program), urls)
  else if (output !== null) save(context, output, urls)
  else for (const url of urls) saveByName(context, url, { directory: parsed.value('-P', '--directory-prefix'), index: 'index.html' })
}

/** The addresses that a file of the workspace holds, one a line; none where a line is anything else, or there are too many. */
function addressesIn(list: Word, context: CommandContext): readonly Word[] {
  const lines =
    (context.path(list).scope === 'workspace' ? textOf(list, context, 65_536) : null)?.split('\n').filter((line) => line !== '') ?? []
  const known = lines.length <= MOST && lines.every((line) => /^(?:https?|ftp):\/\/\S+$/.test(line))
  return known ? lines.map((line) => wordOf(line, list)) : []
}

/** `-e https_proxy=host` is a proxy, any other `-e` a setting. */
function wgetDetours(parsed: ParsedCommand, context: CommandContext, sends: boolean): void {
  for (const word of parsed.values('-e', '--execute')) {
    const match = /^(?:https?|ftp)_proxy\s*=\s*/i.exec(word.prefix)
    if (match !== null) between(context, sliceWord(word, match[0].length), sends)
    else if (word.text === null || /^use_askpass/i.test(word.text)) context.shell(null, word.span, 'wget')
  }
  proxyVariables(parsed, context, sends)
}

const wget: CommandSpec = {
  flags: list(
    '-b -c -d -q -v -nv -nc -N -S -x -nd -nH -E -H -k -K -p -r -m -L -F -4 -6 -np --background --continue --quiet ' +
      '--no-verbose --verbose --no-clobber --timestamping --server-response --spider --recursive --mirror --page-requisites ' +
      '--convert-links --adjust-extension --no-parent --span-hosts --no-host-directories --force-directories ' +
      '--content-disposition --trust-server-names --https-only --no-check-certificate --no-hsts --no-cache --no-cookies ' +
      '--no-proxy --show-progress --no-directories --inet4-only --inet6-only --delete-after --random-wait --retry-connrefused ' +
      '--retry-on-host-error --ignore-case --ignore-length --no-iri --no-remove-listing --no-glob --no-passive-ftp ' +
      '--protocol-directories --xattr --metalink-over-http --input-metalink-over',
  ),
  options: {
    ...takes('-O -P -t -T -w -Q -U -l -A -R -D -I -X -B -e --output-document --directory-prefix --tries --timeout --wait --quota'),
    ...takes(
      '--user-agent --level --accept --reject --domains --exclude-domains --include-directories --exclude-directories --base --execute',
    ),
    ...takes('--header --user --password --http-user --http-password --post-data --body-data --method --referer --limit-rate --waitretry'),
    ...takes(
      '--dns-timeout --connect-timeout --read-timeout --bind-address --bind-dns-address --dns-servers --prefer-family ' +
        '--backups --start-pos --retry-on-http-error --report-speed --remote-encoding --ftp-user --ftp-password --follow-tags ' +
        '--ignore-tags --metalink-index --pinnedpubkey --private-key-type --warc-header --warc-max-size --warc-tempdir ' +
        '--progress --cut-dirs --max-redirect --secure-protocol',
    ),
    ...takes(
      '--ca-certificate --ca-directory --certificate --private-key --certificate-type --crl-file --ciphers --proxy-user --proxy-password',
    ),
    ...takes(
      '--accept-regex --reject-regex --regex-type --restrict-file-names --default-page --compression --local-encoding --check-certificate',
    ),
    ...takes('-i --input-file'),
    '--post-file': 'read',
    '--body-file': 'read',
    '--load-cookies': 'read',
    '--config': 'read',
    '--save-cookies': 'write',
    '-o': 'write',
    '--output-file': 'write',
    '-a': 'append',
    '--append-output': 'append',
    '--rejected-log': 'write',
    '--warc-file': 'write',
    '--use-askpass': 'program',
  },
  inert: [...HELP, '-h', '-V'],
  refine: (parsed, context) => {
    wgetTransfer(parsed, context)
    for (const word of parsed.values('-i', '--input-file')) if (!/^[a-z]+:\/\//i.test(word.prefix)) readPath(context, word)
  },
}

/** `@file`, `field@file`, `name=@file`, `name:=@file`; an `@` in a value (`to=me@h.example`) names no file. */
function itemFile(word: Word): Word | null {
  const found = /^[^:=@]*(?::?=)?@/.exec(word.prefix)
  return found === null ? null : sliceWord(word, found[0].length)
}

const HTTPIE_BODY = /^[^:=@]*(?::?=(?!=)|@)/

function httpie(parsed: ParsedCommand, context: CommandContext): void {
  const asked = httpieRequest(parsed)
  if (asked === null) return
  const { url, items, verb } = asked
  const files = items.map(itemFile).filter((word) => word !== null)
  for (const word of files) readPath(context, word)
  const body = files.length > 0 || hasBody(parsed, items)
  const insecure = ['no', 'false', '0'].includes(parsed.value('--verify')?.text ?? '') || parsed.flag('-k', '--insecure')
  const attributes = {
    ...(insecure ? { insecure } : {}),
    ...(files.length > 0 ? { upload: true } : {}),
    ...(parsed.flag('-F', '--follow') ? followsUpTo(parsed.value('--max-redirects')) : {}),
  }
  const target = orLocalhost(url)
  const method = verb === undefined ? (body ? 'POST' : 'GET') : verb
  request(context, target, { method, sends: body, attributes })
  const bodies = [...items, ...parsed.values('--raw'), ...inputBody(parsed.invocation.input, context)]
  reportQueries({ method, urls: [target], bodies }, context)
  for (const word of parsed.values('--proxy')) {
    const colon = word.prefix.indexOf(':')
    between(context, sliceWord(word, /^https?:(?!\/\/)/i.test(word.prefix) ? colon + 1 : 0), body)
  }
  proxyVariables(parsed, context, body)
  const output = parsed.value('-o', '--output')
  if (output !== null) save(context, output, [target])
  else if (parsed.flag('-d', '--download')) saveByName(context, target, { directory: null, index: 'index.html' })
}

interface HttpieRequest {
  readonly url: Word
  readonly items: readonly Word[]
  /** Left out where no method is written. */
  readonly verb?: string
}

/** `http [METHOD] URL [ITEM …]`. */
function httpieRequest({ operands }: ParsedCommand): HttpieRequest | null {
  const [first, second, ...rest] = operands
  if (first === undefined) return null
  const { text } = first
  if (second === undefined || text === null || !/^[A-Za-z]+$/.test(text) || text.toLowerCase() === 'localhost')
    return { url: first, items: operands.slice(1) }
  return { url: second, items: rest, verb: text.toUpperCase() }
}

/** Standard input, `--raw`, or an item of the body. */
function hasBody(parsed: ParsedCommand, items: readonly Word[]): boolean {
  const piped = parsed.invocation.input.kind !== 'none' && !parsed.flag('-I', '--ignore-stdin')
  return piped || parsed.value('--raw') !== null || items.some((word) => HTTPIE_BODY.test(word.prefix))
}

/** `:8080/x` and `/x` are localhost. */
function orLocalhost(url: Word): Word {
  if (url.text === null || !/^[:/]/.test(url.text)) return url
  const address = `http://localhost${url.text.replace(/^:(?!\d)/, '')}`
  return { ...url, text: address, prefix: address }
}

const http: CommandSpec = {
  flags: list(
    '-j -f -v -h -b -d -c -q -F -I -k -S --json --form --multipart --verbose --headers --body --download --continue ' +
      '--follow --offline --ignore-stdin --insecure --check-status --all --stream',
  ),
  options: takes(
    '-a -A -o -p -s -x --auth --auth-type --output --print --pretty --style --session --session-read-only --proxy --verify ' +
      '--ssl --cert --cert-key --timeout --max-redirects --raw --format-options --default-scheme --boundary --bearer',
  ),
  inert: ['--help', '--version', '--offline'],
  refine: httpie,
}

const aria: CommandSpec = {
  flags: list('-c -q -Z -V -D --continue --quiet --check-certificate --allow-overwrite --enable-rpc --daemon'),
  options: {
    ...takes(
      '-o -d -x -s -k -j -m -t -l -U --out --dir --max-connection-per-server --split --min-split-size ' +
        '--max-concurrent-downloads --header --user-agent --all-proxy --http-proxy --https-proxy --timeout --referer ' +
        '--seed-time',
    ),
    ...takes('--on-download-complete --on-download-start --on-download-error --on-download-stop --on-bt-download-complete'),
    '-i': 'read',
    '--input-file': 'read',
    '--load-cookies': 'read',
    '--save-session': 'write',
  },
  inert: HELP,
  refine: (parsed, context) => {
    const insecure = parsed.value('--check-certificate')?.text === 'false' ? { insecure: true } : {}
    const attributes: JsonObject = { ...insecure, ...FOLLOWED }
    for (const url of parsed.operands) request(context, url, { method: 'GET', sends: false, attributes })
    for (const word of parsed.values('--all-proxy', '--http-proxy', '--https-proxy')) between(context, word, false)
    for (const word of parsed.values(
      ...list('--on-download-complete --on-download-start --on-download-error --on-download-stop --on-bt-download-complete'),
    )) {
      context.command([word], 'aria2c')
    }
    const output = parsed.value('-o', '--out')
    if (output !== null) save(context, output, parsed.operands)
    else for (const url of parsed.operands) saveByName(context, url, { directory: parsed.value('-d', '--dir'), index: 'index.html' })
  },
}

const ytdlp: CommandSpec = {
  flags: list('-x -q -v -F -s -i -k --extract-audio --simulate --no-check-certificates --list-formats'),
  options: {
    ...takes(
      '-f -o -P -S -r -N -u -p -O -I -R --format --output --paths --audio-format --sub-langs --proxy --cookies-from-browser --exec ' +
        '--exec-before-download --downloader --print --match-filter --match-filters --playlist-items --sub-format --merge-output-format ' +
        '--remux-video --recode-video --audio-quality --format-sort --limit-rate --retries --concurrent-fragments --ffmpeg-location ' +
        '--postprocessor-args --user-agent --referer --add-header --sleep-interval --max-sleep-interval --download-sections --username ' +
        '--password --date --datebefore --dateafter --max-downloads --max-filesize --min-filesize --parse-metadata --wait-for-video ' +
        '--extractor-args --output-na-placeholder --convert-subs --convert-thumbnails --socket-timeout --source-address',
    ),
    '-a': 'read',
    '--batch-file': 'read',
    '--cookies': 'read',
    '--config-location': 'read',
    '--download-archive': 'write',
  },
  inert: [...HELP, '-U'],
  operands: ['url'],
  refine: (parsed, context) => {
    for (const word of parsed.values('--exec', '--exec-before-download')) context.shell(word.text, word.span, 'yt-dlp')
    const browser = parsed.value('--cookies-from-browser')
    if (browser !== null) context.emit('read', context.thing('resource', 'browser cookies'), { action: 'secret:read', span: browser.span })
    const output = parsed.value('-o', '--output')
    if (output !== null) writePath(context, output, { action: 'http:save' })
  },
}

/** Fetches addresses into files of their own names, or into that of `-o`. */
function keeps(valued: string, flags: string): CommandSpec {
  return {
    flags: list(flags),
    options: takes(`${valued} -o --output`),
    operands: ['url'],
    inert: HELP,
    refine: (parsed, context) => {
      const output = parsed.value('-o', '--output')
      const addresses = parsed.operands.filter(({ prefix }) => /^\w+:\/\//.test(prefix))
      if (output !== null) save(context, output, addresses)
      else for (const url of addresses) saveByName(context, url, { directory: null, index: 'index.html' })
    },
  }
}

/** The method of a service that is called and that does not say of itself that it only reads: `shop.Users/Delete`. */
function calledMethod({ operands }: ParsedCommand): string | null {
  const name = /[/.]([A-Za-z]\w*)$/.exec(operands[1]?.text ?? '')?.[1]
  if (name === undefined) return null
  const verb = /^[A-Z]?[a-z]+/.exec(name)?.[0].toLowerCase() ?? ''
  return READS.has(verb) || ACT_OF.get(verb) === 'read' ? null : name
}
const READS: ReadonlySet<string> = new Set(['stream', 'subscribe', 'server', 'resolve', 'health', 'ping', 'fetch', 'batch'])

export const fetching: CommandTable = byName({
  'wget wget2': wget,
  'http https xh xhs httpie': http,
  'aria2c aria2': aria,
  axel: keeps('-n -s -H -U -T', '-q -a -k'),
  wcurl: keeps('--curl-options', '-V'),
  'lwp-download lftpget': keeps('', '-a -s -c -d -v'),
  'yt-dlp youtube-dl': ytdlp,
  'lynx w3m links elinks browsh': {
    flags: list('-dump -source -listonly -nolist -dump_source -head'),
    options: { ...takes('-width -cols -T -I -O -useragent -accept_all_cookies'), '-cmd_script': 'read', '-post_data': 'data' },
    singleDashLong: true,
    inert: HELP,
    refine: ({ operands }, context) => {
      for (const word of operands) {
        if (/^(?:~|\.{0,2}\/)/.test(word.prefix)) readPath(context, word)
        else request(context, word, { method: 'GET', sends: false, attributes: FOLLOWED })
      }
    },
  },
  'GET HEAD lwp-request': { operands: ['url'] },
  'POST PUT': { operands: ['send'] },
  'wscat grpcurl': {
    flags: list('-plaintext -insecure -k -v'),
    options: takes('-H -d -m --method --data --json -proto -import-path -max-time'),
    singleDashLong: true,
    inert: HELP,
    refine: (parsed, context) => {
      const [url] = parsed.operands
      if (url === undefined) return
      const method = calledMethod(parsed)
      const insecure = parsed.flag('-insecure', '-k') ? { insecure: true } : {}
      reachUrl(context, url, {
        verb: 'send',
        action: method === null ? 'http:request' : 'http:post',
        attributes: method === null ? insecure : { ...insecure, method },
      })
    },
  },
})
