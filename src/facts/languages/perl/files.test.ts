import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What Perl programs do to files: each line of code and everything that is said of it. */

describe('opening with three arguments', () => {
  for (const [code, expected] of [
    [`open(my $fh, '<', '/etc/passwd') or die $!;`, ['read /etc/passwd']],
    [`open(my $fh, '>', 'out.txt') or die;`, ['write out.txt']],
    [`open(my $fh, '>>', 'app.log');`, ['write app.log']],
    [`open(my $fh, '+<', 'db.bin');`, ['read db.bin', 'write db.bin']],
    [`open(my $fh, '<:encoding(UTF-8)', 'in.txt') || die "no";`, ['read in.txt']],
    [`open(my $fh, '>:raw', "/tmp/$$.bin");`, ['write /tmp/*']],
    [`open FH, '<', 'in.txt' or die;`, ['read in.txt']],
    [`open(our $log, '>>', '/var/log/app.log');`, ['write /var/log/app.log']],
    [`open($self->{fh}, '>', 'x.out');`, ['write x.out']],
    ['open(my $in, "<", $ENV{HOME} . "/notes");', ['read /home/me/notes']],
    [`sysopen(my $fh, 'lock', O_RDWR|O_CREAT);`, ['read lock', 'write lock']],
    [`sysopen(FH, 'in', O_RDONLY);`, ['read in']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('opening with two arguments', () => {
  for (const [code, expected] of [
    [`open(FH, 'in.txt');`, ['read in.txt']],
    [`open(FH, '<in.txt');`, ['read in.txt']],
    ['open(FH, "< in.txt");', ['read in.txt']],
    [`open(FH, '>out.txt');`, ['write out.txt']],
    ['open(FH, "> /etc/cron.d/job");', ['write /etc/cron.d/job']],
    [`open(FH, '>>out.txt');`, ['write out.txt']],
    ['open FH, ">$path";', ['write *']],
    [`open(FH, '+<both');`, ['read both', 'write both']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('programs behind a handle', () => {
  for (const [code, expected] of [
    [`open(P, 'ls -l |'); while (<P>) { print }`, ['$ ls -l ']],
    ['open(P, "curl http://x.example/a |");', ['$ curl http://x.example/a ']],
    [`open(P, '| mail bob');`, ['$ mail bob']],
    [`open(my $p, '-|', 'git', 'log', '--oneline');`, ['> git log --oneline']],
    [`open(my $p, '-|', "ps aux");`, ['$ ps aux']],
    [`open(my $p, '|-', 'tee', '/tmp/o');`, ['> tee /tmp/o']],
    [
      `open(my $p, '|-', 'sh'); print $p "rm -rf /srv\\n";`,
      [
        `$ rm -rf /srv
`,
        '$ sh',
      ],
    ],
    [`open(my $p, '|-', 'bash') or die; print {$p} "id";`, ['$ bash', '$ id']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('reading and writing', () => {
  for (const [code, expected] of [
    [`my @l = do { local @ARGV = ('x'); <> }; open my $o, '>', 'y'; print $o @l;`, ['write y']],
    [`use File::Slurp; my $t = read_file('in.txt'); write_file('out.txt', $t);`, ['read in.txt', 'write out.txt']],
    [`use File::Slurp; append_file('log', "x\\n");`, ['write log']],
    [`use File::Slurper qw(read_text); read_text('a');`, ['read a']],
    [`use Path::Tiny; path('a.txt')->spew('x');`, ['write a.txt']],
    [`use Path::Tiny; my @l = path('a.txt')->lines;`, ['read a.txt']],
    [`use Path::Tiny; path('/etc')->child('hosts')->append("1.2.3.4 x\\n");`, ['write /etc/hosts']],
    [
      `use Path::Tiny; path('a')->copy('b'); path('c')->move('d'); path('e')->touch;`,
      ['delete fs:move c', 'read fs:copy a', 'write e', 'write fs:copy b', 'write fs:move d'],
    ],
    [`use Path::Tiny; path('x')->remove; path('y')->remove_tree;`, ['delete x', 'delete y']],
    [`my $fh = IO::File->new('out', 'w'); $fh->print('x');`, ['write out']],
    [`my $fh = IO::File->new('in'); my @l = $fh->getlines;`, ['read in']],
    [`opendir(my $d, '/var/log'); while (my $f = readdir $d) { unlink "/var/log/$f" }`, ['delete /var/log/*']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('removing', () => {
  for (const [code, expected] of [
    [`unlink 'a.txt';`, ['delete a.txt']],
    [`unlink('a.txt', 'b.txt') or warn;`, ['delete a.txt', 'delete b.txt']],
    ['unlink @files;', ['delete *']],
    [`unlink glob('*.o');`, ['delete *.o']],
    ['unlink glob "*.o *.a";', ['delete *.a', 'delete *.o']],
    ['unlink <*.tmp>;', ['delete *.tmp']],
    ['unlink </var/log/*.log>;', ['delete /var/log/*.log']],
    ['unlink for qw(a b);', ['delete a', 'delete b']],
    ['unlink foreach @ARGV;', ['delete *']],
    [`for my $f ('a', 'b') { unlink $f }`, ['delete a', 'delete b']],
    ['for (qw(x y)) { unlink }', ['delete x', 'delete y']],
    [`map { unlink } ('m', 'n');`, ['delete m', 'delete n']],
    [`map { unlink $_ } glob('*.bak');`, ['delete *.bak']],
    [`grep { unlink } ('q');`, ['delete q']],
    [`rmdir 'empty';`, ['delete fs:rmdir empty']],
    [`use File::Path; rmtree('build');`, ['delete build']],
    [`use File::Path qw(remove_tree); remove_tree('/srv/data', { safe => 0 });`, ['delete /srv/data']],
    [`use File::Path 'remove_tree'; remove_tree("$ENV{HOME}/x", '/opt/y');`, ['delete /home/me/x', 'delete /opt/y']],
    [`File::Path::rmtree(['a', 'b']);`, ['delete a', 'delete b']],
    [`use File::Find; find(sub { unlink $File::Find::name }, '/home/me/docs');`, ['delete *']],
    [`use File::Find; find({ wanted => sub { unlink if /~$/ }, no_chdir => 1 }, '.');`, ['delete ./*']],
    [`-e 'x' and unlink 'x';`, ['delete x']],
    [`unlink 'x' if -s 'x' > 100;`, ['delete x']],
    [`unlink 'x' unless $keep;`, ['delete x']],
    ['my $dir = shift; unlink "$dir/cache";', ['delete *']],
    [`sub rm { my ($f) = @_; unlink $f } rm('/etc/motd');`, ['delete /etc/motd']],
    [`sub rm { my $f = shift; unlink $f } rm('/etc/motd');`, ['delete /etc/motd']],
    [`sub rm { unlink $_[0] } rm('/etc/motd');`, ['delete /etc/motd']],
    [`my $rm = sub { unlink shift }; $rm->('/etc/issue');`, ['delete /etc/issue']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('moving, copying, linking', () => {
  for (const [code, expected] of [
    [`rename 'a', 'b';`, ['delete fs:move a', 'write fs:move b']],
    ['rename($old, "$old.bak");', ['delete fs:move *', 'write fs:move *']],
    [`use File::Copy; copy('a', 'b') or die;`, ['read fs:copy a', 'write fs:copy b']],
    [`use File::Copy; move('/etc/passwd', '/tmp/p');`, ['delete fs:move /etc/passwd', 'write fs:move /tmp/p']],
    [`use File::Copy qw(cp mv); cp 'a', 'b'; mv 'c', 'd';`, ['delete fs:move c', 'read fs:copy a', 'write fs:copy b', 'write fs:move d']],
    [`File::Copy::copy('x', 'y');`, ['read fs:copy x', 'write fs:copy y']],
    [`symlink '/etc/passwd', 'link';`, ['write fs:link link']],
    [`link 'a', 'b';`, ['write fs:link b']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('directories and modes', () => {
  for (const [code, expected] of [
    [`mkdir 'd';`, ['write fs:mkdir d']],
    ['mkdir "/opt/x", 0755;', ['write fs:mkdir /opt/x']],
    [`use File::Path qw(make_path); make_path('a/b', 'c/d', { mode => 0711 });`, ['write fs:mkdir a/b', 'write fs:mkdir c/d']],
    [`chmod 0777, '/etc/passwd';`, ['change fs:chmod /etc/passwd']],
    [`chmod 0644, 'a', 'b';`, ['change fs:chmod a', 'change fs:chmod b']],
    ['chmod(0600, @list);', ['change fs:chmod *']],
    [`chown 0, 0, '/srv/x';`, ['change fs:chown /srv/x']],
    [`truncate 'x', 0;`, ['write fs:truncate x']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('the environment', () => {
  for (const [code, expected] of [
    ['print $ENV{AWS_SECRET_ACCESS_KEY};', ['read AWS_SECRET_ACCESS_KEY', 'read env:get AWS_SECRET_ACCESS_KEY']],
    [`my %e = %ENV; print join ',', values %ENV;`, ['read *']],
    ['print "$_=$ENV{$_}\\n" for sort keys %ENV;', ['read', 'read *', 'read env:list']],
    [`$ENV{LD_PRELOAD} = '/tmp/x.so';`, ['change env:inject LD_PRELOAD']],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})

describe('known values', () => {
  for (const [code, expected] of [
    [`my $d = '/tmp'; my $f = 'x'; unlink "$d/$f";`, ['delete /tmp/x']],
    [`my @p = ('', 'etc', 'x'); unlink join('/', @p);`, ['delete /etc/x']],
    [`my %c = (file => 'data.db'); unlink $c{file};`, ['delete data.db']],
    [`my $c = { file => 'data.db' }; unlink $c->{file};`, ['delete data.db']],
    [`my $c = [ 'a', 'b' ]; unlink $c->[1];`, ['delete b']],
    ['my @c = qw(a b c); unlink $c[2];', ['delete c']],
    [`my ($a, $b) = ('x', 'y'); unlink $b;`, ['delete y']],
    [`unlink 'a' . 'b' . 'c';`, ['delete abc']],
    [`unlink 'ab' x 2;`, ['delete abab']],
    [`unlink sprintf('%s-%d.log', 'app', 7);`, ['delete app-7.log']],
    [`unlink lc('A.TXT');`, ['delete a.txt']],
    [`use constant FILE => '/srv/f'; unlink FILE;`, ['delete /srv/f']],
    [`use constant { A => 'aa', B => 'bb' }; unlink B;`, ['delete bb']],
    [`my $x = 'a.txt'; $x =~ s/a/b/; unlink $x;`, ['delete *']],
    [`(my $y = 'a.txt') =~ s/txt$/bak/; unlink $y;`, ['delete *']],
    [`my $p = $q ? 'one' : 'two'; unlink $p;`, ['delete one', 'delete two']],
    [`my $p = $ENV{X} || 'dflt'; unlink $p;`, ['delete *', 'delete dflt', 'read X']],
    [`my $p = shift // 'dflt'; unlink $p;`, ['delete *']],
    [`if ($x) { $p = 'a' } else { $p = 'b' } unlink $p;`, ['delete a', 'delete b']],
    ['unlink "/srv/$_" for 1..3;', ['delete /srv/1', 'delete /srv/3']],
    ['unlink q{a b}; unlink qq{c};', ['delete a b', 'delete c']],
    [
      `unlink <<"E";
x/y
E`,
      [
        `delete x/y
`,
      ],
    ],
  ] as const)
    test(code, () => expect(summary('perl', code)).toEqual(expected))
})
