import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What Perl programs run: commands, shells, code from text, other processes. */

describe('commands', () => {
  for (const [code, expected] of [
    [`system('ls -la');`, ['$ ls -la']],
    [`system 'ls', '-la';`, ['> ls -la']],
    ['system("rm -rf $dir");', ['$ rm -rf $UNKNOWN_VALUE', 'opaque part of the command that `system` runs is not known']],
    ['system("rm", "-rf", "/srv/x");', ['> rm -rf /srv/x']],
    [`system('git status') == 0 or die;`, ['$ git status']],
    [`system { '/bin/ls' } 'ls', '-l';`, ['> /bin/ls -l']],
    [`exec '/bin/sh', '-c', 'id';`, ['> /bin/sh -c id']],
    [`exec 'vim', @ARGV;`, ['> vim ?']],
    [`exec { 'bash' } '-bash';`, ['$ bash']],
    [`my @c = ('git', 'push', '--force'); system(@c);`, ['> git push --force']],
    ['my @c = qw(make install); exec @c;', ['> make install']],
    ['my $o = `id`;', ['$ id']],
    ['my $o = `cat /etc/passwd | head -1`;', ['$ cat /etc/passwd | head -1']],
    ['my @l = qx(ls -1);', ['$ ls -1']],
    ['my @l = qx{find / -perm -4000};', ['$ find / -perm -4000']],
    ['print `uname -a`;', ['$ uname -a']],
    [`my $o = readpipe('whoami');`, ['$ whoami']],
    ['system "echo $ENV{HOME}";', ['$ echo /home/me']],
    ['system($cmd);', ['execute code:dynamic', 'opaque `system` runs a command that is not known before it runs']],
    ['`$cmd`;', ['execute code:dynamic', 'opaque `backticks` runs a command that is not known before it runs']],
    [`use IPC::Open3; my $pid = open3(my $i, my $o, undef, 'nc', '-l', '1');`, ['> nc -l 1']],
    [`use IPC::Open2; open2($o, $i, 'bc');`, ['$ bc']],
    [`use IPC::Run qw(run); run(['git', 'clean', '-fdx'], '>', \\my $out);`, ['> git clean -fdx']],
    [`use IPC::System::Simple qw(capture); my $o = capture('ls -l');`, ['$ ls -l']],
    [`use IPC::System::Simple 'systemx'; systemx('rm', 'x');`, ['> rm x']],
    [`CORE::system('id');`, ['$ id']],
    [`&CORE::GLOBAL::system('id');`, ['$ id']],
    [`my $f = 'system'; &$f('id');`, ['$ id']],
    [`my $f = 'sys' . 'tem'; &{$f}('id');`, ['$ id']],
    [`my $r = \\&system; $r->('id');`, ['$ id']],
    [`system 'a' if $x; system 'b' unless $y; system 'c' while $z;`, ['$ a', '$ b', '$ c']],
    ['system("a") && system("b");', ['$ a', '$ b']],
    [`sub run { system(@_) } run('git', 'gc');`, ['> git gc']],
    [`sub run { my ($c, @r) = @_; system($c, @r) } run('git', 'gc');`, ['> git gc']],
    [`eval { system 'a' }; warn $@ if $@;`, ['$ a']],
    [`BEGIN { system 'x' }`, ['$ x']],
    [`END { system 'y' }`, ['$ y']],
    [`{ local $ENV{PATH} = '/bin'; system 'z' }`, ['$ z']],
    [`$SIG{INT} = sub { system 'late' };`, ['$ late']],
    [`print "@{[ system('hidden') ]}";`, ['$ hidden']],
    [`print "\${\\ system('hidden')}";`, ['$ hidden']],
    [`"x" =~ /(?{ system('regex') })/;`, ['$ regex']],
    [`$s =~ s/x/system('repl')/e;`, ['$ repl']],
    ['$s =~ s{x}{`repl $1`}ge;', ['$ repl $UNKNOWN_VALUE', 'opaque part of the command that `backticks` runs is not known']],
    [
      '$s =~ s{x}{`repl $1`}gee;',
      [
        '$ repl $UNKNOWN_VALUE',
        'execute code:dynamic',
        'opaque `eval` runs code that is not known before it runs',
        'opaque part of the command that `backticks` runs is not known',
      ],
    ],
    [`$s =~ s/x/"system('twice')"/ee;`, ['$ twice', "perl:system('twice')"]],
    [`$s =~ s/x/"system('once')"/e;`, []],
    [`my %h = (a => sub { system 'inhash' }); $h{a}->();`, ['$ inhash']],
    [`sort { system('s'); $a <=> $b } @l;`, ['$ s']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('code from text', () => {
  for (const [code, expected] of [
    [`eval 'system("id")';`, ['$ id', 'perl:system("id")']],
    [`eval "unlink '$f'";`, ['execute code:dynamic', 'opaque `eval` runs code that is not known before it runs']],
    ['eval $code;', ['execute code:dynamic', 'opaque `eval` runs code that is not known before it runs']],
    [`eval { unlink 'in a block' };`, ['delete in a block']],
    [`my $c = 'unlink "x"'; eval $c; die if $@;`, ['delete x', 'perl:unlink "x"']],
    [`eval "print 1;"; eval 'use Foo; 1' or warn;`, ['perl:print 1;', 'perl:use Foo; 1']],
    [`use MIME::Base64; eval decode_base64('c3lzdGVtKCJpZCIp');`, ['$ id', 'execute code:decoded system("id")', 'perl:system("id")']],
    ['eval(MIME::Base64::decode_base64("c3lzdGVtKCJpZCIp"));', ['$ id', 'execute code:decoded system("id")', 'perl:system("id")']],
    [`eval pack('H*', '73797374656d2822696422293b');`, ['$ id', 'execute code:decoded system("id");', 'perl:system("id");']],
    [
      `eval join '', map { chr } (115,121,115,116,101,109,40,34,105,100,34,41);`,
      ['$ id', 'execute code:decoded system("id")', 'perl:system("id")'],
    ],
    [`eval reverse ')"di"(metsys';`, ['$ id', 'execute code:decoded system("id")', 'perl:system("id")']],
    [
      `my $x = 'flfgrz("vq")'; $x =~ tr/a-zA-Z/n-za-mN-ZA-M/; eval $x;`,
      ['execute code:decoded', 'opaque `eval` runs code that is not known before it runs'],
    ],
    [`$_ = 'flfgrz("vq")'; tr/a-z/n-za-m/; eval;`, ['execute code:decoded', 'opaque `eval` runs code that is not known before it runs']],
    [`eval unpack u => q{_<'...};`, ['execute code:decoded', 'opaque `eval` runs code that is not known before it runs']],
    ['while (<STDIN>) { eval }', ['perl:<stdin>']],
    ['eval <STDIN>;', ['perl:<stdin>']],
    [`eval do { local $/; open my $f, '<', 'code.pl'; <$f> };`, ['read code.pl', 'script perl:code.pl']],
    [`do './setup.pl';`, ['script perl:./setup.pl']],
    ['do $file;', ['execute code:dynamic', 'opaque `do` runs code that is not known before it runs']],
    [`require './lib/x.pl';`, ['script perl:./lib/x.pl']],
    ['require "$dir/x.pl";', ['execute code:dynamic', 'opaque `require` runs code that is not known before it runs']],
    [`use Inline C => 'int f() { return system("id"); }';`, ['execute code:native C']],
    [`syscall(59, '/bin/sh', 0, 0);`, ['execute code:native 59']],
    [`use Safe; Safe->new->reval('unlink "x"');`, ['delete x', 'perl:unlink "x"']],
    [`use Storable; my $d = retrieve('cache.sto');`, ['execute code:deserialize retrieve', 'read cache.sto']],
    [`use Storable 'thaw'; thaw($data);`, ['execute code:dynamic thaw']],
    [
      `use YAML; my $c = LoadFile('c.yml'); YAML::LoadFile('d.yml');`,
      ['execute code:deserialize YAML.LoadFile', 'read c.yml', 'read d.yml'],
    ],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('processes', () => {
  for (const [code, expected] of [
    ['kill 9, 1234;', ['change proc:kill 1234']],
    [`kill 'TERM', $pid;`, ['change proc:kill']],
    ['kill -9, 1;', ['change proc:kill 1']],
    ['fork while 1;', ['execute proc:fork-bomb fork']],
    ['while (1) { fork }', ['execute proc:fork-bomb fork']],
    [`use POSIX; POSIX::setuid(0); exec 'sh';`, ['$ sh', 'change privilege:switch root']],
    ['use POSIX qw(setuid); setuid(0);', ['change privilege:switch root']],
    [`chroot '/jail';`, ['change privilege:root /jail']],
    [`use threads; threads->create(sub { system 'thread' });`, ['$ thread']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('ordinary programs', () => {
  for (const code of [
    'print "hello\\n";',
    'use strict; use warnings; use 5.010; my $x = 1; say $x;',
    'my @a = map { $_ * 2 } grep { $_ % 2 } 1..10; print "@a\\n";',
    `my %h; $h{$_}++ for split /,/, 'a,b,a'; print "$_: $h{$_}\\n" for sort keys %h;`,
    'while (my $l = <STDIN>) { chomp $l; my @f = split /\\t/, $l; print $f[0], "\\n" }',
    'print if /error/i;',
    's/foo/bar/g;',
    '$sum += $F[1]; END { print $sum }',
    `print join(',', map { sprintf '%02d', $_ } @F), "\\n";`,
    `use JSON; my $d = decode_json('{"a":1}'); print encode_json($d), "\\n";`,
    'use Data::Dumper; $Data::Dumper::Sortkeys = 1; print Dumper({ a => [1, 2] });',
    `use POSIX qw(strftime); print strftime('%Y-%m-%d', localtime);`,
    'use List::Util qw(sum max first); print sum(1, 2), max(3, 4), first { $_ > 1 } 1, 2;',
    `my $re = qr/(\\d+)-(\\w+)/x; if ('12-ab' =~ $re) { print "$1 $2" }`,
    `my ($a, $b) = 'k=v' =~ /(\\w)=(\\w)/; print "$a$b";`,
    'package Foo; sub new { my ($c, %o) = @_; return bless { %o }, $c } sub x { $_[0]{x} } package main; print Foo->new(x => 1)->x;',
    `my $s = <<'E'; print $s;
system("not run")
E`,
    `print 1; # system('comment')
print 2;`,
    `=pod

system('documentation');

=cut
print 1;`,
    `print 1;
__END__
system('after the end');`,
    `print q{system('quoted')}, 'eval', "unlink 'x'";`,
    'my @s = sort { $a->{n} cmp $b->{n} || $a->{m} <=> $b->{m} } @r; print scalar @s;',
    `local $| = 1; local $, = ','; local $/ = undef; print $0, $$, $@, $!;`,
    'print "size ", -s $file, "\\n" if -e $file && !-d _;',
    `printf("%-10s|%5.2f\\n", 'x', 3.14159);`,
    `my $n = () = $t =~ /x/g; print $n; print substr($t, 1, 2), index($t, 'x'), uc $t, ucfirst lc $t;`,
    `use Time::HiRes 'time'; my $t0 = time; print time - $t0;`,
    `use Getopt::Long; GetOptions('v' => \\my $v, 'n=i' => \\my $n) or die; print $v;`,
    'my ($x, $y) = @ARGV; die "usage" unless @ARGV == 2; print $x + $y;',
    'my @m = ([1, 2], [3, 4]); print $m[1][0], scalar(@m), $#m;',
    `print for reverse 1 .. 3; print "a" . "b" x 3, "\\n"; print 7 <=> 3, 'a' lt 'b';`,
    `use Test::More tests => 1; is(1 + 1, 2, 'adds'); ok(1); done_testing;`,
    'sub fact { my $n = shift; $n < 2 ? 1 : $n * fact($n - 1) } print fact(5);',
    `print "$h{a}{b}[0] $r->{x} @{$r->{l}} $$r{y} \${$r}{z}";`,
    '$x = $y =~ s/a/b/r; $y =~ tr/a-z//cd; ($z = $y) =~ tr/a-z/A-Z/; print $x;',
    'next if /^#/; last if eof; redo unless $x; print;',
    'print STDERR "warn\\n"; print STDOUT "out\\n"; print {*STDERR} "x"; printf STDERR "%s", 1;',
  ])
    test(code, () => expect(summary('perl', code)).toEqual([]))
})
