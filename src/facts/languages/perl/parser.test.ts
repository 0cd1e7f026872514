import { describe, expect, test } from 'vitest'
import { parse } from '../parsers.ts'
import { nodeLine } from '../syntax/outline.ts'

/** Syntax trees of Perl: what is kept of each construct, and what is left unsaid in it. */

describe('expressions', () => {
  for (const [code, expected] of [
    ['$a + $b * $c . $d x 3', '{ ($a + ($b * $c) . ($d x 3)) }'],
    [`$a == 1 && $b eq 'x' || !$c // 2`, '{ ((either (either ($a == 1) ($b eq "x")) (! $c)) // 2) }'],
    ['$x ? $y : $z', '{ ($x; (either $y $z)) }'],
    [
      `$h{k}, $h{'k'}, $h{$k}, $a[0], $r->{k}[1]{m}, $$r[0], @{$r->{l}}, %$h`,
      '{ [$h["k"], $h["k"], $h[$k], $a[0], $r["k"][1]["m"], $r[0], ($r["l"]), $h] }',
    ],
    [`(1, 2, 3), [1, 2], { a => 1, 'b', 2 }`, '{ [[1, 2, 3], [1, 2], {"a": 1, "b": 2}] }'],
    ['\\$x, \\@y, \\&f', '{ [(\\ $x), (\\ $y), (\\ f)] }'],
    ['f(1, 2), f 1, 2; &f(3), &$g(4), $g->(5)', '{ [f(1, 2), f(1, 2)]; [f(3), $g(4), $g(5)] }'],
    [
      'Foo->new(a => 1)->bar, Foo::Bar::baz(1), new Foo(2), $o->m, $o->m->n(3)',
      '{ [Foo.new(a: 1).bar(), Foo::Bar::baz(1), Foo.new(2, $o.m(), $o.m().n(3))] }',
    ],
    ['sub { $_[0] }, sub ($x, $y = 1) { $x }', '{ [(fn _() ($_[0])), (fn _($x, $y=1) ($x))] }'],
    [`"a $b{c} @{[ d() ]}", 'e', qw(f g), \`h $i\``, '{ [(template "a " $b["c"] " " [d()]), "e", ["f", "g"], (command "h " $i)] }'],
    [
      '$x =~ /a/, $x =~ s/a/b/, $x =~ tr/a/b/, ($y = $x) =~ s/c/d/, $x =~ s/a/b/r',
      '{ [($x =~ ()), $x = rewritten($x, ["s", ()]), $x = rewritten($x, ["tr", ()]), $y = rewritten($y = $x, ["s", ()]), ($x =~ ())] }',
    ],
    ['my $x = 1; my ($a, $b) = @_; our @c = (1); local $_ = 2', '{ (my $x) = 1; (my [$a, $b]) = $_; (our $c) = (1); (local $_) = 2 }'],
    [`$i++, --$j, $k += 1, $l ||= 2, $m .= 'x'`, '{ [$i += 1, (-- $j), $k += 1, $l ||= 2, $m .= "x"] }'],
    ['-e $f && -s $g > 10', '{ (- e((either $f (- s(($g > 10)))))) }'],
    ['<STDIN>, <$fh>, <*.c>', '{ [readline(STDIN), readline($fh), glob("*.c")] }'],
    [`defined $x, ref $y, scalar @z, lc 'A'`, '{ [(defined $x), (ref $y), (scalar $z), (lc "A")] }'],
    ['not $a and $b or $c', '{ (either (not $a) (either $b $c)) }'],
    [`1 .. 10, 'a' .. 'z'`, '{ [(1 .. 10), ("a" .. "z")] }'],
    [`do { 1; 2 }, eval { 3 }, do 'file'`, '{ [(1; 2), (3), do("file")] }'],
    [
      `print 'a', 'b'; print STDERR 'c'; print $fh 'd'; print {$fh} 'e'; print(FH 'f'); printf STDERR '%s', 'g'`,
      '{ print("a", "b"); print(STDERR, "c"); print($fh, "d"); print(($fh), "e"); print(FH, "f"); printf(STDERR, "%s", "g") }',
    ],
    [
      'map { $_ * 2 } @a; map lc, @b; grep { /x/ } @c; grep /x/, @d; sort { $a <=> $b } @e',
      '{ map((fn _() (($_ * 2))), $a); map((fn _() ((lc ()))), $b); grep((fn _() (())), $c); grep((fn _() (())), $d); sort((fn _() (($a <=> $b))), $e) }',
    ],
    [
      `open(my $fh, '<', $f) or die; open FH, '>x'; opendir my $d, '.'`,
      '{ (either $fh = open((my $fh), "<", $f) (stop)); FH = open(FH, ">x"); $d = opendir((my $d), ".") }',
    ],
    [
      `unlink; unlink 'a', 'b'; unlink for @x; shift; shift @a; chomp(my $l = <STDIN>)`,
      '{ unlink($_); unlink("a", "b"); (loop $_ $x - unlink($_)); shift($_); shift($a); chomp((my $l) = readline(STDIN)) }',
    ],
    [`system 'a', 'b'; system { 'a' } 'b', 'c'; exec { $p } @a`, '{ system("a", "b"); system(("a"), "c"); exec(($p), $a) }'],
    [`kill -9, $pid; kill 'TERM', 1`, '{ kill((- 9), $pid); kill("TERM", 1) }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('perl', code))).toBe(expected))
})

describe('statements', () => {
  for (const [code, expected] of [
    ['if ($a) { 1 } elsif ($b) { 2 } else { 3 }', '{ (if $a $b { 1 } | { 2 } | { 3 }) }'],
    ['unless ($a) { 1 } else { 2 }', '{ (if $a { 1 } | { 2 }) }'],
    [
      '1 if $a; 2 unless $b; 3 while $c; 4 until $d; 5 for 1, 2; 6 foreach @e',
      '{ (if $a 1); (if $b 2); (loop - - $c 3); (loop - - $d 4); (loop $_ [1, 2] - 5); (loop $_ $e - 6) }',
    ],
    ['while (<FH>) { print }', '{ (loop - - $_ = readline(FH) { print($_) }) }'],
    ['while (my $l = <FH>) { 1 }', '{ (loop - - (my $l) = readline(FH) { 1 }) }'],
    ['until ($x) { 1 }', '{ (loop - - $x { 1 }) }'],
    ['for my $i (1 .. 3) { 1 }', '{ (loop $i (1 .. 3) - { 1 }) }'],
    ['foreach (@a) { 1 }', '{ (loop $_ $a - { 1 }) }'],
    ['for (my $i = 0; $i < 3; $i++) { 1 }', '{ { (my $i) = 0; (loop - - (($i < 3); $i += 1;) { 1 }) } }'],
    ['while (1) { last } continue { 2 }', '{ (forever - - 1 { (stop) }); continue; { 2 } }'],
    ['do { 1 } while $x; do { 2 } until $y', '{ (loop - - () { 1 }); $x; (loop - - () { 2 }); $y }'],
    ['sub f { my ($a, $b) = @_; return $a + $b }', '{ f = (fn f() ((my [$a, $b]) = $_; (return ($a + $b)))) }'],
    ['sub g($$) { 1 } sub h { shift->m }', '{ g = (fn g() (1)); h = (fn h() (shift.m())) }'],
    ['package Foo; package Bar { 1 }', '{ { 1 } }'],
    [
      `use strict; use Foo; use Foo::Bar qw(a b); use constant X => 1; use constant { Y => 2, Z => 3 }; no warnings; use 5.010; require Foo; require 'x.pl'`,
      '{ (import Foo.*); (import Foo::Bar.*); { X = 1 }; { Y = 2; Z = 3 }; require(Foo); require("x.pl") }',
    ],
    ['BEGIN { 1 } END { 2 }', '{ { 1 }; { 2 } }'],
    [
      `return 1, 2; return unless $x; die 'x' unless $y; exit 1; next if $a; last; redo`,
      '{ (return [1, 2]); (if $x (return)); (if $y (stop "x")); (stop 1); (if $a next); (stop); redo }',
    ],
    ['{ local $x = 1; f() }', '{ { (local $x) = 1; f() } }'],
    ['L: for (1) { next L }', '{ (loop $_ 1 - { next(L) }) }'],
    [
      `print <<A . 'x';
body
A`,
      '{ print(("body\\n" . "x")) }',
    ],
    ['return wantarray ? @a : $a[0]', '{ (return (wantarray; (either $a $a[0]))) }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('perl', code))).toBe(expected))
})

describe('broken text', () => {
  for (const [code, expected] of [
    ['f(', '{ f() }'],
    [')', '{ ? }'],
    ['if (', '{ (if  ) }'],
    ['$x = = 1', '{ $x = () = 1 }'],
    ['}', '{ ? }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('perl', code))).toBe(expected))
})
