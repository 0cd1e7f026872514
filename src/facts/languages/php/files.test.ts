import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What PHP programs do to files: each line of code and everything that is said of it. */

describe('reading', () => {
  for (const [code, expected] of [
    [`echo file_get_contents('/etc/passwd');`, ['read /etc/passwd']],
    [`$l = file('a.txt', FILE_IGNORE_NEW_LINES); foreach ($l as $x) echo $x;`, ['read a.txt']],
    ['readfile("uploads/$name");', ['read uploads/*']],
    [`$f = fopen('a.csv', 'r'); while (($r = fgetcsv($f)) !== false) { print_r($r); } fclose($f);`, ['read a.csv']],
    [`$f = fopen('a.bin', 'rb'); echo fread($f, 10);`, ['read a.bin']],
    [`$j = json_decode(file_get_contents('x.json'), true);`, ['read x.json']],
    [`$c = parse_ini_file('app.ini');`, ['read app.ini']],
    [`show_source('x.php'); highlight_file('y.php');`, ['read x.php', 'read y.php']],
    [`echo file_get_contents('php://filter/convert.base64-encode/resource=index.php');`, ['read index.php']],
    [`$x = simplexml_load_file('a.xml');`, ['read a.xml']],
    [`foreach (glob('*.txt') as $f) echo file_get_contents($f);`, ['read *.txt']],
    [`foreach (new DirectoryIterator('src') as $f) echo file_get_contents($f->getPathname());`, ['read src/*']],
    [`$o = new SplFileObject('a.txt'); echo $o->fgets();`, ['read a.txt']],
    [`echo FILE_GET_CONTENTS('caps.txt');`, ['read caps.txt']],
    [`echo \\file_get_contents('global.txt');`, ['read global.txt']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('writing', () => {
  for (const [code, expected] of [
    [`file_put_contents('out.txt', 'x');`, ['write out.txt']],
    [`file_put_contents('log', "x\\n", FILE_APPEND | LOCK_EX);`, ['write log']],
    ['file_put_contents($path, $data);', ['write *']],
    [`$f = fopen('out', 'w'); fwrite($f, 'x'); fclose($f);`, ['write out']],
    [`$f = fopen('log', 'ab'); fputs($f, 'x');`, ['write log']],
    [`$f = fopen('both', 'r+');`, ['read both', 'write both']],
    [`fopen('new', 'x'); fopen('c', 'c+');`, ['read c', 'write c', 'write new']],
    [`file_put_contents(__DIR__ . '/shell.php', '<?php system($_GET["c"]); ?>');`, ['execute code:remote', 'write ./shell.php']],
    [`move_uploaded_file($_FILES['f']['tmp_name'], '/var/www/x.php');`, ['write /var/www/x.php']],
    [`touch('x'); mkdir('d', 0777, true);`, ['write fs:mkdir d', 'write x']],
    [`$z = gzopen('a.gz', 'w9'); gzwrite($z, 'x');`, ['write a.gz']],
    [`file_put_contents(getenv('HOME') . '/.bashrc', 'x', FILE_APPEND);`, ['write /home/me/.bashrc']],
    [`fputcsv(fopen('o.csv', 'w'), [1, 2]);`, ['write o.csv']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('removing', () => {
  for (const [code, expected] of [
    [`unlink('a.txt');`, ['delete a.txt']],
    ['@unlink("/tmp/$x");', ['delete /tmp/*']],
    [`array_map('unlink', glob('*.log'));`, ['delete *.log']],
    [`array_map(fn($f) => unlink($f), ['a', 'b']);`, ['delete a', 'delete b']],
    [`foreach (['a', 'b'] as $f) { unlink($f); }`, ['delete a', 'delete b']],
    [`foreach (['k' => 'v'] as $k => $v) unlink($v);`, ['delete v']],
    [`foreach (glob('/tmp/*.tmp') as $f): unlink($f); endforeach;`, ['delete /tmp/*.tmp']],
    ['for ($i = 0; $i < 2; $i++) unlink("f$i");', ['delete f1']],
    [`rmdir('d');`, ['delete fs:rmdir d']],
    [
      `function rrmdir($d) { foreach (scandir($d) as $f) { if ($f != '.' && $f != '..') is_dir("$d/$f") ? rrmdir("$d/$f") : unlink("$d/$f"); } rmdir($d); } rrmdir('/var/www');`,
      ['delete /var/www/*', 'delete fs:rmdir /var/www', 'delete fs:rmdir /var/www/*'],
    ],
    [
      `class C { private $d; function __construct($d) { $this->d = $d; } function go() { unlink($this->d); } } (new C('/opt/x'))->go();`,
      ['delete /opt/x'],
    ],
    [`class S { static function rm($f) { unlink($f); } } S::rm('y');`, ['delete y']],
    [`$rm = function ($f) { unlink($f); }; $rm('q');`, ['delete q']],
    [`$rm = fn($f) => unlink($f); $rm('r');`, ['delete r']],
    [`$f = 'unlink'; $f('named');`, ['delete named']],
    [`if ($x) { unlink('one'); } elseif ($y) { unlink('two'); } else { unlink('three'); }`, ['delete one', 'delete three', 'delete two']],
    [`switch ($x) { case 1: unlink('one'); break; default: unlink('other'); }`, ['delete one', 'delete other']],
    [`try { unlink('a'); } catch (Exception $e) { unlink('b'); } finally { unlink('c'); }`, ['delete a', 'delete b', 'delete c']],
    [`while (true) { unlink('w'); break; }`, ['delete w']],
    [`do { unlink('d'); } while ($x);`, ['delete d']],
    [`$p = $x ? 'a' : 'b'; unlink($p);`, ['delete a', 'delete b']],
    [`$p = $x ?: 'dflt'; unlink($p);`, ['delete *', 'delete dflt']],
    [`$p = $_x ?? 'nil'; unlink($p);`, ['delete *', 'delete nil']],
    [`$a = ['f' => 'data']; unlink($a['f']);`, ['delete data']],
    [`$a = array('x', 'y'); unlink($a[1]);`, ['delete y']],
    [`[$a, $b] = ['x', 'y']; unlink($b);`, ['delete y']],
    [`list($a, $b) = array('x', 'y'); unlink($a);`, ['delete x']],
    [`$p = '/tmp'; $p .= '/x'; unlink($p);`, ['delete /tmp/x']],
    [`unlink('a' . 'b' . 1);`, ['delete ab1']],
    [`unlink("{$dir}x"); unlink("/srv/{$a['k']}");`, ['delete *', 'delete /srv/*']],
    [`$d = '/srv'; unlink("$d/f"); unlink("{$d}/g");`, ['delete /srv/f', 'delete /srv/g']],
    [`unlink(implode('/', ['a', 'b']));`, ['delete a/b']],
    [`unlink(sprintf('%s-%d', 'a', 1));`, ['delete a-1']],
    [
      `unlink(<<<X
here.txt
X);`,
      ['delete here.txt'],
    ],
    [`define('F', 'const.txt'); unlink('x' . DIRECTORY_SEPARATOR . 'y');`, ['delete x/y']],
    [`unlink(trim(' a '));`, ['delete a']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('moving, copying, linking, modes', () => {
  for (const [code, expected] of [
    [`rename('a', 'b');`, ['delete fs:move a', 'write fs:move b']],
    [`copy('a', 'b');`, ['read fs:copy a', 'write fs:copy b']],
    [`copy('/etc/shadow', '/tmp/s');`, ['read fs:copy /etc/shadow', 'write fs:copy /tmp/s']],
    [`symlink('/etc/passwd', 'l'); link('a', 'b');`, ['write fs:link b', 'write fs:link l']],
    [`chmod('x', 0777);`, ['change fs:chmod x']],
    [`chown('/srv', 'root'); chgrp('/srv', 'root');`, ['change fs:chown /srv']],
    [`$z = new ZipArchive; $z->open('a.zip');`, ['read a.zip']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('the environment', () => {
  for (const [code, expected] of [
    [`echo getenv('AWS_SECRET_ACCESS_KEY');`, ['read AWS_SECRET_ACCESS_KEY', 'read env:get AWS_SECRET_ACCESS_KEY']],
    ['print_r(getenv());', ['read *', 'read env:list *']],
    ['foreach ($_ENV as $k => $v) echo "$k=$v";', ['read *', 'read env:list *']],
    [`putenv('LD_PRELOAD=/tmp/x.so');`, ['change env:inject LD_PRELOAD']],
    [`ini_set('disable_functions', '');`, ['change env:inject disable_functions']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})
