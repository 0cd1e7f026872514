import { describe, expect, test } from 'vitest'
import { parse } from '../parsers.ts'
import { nodeLine } from '../syntax/outline.ts'

/** Syntax trees of PHP: what is kept of each construct. */

describe('expressions', () => {
  for (const [code, expected] of [
    [`1 + 2 * 3 . 'a';`, '{ (1 + (2 * 3) . "a") }'],
    ['$a && $b || !$c ?? $d and $e;', '{ (either (either (either (either $a $b) (! $c)) $d) $e) }'],
    ['$a ? $b : $c; $a ?: $d;', '{ ($a; (either $b $c)); (either $a $d) }'],
    [`$a->b->c($d)['e']; A::b($c); A::$d; A::E; $a?->b; $a::f();`, '{ $a.b.c($d)["e"]; A.b($c); A.$d; A.E; $a.b; $a.f() }'],
    [
      'new A($b); new A; new class($c) extends D { function e() {} }; new $f;',
      '{ new a($b); new a(); ($c; (class  { e = (fn e() {  }) })); new $f() }',
    ],
    [`f(...$a, b: 1); $g(2); ('h')(3); [$o, 'm'](4);`, '{ f(*$a, b: 1); $g(2); ("h")(3); [$o, "m"](4) }'],
    [
      `[1, 'a' => 2, ...$b]; array(1, 'k' => 2); list($a, , $b) = $c; [$a, 'k' => $b] = $c;`,
      '{ {"a": 2, 0: 1, 1: ...$b}; {"k": 2, 0: 1}; [$a, $b] = $c; {"k": $b, 0: $a} = $c }',
    ],
    [
      'fn($x) => $x + 1; function ($a, &$b = 1, ...$c) use ($d) { return $a; };',
      '{ (fn _($x) (return ($x + 1))); (fn _($a, $b=1, *$c) { (return $a) }) }',
    ],
    [
      `"a $b[c] {$d['e']} \${f}"; 'g $h'; \`i $j\`; <<<X
k $l
X;`,
      '{ (template "a " $b["c"] " " $d["e"] " " $f); "g $h"; (command "i " $j); (template "k " $l) }',
    ],
    [
      '(int) $a; (array) $b; @$c; &$d; print $e; clone $f; $g instanceof H;',
      '{ $a; $b; (@ $c); (& $d); (print $e); (clone $f); ($g instanceof H) }',
    ],
    [`$a = $b = 1; $a .= 'x'; $a ??= 2; $i++; --$j;`, '{ $a = $b = 1; $a .= "x"; $a ??= 2; $i += 1; (-- $j) }'],
    ['F(1); \\G\\f(2); H\\I::j(3);', '{ f(1); f(2); I.j(3) }'],
    ['match ($a) { 1, 2 => $b, default => $c };', '{ ($a; 1; 2; (either $b $c)) }'],
    [`isset($a['b']); empty($c); exit(1); die('x');`, '{ isset($a["b"]); empty($c); (stop (1)); (stop ("x")) }'],
    [`include 'a.php'; require_once __DIR__ . '/b.php';`, '{ include("a.php"); require_once((__DIR__ . "/b.php")) }'],
    [`echo 1, 2; print 'x';`, '{ echo(1, 2); (print "x") }'],
    ['throw new E($a);', '{ (stop new e($a)) }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('php', code))).toBe(expected))
})

describe('statements', () => {
  for (const [code, expected] of [
    ['if ($a) { b(); } elseif ($c) d(); else { e(); }', '{ (if $a $c { b() } | d() | { e() }) }'],
    ['if ($a): b(); elseif ($c): d(); else: e(); endif;', '{ (if $a $c { b() } | { d() } | { e() }) }'],
    ['while ($a) b(); while (1): c(); endwhile;', '{ (loop - - $a b()); (forever - - 1 { c() }) }'],
    ['do { a(); } while ($b);', '{ (loop - - $b { a() }) }'],
    ['for ($i = 0; $i < 3; $i++) { f($i); }', '{ { $i = 0; (loop - - (($i < 3); $i += 1;) { f($i) }) } }'],
    ['for (;;) { a(); }', '{ { (forever - - (();) { a() }) } }'],
    ['foreach ($a as $b) c(); foreach ($a as $k => $v): d(); endforeach;', '{ (loop $b $a - c()); (loop [$k, $v] $a - { d() }) }'],
    ['switch ($a) { case 1: b(); break; default: c(); }', '{ (if $a 1 {  } | { b(); (stop) } | { c() }) }'],
    ['try { a(); } catch (B | C $e) { d(); } finally { f(); }', '{ { { a() }; (if  { d() }); { f() } } }'],
    ['function f(int $a, ?B $b = null, C|D ...$e): ?string { return $a; }', '{ f = (fn f($a, $b=null, *$e) { (return $a) }) }'],
    [
      'class A extends B implements C { use D; const E = 1; private static ?int $f = 2; public function __construct(private G $h) {} abstract protected function i(): void; }',
      '{ (class A { { E = 1 }; $f = 2; __construct = (fn __construct($h) {  }); i = (fn i() ()) }) }',
    ],
    [
      `interface A { function b(); } trait C { function d() { e(); } } enum F: string { case G = 'g'; function h() { i(); } }`,
      '{ (class A { b = (fn b() ()) }); (class C { d = (fn d() { e() }) }); (class F { "g"; h = (fn h() { i() }) }) }',
    ],
    ['namespace A\\B; use C\\D as E; use function F\\g; declare(strict_types=1);', '{ (strict_types = 1;) }'],
    ['namespace A { f(); }', '{ { f() } }'],
    ['global $a; static $b = 1; unset($c); goto d; d:', '{ $a; $b = 1; unset($c) }'],
    ['<?php f(); ?>text<?= g() ?>more', '{ f(); echo(g()) }'],
    ['#[Attr] function f() {}', '{ (Attr;); f = (fn f() {  }) }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('php', code))).toBe(expected))
})

describe('broken text', () => {
  for (const [code, expected] of [
    ['f(', '{ f() }'],
    [')', '{ ? }'],
    ['if (', '{ (if () ()) }'],
    ['$x = = 1;', '{ $x = () = 1 }'],
    ['}', '{ ? }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('php', code))).toBe(expected))
})
