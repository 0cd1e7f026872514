import { describe, expect, test } from 'vitest'
import { tokenLine } from '../syntax/outline.ts'
import { lexPerl } from './lexer.ts'

/** Tokens of Perl: sigils, quote-like operators, heredocs, substitutions. */

describe('variables', () => {
  for (const [code, expected] of [
    ['$x @y %z &f', '$x @y % z & f'],
    [
      `$x[0] $x{k} $x->{k}[1] @x{1,2} @$r %$r @{$r} %{$r} $$r \${$r}`,
      '$x [ #0 ] $x { k } $x -> { k } [ #1 ] @x { #1 , #2 } deref@ $r % $r deref@ { $r } % { $r } deref$ $r deref$ { $r }',
    ],
    ['$Foo::bar @Foo::ISA ::main $::x', '$Foo::bar @Foo::ISA :: main $::x'],
    ['$_ @_ $0 $1 $& $! $@ $/ $\\ $, $; $. $$ $< $> $( $) $[ $]', '$_ @_ $0 $1 $& $! $@ $/ $\\ $, $; $. $$ $< $> $( $) $[ $]'],
    [`$| $+ $" $' $\` $~ $? $^ $:`, `$| $+ $" $' $\` $~ $? $^ $:`],
    ['$#x $#{$r} $#$r', '$#x deref@ { $r } deref@ $r'],
    ['5 % 3', '#5 % #3'],
    ['$x % $y', '$x % $y'],
    ['$x & $y', '$x & $y'],
    ['&$f(1)', 'deref& $f ( #1 )'],
    ['&{$f}(1)', 'deref& { $f } ( #1 )'],
  ] as const)
    test(code, () => expect(tokenLine(lexPerl(code))).toBe(expected))
})

describe('numbers and operators', () => {
  for (const [code, expected] of [
    ['1 2.5 1e3 0x1f 0b11 0755 1_000 1..9', '#1 #2.5 #1e3 #0x1f #0b11 #0755 #1_000 #1 .. #9'],
    ['$a + $b - $c * $d / $e % $f ** $g . $h x 3', '$a + $b - $c * $d / $e % $f ** $g . $h x #3'],
    ['$a == $b != $c <=> $d =~ $e !~ $f', '$a == $b != $c <=> $d =~ $e !~ $f'],
    ['$a && $b || $c // $d ! $e', '$a && $b || $c // $d ! $e'],
    [`$a += 1; $b .= 'x'; $c ||= 2; $d //= 3; $e **= 4; $f <<= 5`, '$a += #1 ; $b .= "x" ; $c ||= #2 ; $d //= #3 ; $e **= #4 ; $f <<= #5'],
    ['$a <= $b >= $c << 2 >> 1', '$a <= $b >= $c << #2 >> #1'],
    ['a => 1, b => 2', 'a => #1 , b => #2'],
    ['$x ? $y : $z', '$x ? $y : $z'],
    ['$x->method(1)->other', '$x -> method ( #1 ) -> other'],
    ['\\$x \\@y \\&f', '\\ $x \\ @y \\ &f'],
    ['++$i; $j--', '++ $i ; $j --'],
  ] as const)
    test(code, () => expect(tokenLine(lexPerl(code))).toBe(expected))
})

describe('quotes', () => {
  for (const [code, expected] of [
    [`'a' "b"`, '"a" "b"'],
    [`'it\\'s' 'a\\nb'`, `"it's" "a\\\\nb"`],
    ['"a\\tb\\x41\\x{263a}\\"q"', '"a\\tbA☺\\"q"'],
    ['q(a(b)c) q{a{b}c} q[a] q<a> q/a/ q!a! q#a#', '"a(b)c" "a{b}c" "a" "a" "a" "a" "a"'],
    ['qq(a $b c) qq{x}', 'template("a " {$b} " c") "x"'],
    [
      `qw(a b c) qw/d e/ qw[
f
g
]`,
      'words("a" "b" "c") words("d" "e") words("f" "g")',
    ],
    [
      `"a $b c" "$x[0]" "$x{k}" "$x->{k}" "@l" "\${x}y" "@{[1+1]}" "$$"`,
      'template("a " {$b} " c") template({$x[0]}) template({$x{k}}) template({$x->{k}}) template({@l}) template({x} "y") template({[1+1]}) template({$$})',
    ],
    ['"a\\$b" "a\\@b" "user@example.com"', '"a$b" "a@b" template("user" {@example} ".com")'],
    [`'a $b @c'`, '"a $b @c"'],
    ['`ls $d`', 'command("ls " {$d})'],
    [`qx(ls) qx'ls $HOME' qx{ls}`, 'command("ls") command("ls $HOME") command("ls")'],
    ['q => 1, s => 2, y => 3', 'q => #1 , s => #2 , y => #3'],
    ['{s} {q} ->y ->s(1)', '{ s } { q } -> y -> s ( #1 )'],
    ['-s $file', '- s $file'],
    ['sub s { }', 'sub s { }'],
  ] as const)
    test(code, () => expect(tokenLine(lexPerl(code))).toBe(expected))
})

describe('quotes: what cannot be read says so', () => {
  for (const [code, message] of [
    [`'unclosed`, 'a string is not closed'],
    ['q(unclosed', 'a string is not closed'],
  ] as const)
    test(code, () => expect(() => lexPerl(code)).toThrow(message))
})

describe('regular expressions', () => {
  for (const [code, expected] of [
    ['/abc/ m/abc/i m{a/b}x m!a!', 'regex() regex() regex() regex()'],
    ['$x =~ /a/ && $y !~ /b/', '$x =~ regex() && $y !~ regex()'],
    ['split /,/, $x', 'split regex() , $x'],
    ['$x / $y / $z', '$x / $y / $z'],
    ['if (/a/) { }', 'if ( regex() ) { }'],
    ['s/a/b/ s{a}{b} s(a)(b)g s/a/$x/', 'regex(s) regex(s) regex(s) regex(s {$x})'],
    ['s/a/f()/e s{a}{ b() }gex', 'regex(tr {f()}) regex(tr { b() })'],
    ['s/a/b/r', 'regex()'],
    ['tr/a-z/A-Z/ y/a/b/ tr/a//cdr', 'regex(tr) regex(tr) regex()'],
    ['qr/a(b)c/x', 'regex()'],
    ['/a(?{ code() })b/', 'regex({ code() })'],
    [`m'a$b'`, 'regex()'],
  ] as const)
    test(code, () => expect(tokenLine(lexPerl(code))).toBe(expected))
})

describe('regular expressions: what cannot be read says so', () => {
  for (const [code, message] of [['s/a', 'a string is not closed']] as const) test(code, () => expect(() => lexPerl(code)).toThrow(message))
})

describe('heredocs', () => {
  for (const [code, expected] of [
    [
      `<<E
a $b
E`,
      'template("a " {$b} "\\n")',
    ],
    [
      `<<'E'
a $b
E`,
      '"a $b\\n"',
    ],
    [
      `<<"E"
a $b
E`,
      'template("a " {$b} "\\n")',
    ],
    [
      `<<~E
  a
  E`,
      '"  a\\n"',
    ],
    [
      `print <<A, <<B;
one
A
two
B`,
      'print "one\\n" , "two\\n" ;',
    ],
    [
      `<<\`E\`
ls
E`,
      'command("ls\\n")',
    ],
    ['$x << 2', '$x << #2'],
  ] as const)
    test(code, () => expect(tokenLine(lexPerl(code))).toBe(expected))
})

describe('files and globs', () => {
  for (const [code, expected] of [
    ['<STDIN> <$fh> <> <FH>', '< STDIN > < $fh > < > < FH >'],
    ['<*.c>', 'glob "*.c"'],
    ['<$d/*>', 'glob template({$d} "/*")'],
    ['unlink <*.o>, <*.a>', 'unlink glob "*.o" , glob "*.a"'],
    ['$x < 5 && $y > 3', '$x < #5 && $y > #3'],
    [`open(F, '<', $x)`, 'open ( F , "<" , $x )'],
  ] as const)
    test(code, () => expect(tokenLine(lexPerl(code))).toBe(expected))
})

describe('comments and documentation', () => {
  for (const [code, expected] of [
    [
      `$x # comment
$y`,
      '$x $y',
    ],
    [
      `=pod
text
=cut
$x`,
      '$x',
    ],
    [
      `$x
=head1 T
text
=cut
$y`,
      '$x $y',
    ],
    [
      `$x;
__END__
not read`,
      '$x ;',
    ],
    [
      `$x;
__DATA__
not read`,
      '$x ;',
    ],
    [
      `#!/usr/bin/perl
$x`,
      '$x',
    ],
  ] as const)
    test(code, () => expect(tokenLine(lexPerl(code))).toBe(expected))
})
