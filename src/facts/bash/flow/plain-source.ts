/**
 * Sources of compiled languages that only compute, read standard input and print. They are not analysed: one name by which a program
 * of any of these languages starts another, touches files, the network, its environment or memory as code is enough to say no.
 */

/** The most that is looked at, in characters. */
const LONGEST = 65_536

/** Starting programs, loading code, system calls, and code that is not in the text. */
const RUNS = new RegExp(
  String.raw`\b(?:system|_?popen|wordexp|exec(?:[lv][pe]{0,2})?|v?fork|posix_spawn\w*|spawn[lv]\w*|dl(?:open|sym)\w*|LoadLibrary\w*` +
    String.raw`|syscall\w*|asm|__asm\w*|mmap|mprotect|ptrace|setuid|setgid|Command|Process(?:Builder|StartInfo)?|Runtime` +
    String.raw`|ScriptEngine\w*|Class|ClassLoader|reflect\w*|unsafe|plugin|libc|ffi|foreign|extern|NSTask|constructor|native\w*` +
    String.raw`|Unsafe|invoke\w*)\b|"C"|\bkill\s?\(`,
)

/** Files, by the names of the libraries and of their calls. */
const FILES = new RegExp(
  String.raw`\b(?:f?re?open\w*|f[do]?open\w*|creat|unlink\w*|rmdir|chmod|chown|truncate|symlink|mkdir\w*|opendir|readdir` +
    String.raw`|[io]?fstream|filesystem|fs|ioutil|embed|Files?|File[A-Z]\w*|RandomAccessFile|readFile|writeFile|appendFile|withFile` +
    String.raw`|removeFile|contentsOf\w*|include_(?:str|bytes)|sendfile|copyfile|Directory|Stream(?:Reader|Writer))\b` +
    String.raw`|\b(?:open(?:at)?|rename|link)\s?\(`,
)

/** The network, the environment, the machine. */
const REACHES = new RegExp(
  String.raw`\b(?:socket\w*|Socket\w*|ServerSocket|getaddrinfo|gethostby\w+|inet_\w+|curl\w*|http\w*|Http\w*|HTTP\w*|URL\w*|URI` +
    String.raw`|WebClient|Dns|getenv|environ|envp|Environment\w*|getpw\w+|ioctl|reboot|Registry|DllImport|winapi)\b|"net\b|\bnet::` +
    String.raw`|\benv::(?!args\b)|\bwindows(?:\.h|::)|\bmount\s?\(`,
)

/** `remove("x")` of C, which deletes a file; `list.remove(x)` is a list's own. */
const REMOVES = /(?:^|[^.>\w])remove\s{0,8}\(/m
/** `os.Exit`, `os.Args` and the standard streams are all of Go's package that is plain; another name for it says nothing. */
const GO_SYSTEM = /\bos\.(?!(?:Args|Exit|Stdin|Stdout|Stderr)\b)|[\w.]["`\s]{0,4}[ \t]["`]os["`]|[\w.][ \t]{1,8}"(?:os|io)["/]/

/** Names put together of parts, lines that go on, escapes for letters, and files of elsewhere that are read in. */
const HIDDEN =
  /##|\\\r?\n|\\u+00|\?\?[=/'()!<>-]|#\s{0,8}(?:include|embed|import)\s{0,8}["<](?:\/|\.\.)|#\s{0,8}(?:include|embed)\s{0,8}[^"<\s]|#\s{0,8}pragma/

/** True of a text that does nothing but compute and print, as far as its words tell. */
export function isPlainSource(text: string): boolean {
  return (
    text.length <= LONGEST &&
    !RUNS.test(text) &&
    !FILES.test(text) &&
    !REACHES.test(text) &&
    !REMOVES.test(text) &&
    !GO_SYSTEM.test(text) &&
    !HIDDEN.test(text)
  )
}
