/**
 * Gives files the extended attributes that they had, access control lists among them. Node cannot, so the program does that reads them: Perl, or
 * Python. It acts on an opened file that is no link and still the file that is meant, never on a name alone.
 */
import { spawn } from 'node:child_process'
import { ATTRIBUTE_NAMES, type Attributes, attributesProblem, OPTIONS, systemProgram } from './attributes.ts'

export interface AttributedFile {
  readonly path: string
  /** `device:inode` of the file that is meant. */
  readonly id: string
  /** All that it shall have; others of these kinds are taken from it. */
  readonly attributes: Attributes
}

/** Calls of the kernel on opened files, by processor type: list, get, set, remove. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = { x64: [196, 193, 190, 199], arm64: [13, 10, 7, 16] }

/** Lists of access last, as they may take the right to write from whoever sets the others. Of capabilities nothing written later is in the way. */
const PERL = String.raw`use Fcntl; my ($LIST,$GET,$SET,$DEL)=map {$_+0} @ARGV; @ARGV=(); $|=1;
sub rank { $_[0]=~/^user/ ? 0 : $_[0]=~/^system/ ? 1 : 2 }
sub put { my ($p,$id,@w)=@_; my %w=map { my ($k,$v)=split /=/; (pack('H*',$k),pack('H*',$v // '')) } @w;
  sysopen(my $f,pack('H*',$p),O_RDONLY|O_NOFOLLOW|O_NONBLOCK) or return "$!";
  my @s=stat $f; return 'another file has its name now' if "$s[0]:$s[1]" ne $id;
  my $d=fileno $f; my $b="\0"x65536; my $n=syscall($LIST,$d,$b,65536);
  if ($n<0) { return $!==95 && !@w ? '' : "$!" }
  my %h; for my $k (split /\0/,substr($b,0,$n)) { next unless $k=~/^(?:${ATTRIBUTE_NAMES})/;
    if (!exists $w{$k}) { return "$!" if syscall($DEL,$d,$k)<0; next }
    my $v="\0"x65536; my $m=syscall($GET,$d,$k,$v,65536); $h{$k}=substr($v,0,$m) if $m>=0 }
  for my $k (sort { rank($a)<=>rank($b) || $a cmp $b } keys %w) { next if defined $h{$k} && $h{$k} eq $w{$k};
    my $v=$w{$k}; return "$!" if syscall($SET,$d,$k,$v,length($v),0)<0 }
  return '' }
while (<STDIN>) { chomp; print put(split / /),"\n" }`
const PYTHON = `import os,re,sys
rank=lambda k:(0 if k[:4]=="user" else 1 if k[:6]=="system" else 2,k)
def put(p,i,*w):
  w={os.fsdecode(bytes.fromhex(k)):bytes.fromhex(v) for k,v in (x.split("=") for x in w)}
  f=os.open(bytes.fromhex(p),os.O_RDONLY|os.O_NOFOLLOW|os.O_NONBLOCK)
  try:
    s=os.fstat(f)
    if "%d:%d"%(s.st_dev,s.st_ino)!=i: return "another file has its name now"
    try: h=[k for k in os.listxattr(f) if re.match("${ATTRIBUTE_NAMES.replaceAll('\\', '\\\\')}",k)]
    except OSError as e:
      if e.errno==95 and not w: return ""
      raise
    for k in h:
      if k not in w: os.removexattr(f,k)
    for k in sorted(w,key=rank):
      if k not in h or os.getxattr(f,k)!=w[k]: os.setxattr(f,k,w[k])
    return ""
  finally: os.close(f)
for line in sys.stdin:
  try: print(put(*line.split()))
  except OSError as e: print(e.strerror)`

/** What is wanted is given in the order of the files; null: the file has it now. Else a reason. */
export async function writeAttributes(files: readonly AttributedFile[]): Promise<readonly (string | null)[]> {
  const argv = systemProgram({ perl: PERL, python: PYTHON, numbers: NUMBERS })
  if (files.length === 0) return []
  if (argv === null) return files.map(({ attributes: all }) => (all.length === 0 ? null : attributesProblem()))
  const lines = (await answered(argv, files.map(lineOf).join(''))).split('\n').slice(0, files.length)
  return files.map((_, index) => {
    const line = lines[index]
    return line === undefined ? 'the program that sets them ended before it did' : line === '' ? null : line
  })
}

const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex')

function lineOf({ path, id, attributes: all }: AttributedFile): string {
  const words = all.map((attribute) => {
    const at = attribute.lastIndexOf('=')
    return `${hex(attribute.slice(0, at))}=${attribute.slice(at + 1)}`
  })
  return `${[hex(path), id, ...words].join(' ')}\n`
}

/** Whole lines alone: what a program that was ended said of the last file is no answer. */
function answered([name, ...args]: readonly [string, ...string[]], input: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { ...OPTIONS, stdio: ['pipe', 'pipe', 'ignore'] })
    let said = ''
    child.stdin.on('error', () => {}).end(input)
    child.on('error', () => resolve(''))
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
    })
    child.on('close', () => resolve(said.slice(0, said.lastIndexOf('\n') + 1)))
  })
}
