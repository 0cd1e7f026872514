import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Methods of texts and collections, computed where all is known: seen by which file a program removes. */

const removed = (language: 'python' | 'node' | 'ruby', expression: string) => {
  const code = {
    python: `import os; os.remove(${expression})`,
    node: `require("fs").unlinkSync(${expression})`,
    ruby: `File.delete(${expression})`,
  }[language]
  return summary(language, code)
    .filter((line) => line.startsWith('delete'))
    .map((line) => line.replace('delete ', ''))
}

describe('Python', () => {
  for (const [expression, expected] of [
    ['"aB".upper()', 'AB'],
    ['"aB".lower()', 'ab'],
    ['"aB".swapcase()', 'Ab'],
    ['" a ".strip()', 'a'],
    ['"xax".strip("x")', 'a'],
    ['" a".lstrip()', 'a'],
    ['"a ".rstrip()', 'a'],
    ['"a.b".replace(".", "-")', 'a-b'],
    ['"a,b,c".split(",")[-1]', 'c'],
    ['"a b".split()[1]', 'b'],
    ['"a\\nb".splitlines()[1]', 'b'],
    ['"-".join(["a", "b"])', 'a-b'],
    ['"-".join("ab")', 'a-b'],
    ['"{}-{}".format("a", 1)', 'a-1'],
    ['"{k}".format(k="v")', 'v'],
    ['"%s.%s" % ("a", "b")', 'a.b'],
    ['"%(k)s" % {"k": "v"}', 'v'],
    ['"ab" * 2', 'abab'],
    ['"abc"[1]', 'b'],
    ['"abc"[-1]', 'c'],
    ['"abcdef"[1:3]', 'bc'],
    ['"abcdef"[::2]', 'ace'],
    ['"abc"[::-1]', 'cba'],
    ['"abc"[:-1]', 'ab'],
    ['b"ab".decode()', 'ab'],
    ['"ab".encode().decode("utf-8")', 'ab'],
    ['bytes([97, 98]).decode()', 'ab'],
    ['bytes.fromhex("6162").decode()', 'ab'],
    ['str(7)', '7'],
    ['chr(97) + chr(98)', 'ab'],
    ['"".join(chr(ord(c) + 1) for c in "``")', 'aa'],
    ['"".join(map(chr, [97, 98]))', 'ab'],
    ['"".join(reversed("ba"))', 'ab'],
    ['"".join(sorted(["a"]))', 'a'],
    ['["a", "b"][1]', 'b'],
    ['{"k": "v"}["k"]', 'v'],
    ['{"k": "v"}.get("k")', 'v'],
    ['{}.get("k", "d")', 'd'],
    ['list({"k": 1})[0]', 'k'],
    ['list({"k": "v"}.values())[0]', 'v'],
    ['[x + "1" for x in ["a"]][0]', 'a1'],
    ['dict(k="v")["k"]', 'v'],
    ['(lambda x: x + "b")("a")', 'ab'],
    ['"a" "b"', 'ab'],
    ['f"{1 + 1}{\'x\'}"', '2x'],
    ['str(3 * 4 - 2)', '10'],
    ['str(int("7") + 1)', '8'],
    ['str(int("ff", 16))', '255'],
    ['str(len("abc"))', '3'],
    ['next', '*'],
    ['x.strip()', '*'],
    ['"a".unknown()', '*'],
  ] as const)
    test(expression, () => expect(removed('python', expression)).toEqual([expected]))
})

describe('JavaScript', () => {
  for (const [expression, expected] of [
    ['"aB".toUpperCase()', 'AB'],
    ['"aB".toLowerCase()', 'ab'],
    ['" a ".trim()', 'a'],
    ['" a".trimStart()', 'a'],
    ['"a ".trimEnd()', 'a'],
    ['"a.b".replace(".", "-")', 'a-b'],
    ['"a.b".replaceAll(".", "-")', 'a-b'],
    ['"a,b".split(",")[1]', 'b'],
    ['"ab".split("")[1]', 'b'],
    ['["a", "b"].join("/")', 'a/b'],
    ['["a", "b"].join()', 'a,b'],
    ['["b", "a"].reverse().join("")', 'ab'],
    ['"abcd".slice(1, 3)', 'bc'],
    ['"abcd".substring(1, 2)', 'b'],
    ['"abc".charAt(1)', 'b'],
    ['"abc"[2]', 'c'],
    ['"ab".repeat(2)', 'abab'],
    ['"a".concat("b", "c")', 'abc'],
    ['["a"].concat(["b"])[1]', 'b'],
    ['String.fromCharCode(97, 98)', 'ab'],
    ['String.fromCodePoint(0x61)', 'a'],
    ['String("a")', 'a'],
    ['Buffer.from("6162", "hex").toString()', 'ab'],
    ['Buffer.from("YWI=", "base64").toString("utf8")', 'ab'],
    ['atob("YWI=")', 'ab'],
    ['decodeURIComponent("%61")', 'a'],
    [`\`a\${"b"}\${1}\``, 'ab1'],
    ['"a" + 1 + "b"', 'a1b'],
    ['({ k: "v" }).k', 'v'],
    ['({ k: "v" })["k"]', 'v'],
    ['[..."ab", "c"][2]', 'c'],
    ['["a", "b"].map(x => x + "1")[1]', 'b1'],
    ['((x) => x + "b")("a")', 'ab'],
    ['["a", "b", "c"].pop()', 'c'],
    ['["a", "b"].shift()', 'a'],
    ['["a", "b", "c"].slice(1)[0]', 'b'],
    ['require("path").join("a", "b")', 'a/b'],
    ['require("path").dirname("/a/b")', '/a'],
    ['x.trim()', '*'],
  ] as const)
    test(expression, () => expect(removed('node', expression)).toEqual([expected]))
})

describe('Ruby', () => {
  for (const [expression, expected] of [
    ['"aB".upcase', 'AB'],
    ['"aB".downcase', 'ab'],
    ['" a ".strip', 'a'],
    ['"a\\n".chomp', 'a'],
    ['"a.b".sub(".", "-")', 'a-b'],
    ['"a.b".gsub(".", "-")', 'a-b'],
    ['"a,b".split(",").last', 'b'],
    ['"a,b".split(",").first', 'a'],
    ['"a b".split[1]', 'b'],
    ['["a", "b"].join("-")', 'a-b'],
    ['%w[a b].join', 'ab'],
    ['"ba".reverse', 'ab'],
    ['"a" + "b"', 'ab'],
    ['"ab" * 2', 'abab'],
    ['"%s-%s" % ["a", "b"]', 'a-b'],
    ['format("%s", "a")', 'a'],
    ['"#{1 + 1}x"', '2x'],
    ['"YWI=".unpack1("m")', 'ab'],
    ['["6162"].pack("H*")', 'ab'],
    ['[97, 98].pack("c*")', 'ab'],
    ['97.chr', 'a'],
    [':a.to_s', 'a'],
    ['{ k: "v" }[:k]', 'v'],
    ['["a", "b"].map { |x| x + "1" }.last', 'b1'],
    ['->(x) { x + "b" }.call("a")', 'ab'],
    ['File.join("a", "b")', 'a/b'],
    ['File.basename("/a/b")', 'b'],
    ['File.dirname("/a/b")', '/a'],
    ['x.strip', '*'],
  ] as const)
    test(expression, () => expect(removed('ruby', expression)).toEqual([expected]))
})
