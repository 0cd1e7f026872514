// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/**
 * Commands that are put together: words spelled in every way the shell reads, programs started by others, code handed on in every
 * way that code can take.
 */
import type { Random } from './random.ts'

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const octal = (text: string): string => [...text].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')
const hex = (text: string): string => [...text].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
const reversed = (text: string): string => [...text].reverse().join('')

/** How a word can be spelled, with what must come before it. `n` is a name of its own. */
type Spelling = (word: string, n: string, random: Random) => readonly [before: string, text: string]

const cut = (word: string, random: Random): readonly [string, string] => {
  const at = random.below(word.length + 1)
  return [word.slice(0, at), word.slice(at)]
}

const SPELLINGS: readonly Spelling[] = [
  (w) => ['', `'${w}'`],
  (w) => ['', `"${w}"`],
  (w) => ['', `$'${hex(w)}'`],
  (w) => ['', `$'${octal(w)}'`],
  (w) => ['', [...w].map((char) => `\\${char}`).join('')],
  (w, _, r) => [
    '',
    cut(w, r)
      .map((half) => `'${half}'`)
      .join(''),
  ],
  (w, _, r) => ['', cut(w, r).join('""')],
  (w, n, r) => ['', cut(w, r).join(`$${n}`)],
  (w) => ['', `$(echo ${w})`],
  (w) => ['', `"$(printf %s ${w})"`],
  (w) => ['', `\`echo ${w}\``],
  (w) => ['', `"$(printf '${octal(w)}')"`],
  (w) => ['', `"$(echo -e '${hex(w)}')"`],
  (w) => ['', `"$(echo ${base64(w)} | base64 -d)"`],
  (w) => ['', `"$(rev <<< ${reversed(w)})"`],
  (w) => ['', `"$(cat <<< ${w})"`],
  (w) => ['', `"$(echo ${w.toUpperCase()} | tr A-Z a-z)"`],
  (w) => ['', `"$(case x in x) echo ${w} ;; esac)"`],
  (w, n) => [`${n}=${w}`, `$${n}`],
  (w, n) => [`${n}=${w}`, `"\${${n}}"`],
  (w, n, r) => [`${n}=${cut(w, r)[0]}; ${n}+=${cut(w, r)[0] === '' ? w : ''}`, cut(w, r)[0] === '' ? `"$${n}"` : quote(w)],
  (w, n) => [`${n}=${w}.junk`, `"\${${n}%.*}"`],
  (w, n) => [`${n}=zz@${w}`, `"\${${n}#*@}"`],
  (w, n) => [`${n}=@${w}@`, `"\${${n}//@}"`],
  (w, n) => [`${n}=xx${w}yy`, `"\${${n}:2:${w.length}}"`],
  (w, n) => [`${n}=${w.toUpperCase()}`, `"\${${n},,}"`],
  (w, n) => [`unset ${n}`, `"\${${n}:-${w}}"`],
  (w, n) => [`${n}=1`, `"\${${n}:+${w}}"`],
  (w, n) => [`${n}=(x ${w} y)`, `"\${${n}[1]}"`],
  (w, n) => [`declare -A ${n}=([k]=${w})`, `"\${${n}[k]}"`],
  (w, n) => [`${n}r=${w}; ${n}=${n}r`, `"\${!${n}}"`],
  (w, n) => [`${n}r=${w}; declare -n ${n}=${n}r`, `"$${n}"`],
  (w, n) => [`printf -v ${n} %s ${w}`, `"$${n}"`],
  (w, n) => [`read -r ${n} <<< ${w}`, `"$${n}"`],
  (w, n) => [`read -r ${n} < <(echo ${w})`, `"$${n}"`],
  (w, n) => [`mapfile -t ${n} <<< ${w}`, `"\${${n}[0]}"`],
  (w, n) => [`${n}='${hex(w)}'`, `"\${${n}@E}"`],
  (w, n) => [`${n}() { echo ${w}; }`, `"$(${n})"`],
  (w, n) => [`${n}=$(echo ${w})`, `"$${n}"`],
  (w, n) => [`: "\${${n}:=${w}}"`, `"$${n}"`],
  (w, n) => [`eval ${n}=${w}`, `"$${n}"`],
  (w, n) => [`export ${n}=${w}`, `"$(bash -c 'echo "$${n}"')"`],
  (w, n) => [`for ${n} in ${w}; do :; done`, `"$${n}"`],
  (w, n) => [`if true; then ${n}=${w}; else ${n}=no; fi`, `"$${n}"`],
  (w, n) => [`case x in y) ${n}=no ;; x) ${n}=${w} ;; esac`, `"$${n}"`],
  (w, n) => [`${n}=no; ${n}f() { ${n}=${w}; }; ${n}f`, `"$${n}"`],
  (w, n) => [`${n}=${w}; (${n}=no); ${n}=no true`, `"$${n}"`],
]

/** Options stay what they are, or are quoted: a word that is not known is taken for a name. */
function spelled(...[word, name, random]: Parameters<Spelling>): ReturnType<Spelling> {
  if (random.once(2)) return ['', word]
  return random.pick(word.startsWith('-') ? SPELLINGS.slice(0, 6) : SPELLINGS)(word, name, random)
}

/** Programs and what they are given; all of it harmless below the directory. */
const CALLS: readonly (readonly string[])[] = [
  ['touch', 'new1', 'dir/new2'],
  ['rm', '-f', 'a.txt'],
  ['rm', '-r', 'dir'],
  ['mv', 'a.txt', 'moved'],
  ['mv', 'b.txt', 'dir'],
  ['cp', 'a.txt', 'copied'],
  ['cp', '-t', 'dir', 'b.txt'],
  ['mkdir', '-p', 'm1/m2'],
  ['ln', '-s', 'a.txt', 'linked'],
  ['tee', 'teed'],
  ['truncate', '-s', '0', 'b.txt'],
  ['sort', '-o', 'sorted', 'a.txt'],
  ['sed', '-i', 's/a/b/', 'a.txt'],
  ['dd', 'if=a.txt', 'of=dd.out', 'status=none'],
  ['install', '-m', '644', 'a.txt', 'inst'],
  ['bash', 'run.sh'],
  ['./run.sh', 'a.txt'],
  ['find', 'dir', '-name', 'c.txt', '-delete'],
  ['tar', '-cf', 't.tar', 'dir'],
  ['xargs', '-a', 'list', 'rm'],
  ['make', '-s', 'clean'],
  ['gzip', 'b.txt'],
  ['python3', 'tool.py'],
  ['env', '-C', 'dir', 'touch', 'ec'],
]

/** How a list of words is started; `n` is a name of its own. */
const STARTS: readonly ((words: string, n: string) => string)[] = [
  (w) => w,
  (w) => `command ${w}`,
  (w) => `env ${w}`,
  (w) => `env A=1 -u B ${w}`,
  (w) => `nice -n 1 ${w}`,
  (w) => `timeout -k 1 5 ${w}`,
  (w) => `nohup ${w} > /dev/null 2>&1`,
  (w) => `setsid -w ${w}`,
  (w) => `stdbuf -oL ${w}`,
  (w) => `ionice -c 3 ${w}`,
  (w) => `(exec ${w})`,
  (w) => `(exec -a other ${w})`,
  (w) => `flock lk ${w}`,
  (w) => `eval ${w}`,
  (w) => `time ${w}`,
  (w) => `! ${w}`,
  (w) => `find . -maxdepth 0 -exec ${w} \\;`,
  (w) => `xargs ${w} < /dev/null`,
  (w) => `bash -c '"$@"' _ ${w}`,
  (w) => `sh -c '"$0" "$@"' ${w}`,
  (w) => `set -- ${w}; "$@"`,
  (w, n) => `${n}=(${w}); "\${${n}[@]}"`,
  (w, n) => `${n}() { "$@"; }; ${n} ${w}`,
  (w, n) => `${n}() { local IFS=' '; eval "$*"; }; ${n} ${w}`,
  (w, n) => `shopt -s expand_aliases\nalias ${n}='${'env '}'\n${n} ${w}`,
  (w) => `{ ${w} & } ; wait`,
  (w) => `coproc ${w}; wait`,
  (w) => `true && ${w} || touch failed`,
  (w) => `if ${w}; then touch worked; fi`,
  (w) => `x=$(${w})`,
  (w) => `: "$(${w} 2>&1)"`,
  (w) => `for i in 1; do ${w}; done`,
  (w) => `while ${w}; do break; done`,
  (w) => `cat <(${w}) > /dev/null; wait`,
  (w) => `echo | ${w} | cat`,
  (w) => `${w} < /dev/null > log.out 2>&1`,
  (w) => `git -c alias.z='!f() { "$@"; }; f' z ${w}`,
]

/** One command with its words spelled at random, started at random. */
export function assembled(random: Random): string {
  const call = random.pick(CALLS)
  const before: string[] = []
  const words = call.map((word, at) => {
    const [setup, text] = spelled(word, `v${at}`, random)
    if (setup !== '') before.push(setup)
    return text
  })
  return [...before, random.pick(STARTS)(words.join(' '), 'v9')].join('; ')
}

const inPython = (text: string): string => JSON.stringify(text)
const inPerl = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const oneLine = (text: string): boolean => !/[\n\\%!]/.test(text) && text.length < 300

/** How code reaches the shell that runs it; the code may be any bash. */
export const DELIVERIES: readonly ((text: string) => string)[] = [
  (text) => `bash -c "$(cat <<'CODE'\n${text}\nCODE\n)"`,
  (text) => `bash -s <<'CODE'\n${text}\nCODE`,
  (text) => `cat > code.sh <<'CODE'\n${text}\nCODE\nbash code.sh`,
  (text) => `printf '%s\\n' ${quote(text)} > code.sh; . ./code.sh`,
  (text) => `printf '%s\\n' '#!/bin/bash' ${quote(text)} > code.sh; chmod +x code.sh; ./code.sh`,
  (text) => `tee code.sh <<'CODE' > /dev/null\n${text}\nCODE\nbash -e code.sh || true`,
  (text) => `echo ${base64(text)} | base64 -d | bash`,
  (text) => `eval "$(base64 --decode <<< ${base64(text)})"`,
  (text) => `bash <(printf %s ${quote(text)})`,
  (text) => `bash < <(printf '%s\\n' ${quote(text)})`,
  (text) => `source <(cat <<'CODE'\n${text}\nCODE\n)`,
  (text) => `eval "$(printf %s ${quote(text)})"`,
  (text) => `bash <<< ${quote(text)}`,
  (text) => `bash -c 'eval "$1"' _ ${quote(text)}`,
  (text) => `ev() { eval "$1"; }; ev ${quote(text)}`,
  (text) => `env bash -c ${quote(text)}`,
  (text) => `timeout 6 setsid -w bash -c ${quote(text)}`,
  (text) => `printf '%s\\0' ${quote(text)} | xargs -0 -I@@ bash -c @@`,
  (text) => `python3 -c ${quote(`import subprocess; subprocess.run(['bash', '-c', ${inPython(text)}])`)}`,
  (text) => `perl -e ${quote(`system('bash', '-c', ${inPerl(text)})`)}`,
  (text) => `git -c alias.z=${quote(`!bash -c ${quote(text)}`)} z`,
  (text) => `script -qc ${quote(`bash -c ${quote(text)}`)} /dev/null > /dev/null`,
  (text) => `flock lk -c ${quote(`bash -c ${quote(text)}`)}`,
  (text) => `trap ${quote(text)} USR1; kill -USR1 $$`,
  (text) => `trap ${quote(text)} ERR; false; trap - ERR`,
  (text) => `declare -A codes=([go]=${quote(text)}); eval "\${codes[go]}"`,
  (text) => `while IFS= read -r -d '' line; do eval "$line"; done < <(printf '%s\\0' ${quote(text)})`,
  (text) => `echo ${quote(base64(text))} > code.b64; base64 -d code.b64 > code.sh; bash code.sh`,
  (text) => `bash -c "\${code:=${'$(printf %s '}${quote(text)})}"`,
  (text) => (oneLine(text) ? `printf 'all:\\n\\tbash -c %s\\n' ${quote(quote(text.replaceAll('$', '$$$$')))} > mk; make -s -f mk` : text),
  (text) => (oneLine(text) ? `awk ${quote(`BEGIN { system(${JSON.stringify(`bash -c ${quote(text)}`)}) }`)}` : text),
  (text) => (oneLine(text) ? `env -S ${quote(`bash -c ${JSON.stringify(text).replaceAll('$', '\\$')}`)}` : text),
  (text) => `if cd dir; then cd ..; ${text}\nfi`,
  (text) => `(cd dir && cd .. && { ${text}\n})`,
  (text) => `until ${`{ ${text}\n}`}; do break; done`,
  (text) => `echo x | while read -r v; do ${text}\ndone`,
  (text) => `{ ${text}\n} > log.out 2>&1`,
  (text) => `{ ${text}\n} 2>&1 | tee log.out > /dev/null`,
  (text) => `[ -n "$PWD" ] && { ${text}\n}`,
  (text) => `set -e; ${text}`,
]
