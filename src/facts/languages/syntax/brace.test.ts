import { describe, expect, test } from 'vitest'
import { lexBrace } from './brace.ts'
import { tokenLine } from './outline.ts'

/** Tokens of JavaScript and TypeScript: regular expressions, templates, private names. */

describe('names, numbers, operators', () => {
  for (const [code, expected] of [
    ['const x = 1, $y = _z, #p = é', 'const x = #1 , $y = _z , #p = é'],
    ['1 2.5 1e3 1e-3 0xff 0o7 0b1 1_000n .5', '#1 #2.5 #1e3 #1e-3 #0xff #0o7 #0b1 #1_000n #.5'],
    ['a+b-c*d/e%f**g', 'a + b - c * d / e % f ** g'],
    ['a==b===c!=d!==e<=f>=g<h>i', 'a == b === c != d !== e <= f >= g < h > i'],
    ['a&&b||c??d!e~f&g|h^i<<j>>k>>>l', 'a && b || c ?? d ! e ~ f & g | h ^ i << j >> k >>> l'],
    ['a+=1;b**=2;c&&=3;d||=4;e??=5;f>>>=6', 'a += #1 ; b **= #2 ; c &&= #3 ; d ||= #4 ; e ??= #5 ; f >>>= #6'],
    ['a?.b?.[c]?.(d)', 'a ?. b ?. [ c ] ?. ( d )'],
    ['a=>b;(...c)=>d', 'a => b ; ( ... c ) => d'],
    ['x++;--y', 'x ++ ; -- y'],
    ['a?b:c', 'a ? b : c'],
  ] as const)
    test(code, () => expect(tokenLine(lexBrace('node', code))).toBe(expected))
})

describe('strings and templates', () => {
  for (const [code, expected] of [
    [`'a' "b" 'it\\'s' "\\x41\\u0042\\u{43}\\n"`, `"a" "b" "it's" "ABC\\n"`],
    [
      `\`a\` \`a\${b}c\` \`\${a}\${b}\` \`\${\`n\${x}\`}\` \`\${{a:1}.a}\` \`\\\`\``,
      `"a" template("a" {b} "c") template({a} {b}) template({\`n\${x}\`}) template({{a:1}.a}) "\`"`,
    ],
    [
      `'a\\
b'`,
      '"ab"',
    ],
    [`''`, '""'],
  ] as const)
    test(code, () => expect(tokenLine(lexBrace('node', code))).toBe(expected))
})

describe('strings and templates: what cannot be read says so', () => {
  for (const [code, message] of [
    [`'unclosed`, 'a string is not closed'],
    [
      `"a
b"`,
      'a string is not closed',
    ],
    ['`unclosed', 'a string is not closed'],
    [`\`\${unclosed`, 'an interpolation is not closed'],
  ] as const)
    test(code, () => expect(() => lexBrace('node', code)).toThrow(message))
})

describe('regular expressions and division', () => {
  for (const [code, expected] of [
    ['/a/g /[/]/ /\\//', 'regex(/a/) / [ regex(/]/) / \\'],
    ['x = /a/; y = b / c / d', 'x = regex(/a/) ; y = b / c / d'],
    ['return /a/', 'return regex(/a/)'],
    ['f(/a/, /b/)', 'f ( regex(/a/) , regex(/b/) )'],
    ['a[0] / 2', 'a [ #0 ] / #2'],
    ['(a) / b / c', '( a ) / b / c'],
    ['typeof /a/', 'typeof regex(/a/)'],
  ] as const)
    test(code, () => expect(tokenLine(lexBrace('node', code))).toBe(expected))
})

describe('comments', () => {
  for (const [code, expected] of [
    [
      `a // comment
b`,
      'a b',
    ],
    [
      `a /* comment
still */ b`,
      'a b',
    ],
    [
      `#!/usr/bin/env node
a`,
      'a',
    ],
    ['/* unclosed', ''],
    ['<!-- a', '< ! -- a'],
  ] as const)
    test(code, () => expect(tokenLine(lexBrace('node', code))).toBe(expected))
})
