/**
 * Extended attributes of files, which include access control lists. Node has no way to read them, so a program of the system does: Perl, or Python.
 * Linux only. Where neither is there, callers are told so, and nobody takes that for files without attributes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** `name=value` each, the value in hexadecimal digits, sorted. */
export type Attributes = readonly string[]

/** A program that waits for names of files. */
export interface AttributeReader {
  /** In the order of the names; null where they could not be read, all of them. No link is followed. */
  readonly read: (paths: readonly string[]) => Promise<readonly Attributes[] | null>
  readonly end: () => void
}

const PROGRAMS = {
  perl: ['/usr/bin/perl', '/usr/local/bin/perl', '/bin/perl', '/run/current-system/sw/bin/perl'],
  python: ['/usr/bin/python3', '/usr/local/bin/python3', '/bin/python3', '/run/current-system/sw/bin/python3'],
} as const

/** Labels of security modules depend on the file system alone; `user.overlay.` is the overlay's own. */
export const ATTRIBUTE_NAMES = 'user\\.(?!overlay\\.)|system\\.posix_acl_|security\\.capability'
/** Calls of the kernel by processor type: the names of a file's attributes, and one of them. */
export const ATTRIBUTE_NUMBERS: Readonly<Record<string, readonly [list: number, get: number]>> = { x64: [195, 192], arm64: [12, 9] }

/** Of an answer, at most. */
const MAX_BYTES = 1 << 24

/**
 * Part of a Perl text: a line for each attribute of the paths, which have a zero byte after each, and one at the end. Empty where they could
 * not be read, all of them. `$LIST` and `$GET` are the numbers of the calls.
 */
export const PERL_ATTRIBUTES = String.raw`sub attributes { my @paths=split /\0/,shift; my ($i,$o)=(-1,'');
  for (@paths) { $i++; my $b="\0"x65536; my $n=syscall($LIST,$_,$b,65536);
    if ($n<0) { next if $!==95 || $!==2 || $!==20; return '' }
    for my $k (split /\0/,substr($b,0,$n)) { next unless $k=~/^(?:${ATTRIBUTE_NAMES})/;
      my $v="\0"x65536; my $m=syscall($GET,$_,$k,$v,65536); return '' if $m<0;
      $o.="$i ".unpack('H*',$k).' '.unpack('H*',substr($v,0,$m))."\n"; return '' if length($o)>${MAX_BYTES} } }
  return $o.'end '.scalar(@paths)."\n" }`
const PERL = `my ($LIST,$GET)=map {$_+0} @ARGV; @ARGV=(); binmode STDIN; undef $/;
${PERL_ATTRIBUTES}
print attributes(<STDIN> // '')`
const PYTHON = `import os,re,sys,errno
i=-1
for i,p in enumerate(sys.stdin.buffer.read().split(b"\\0")[:-1]):
  try: names=os.listxattr(p,follow_symlinks=False)
  except OSError as e:
    if e.errno in (errno.EOPNOTSUPP,errno.ENOENT,errno.ENOTDIR): continue
    sys.exit(1)
  for k in names:
    if re.match("${ATTRIBUTE_NAMES.replaceAll('\\', '\\\\')}",k): print(i,os.fsencode(k).hex(),os.getxattr(p,k,follow_symlinks=False).hex())
print("end",i+1)`

interface Texts {
  readonly perl: string
  readonly python: string
  /** Arguments of the Perl text, by processor type: numbers of calls of the kernel. */
  readonly numbers: Readonly<Record<string, readonly number[]>>
}

/** Program and arguments; null where there is none, or another system: the same numbers are other calls there. */
export function systemProgram({ perl, python, numbers: all }: Texts): readonly [string, ...string[]] | null {
  if (process.platform !== 'linux') return null
  const numbers = all[process.arch]
  const name = numbers === undefined ? null : perlHere()
  if (name !== null) return [name, '-e', perl, '--', ...(numbers ?? []).map(String)]
  const other = PROGRAMS.python.find(isFile)
  return other === undefined ? null : [other, '-I', '-S', '-c', python]
}

const program = (): ReturnType<typeof systemProgram> => systemProgram({ perl: PERL, python: PYTHON, numbers: ATTRIBUTE_NUMBERS })

/** The system's own; null where there is none. */
export function perlHere(): string | null {
  return PROGRAMS.perl.find(isFile) ?? null
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Why attributes cannot be read on this machine, with what would help; null where they can. */
export function attributesProblem(): string | null {
  return program() === null ? 'extended attributes of files cannot be read. Install Perl or Python' : null
}

export const OPTIONS = { cwd: '/', env: {}, shell: false } as const

/** Starts the program ahead of time, so that nobody waits for its start. */
export function attributeReader(): AttributeReader {
  const [name, ...args] = program() ?? ['']
  if (name === '') return { read: (paths) => Promise.resolve(paths.length === 0 ? [] : null), end: () => {} }
  const child = spawn(name, args, { ...OPTIONS, stdio: ['pipe', 'pipe', 'ignore'] })
  const said = saidBy(child)
  return {
    read: async (paths) => {
      if (paths.length === 0) return []
      child.stdin.end(asInput(paths))
      return attributesIn(await said, paths.length)
    },
    end: () => void child.kill('SIGKILL'),
  }
}

function saidBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    child.stdin?.on('error', () => {})
    child.on('error', () => resolve(''))
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
      if (said.length > MAX_BYTES) child.kill('SIGKILL')
    })
    child.on('close', () => resolve(said))
  })
}

/** The same at once, for callers that cannot wait. */
export function attributesNow(paths: readonly string[]): readonly Attributes[] | null {
  const [name, ...args] = program() ?? ['']
  if (paths.length === 0) return []
  if (name === '') return null
  const { stdout } = spawnSync(name, args, { ...OPTIONS, input: asInput(paths), maxBuffer: MAX_BYTES, stdio: ['pipe', 'pipe', 'ignore'] })
  return attributesIn(stdout?.toString('latin1') ?? '', paths.length)
}

const asInput = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('')

/** A short answer, and one to another question, is none. */
export function attributesIn(said: string, count: number): readonly Attributes[] | null {
  const end = `end ${count}\n`
  if (said !== end && !said.endsWith(`\n${end}`)) return null
  const found: string[][] = Array.from({ length: count }, () => [])
  for (const line of said.split('\n').slice(0, -2)) {
    const [index = '', name = '', value = ''] = line.split(' ')
    found[Number(index)]?.push(`${Buffer.from(name, 'hex').toString('utf8')}=${value}`)
  }
  return found.map((each) => each.toSorted())
}

/** For people: what reads as text is shown as such. */
export function attributeText(attribute: string): string {
  const at = attribute.lastIndexOf('=')
  const bytes = Buffer.from(attribute.slice(at + 1), 'hex')
  const text = bytes.toString('utf8')
  const isText = bytes.length <= MAX_SHOWN && Buffer.from(text, 'utf8').equals(bytes) && !/\p{C}/u.test(text)
  return `${JSON.stringify(attribute.slice(0, at))} = ${isText ? JSON.stringify(text) : `${bytes.length} bytes`}`
}

const MAX_SHOWN = 200
