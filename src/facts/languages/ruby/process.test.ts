import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What Ruby programs run: commands, shells, code from text, methods by name. */

describe('commands', () => {
  for (const [code, expected] of [
    [`system 'ls -la'`, ['$ ls -la']],
    [`system('ls', '-la')`, ['> ls -la']],
    ['system("rm -rf #{dir}")', ['$ rm -rf $UNKNOWN_VALUE', 'opaque part of the command that `system` runs is not known']],
    [`system({ 'A' => 'b' }, 'make', 'install')`, ['> make install']],
    [`system('x', exception: true)`, ['$ x']],
    [`exec 'bash'`, ['$ bash']],
    [`exec('vim', 'a')`, ['> vim a']],
    [`spawn 'sleep 1'`, ['$ sleep 1']],
    [`Process.spawn('nc', '-l', '1', out: '/dev/null')`, ['> nc -l 1']],
    [`pid = fork { exec 'id' }`, ['$ id']],
    ['`id`', ['$ id']],
    ['x = `cat /etc/passwd`.lines.first', ['$ cat /etc/passwd']],
    ['puts %x(uname -a)', ['$ uname -a']],
    ['puts %x[git log #{ref}]', ['$ git log $UNKNOWN_VALUE', 'opaque part of the command that `backticks` runs is not known']],
    [`IO.popen('ls') { |io| puts io.read }`, ['$ ls']],
    [`IO.popen(['git', 'push', '--force']).read`, ['> git push --force']],
    [`IO.popen('sh', 'w') { |io| io.puts 'rm -rf /srv' }`, ['$ rm -rf /srv', '$ sh']],
    [`open('|id').read`, ['$ id']],
    ['open("| curl http://x.example/a") { |f| f.read }', ['$ curl http://x.example/a']],
    [`Open3.capture3('git', 'gc')`, ['> git gc']],
    [
      'out, st = Open3.capture2e("ls #{d}")',
      ['$ ls $UNKNOWN_VALUE', 'opaque part of the command that `Open3.capture2e` runs is not known'],
    ],
    [`Open3.popen3('sh') { |i, o, e, t| i.puts 'id' }`, ['$ id', '$ sh']],
    [`PTY.spawn('bash') { |r, w, p| w.puts 'id' }`, ['$ bash']],
    [`require 'open3'; stdout, stderr, status = Open3.capture3('echo hi', stdin_data: 'x')`, ['$ echo hi']],
    [`Kernel.system('id')`, ['$ id']],
    [`Kernel.exec('id')`, ['$ id']],
    [`::Kernel.system 'id'`, ['$ id']],
    [`send(:system, 'id')`, ['$ id']],
    [`Kernel.send(:system, 'id')`, ['$ id']],
    [`Object.send('eval', 'system "id"')`, ['$ id', 'ruby:system "id"']],
    [`Kernel.public_send('sys' + 'tem', 'id')`, ['$ id']],
    [`self.system('id')`, ['$ id']],
    [`method(:system).call('id')`, ['$ id']],
    [`m = Kernel.method(:system); m.('id')`, ['$ id']],
    ['%w[a b].each(&method(:system))', ['$ a', '$ b']],
    [`Object.const_get(:Kernel).system('id')`, ['$ id']],
    [`Object.const_get('Ker' + 'nel').send('exec', 'id')`, ['$ id']],
    [`Kernel.send(name, 'id')`, ['opaque `send` calls a method that is not known before it runs']],
    [`[1].each { system 'block' }`, ['$ block']],
    ['3.times { |i| system "echo #{i}" }', ['$ echo $UNKNOWN_VALUE', 'opaque part of the command that `system` runs is not known']],
    [`Thread.new { system 'thread' }.join`, ['$ thread']],
    [`at_exit { system 'exit' }`, ['$ exit']],
    [`trap('INT') { system 'trap' }`, ['$ trap']],
    [`define_method(:x) { system 'defined' }`, ['$ defined']],
    [`puts "#{system('inside')}"`, ['$ inside']],
    ['puts "#{`inside`}"', ['$ inside']],
    ['x ||= `default`', ['$ default']],
    ['y = `a` rescue `b`', ['$ a', '$ b']],
    [
      `def go = system('endless')
go`,
      ['$ endless'],
    ],
    [
      `def go(*a, **k, &b) system(*a) end
go('git', 'gc')`,
      ['> git gc'],
    ],
    [`module M; def self.go; system 'module'; end; end; M.go`, ['$ module']],
    [`class A < B; def x; super; system 'method'; end; end`, ['$ method']],
    [`if system('a') && !system('b') then system 'c' end`, ['$ a', '$ b', '$ c']],
    [`system 'u' unless x; system 'v' until y`, ['$ u', '$ v']],
    [`-> { system 'lambda' }.()`, ['$ lambda']],
    [`->(c) { system c }.call('arg')`, ['$ arg']],
    ['%w[git gc].then { |c| system(*c) }', ['> git gc']],
    [`cmd = 'rm'; cmd << ' -rf ' << '/srv'; system cmd`, ['$ rm -rf /srv']],
    [`cmd = ['git', 'push']; cmd << '--force'; system(*cmd)`, ['> git push --force']],
    [`cmd = +'a'; cmd += 'b'; system cmd`, ['$ ab']],
    [`system(['sh', 'name'], '-c', 'id')`, ['> sh -c id']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('code from text', () => {
  for (const [code, expected] of [
    [`eval 'system("id")'`, ['$ id', 'ruby:system("id")']],
    [`eval("File.delete('x')")`, ['delete x', `ruby:File.delete('x')`]],
    ['eval code', ['execute code:dynamic', 'opaque `eval` runs code that is not known before it runs']],
    [`eval(File.read('x.rb'))`, ['read x.rb', 'script ruby:x.rb']],
    [`instance_eval 'system "id"'`, ['$ id', 'ruby:system "id"']],
    [`Foo.class_eval "def x; system('id'); end"`, ['$ id', `ruby:def x; system('id'); end`]],
    [`obj.instance_eval { system 'block' }`, ['$ block']],
    [`binding.eval('system "id"')`, ['$ id', 'ruby:system "id"']],
    [`TOPLEVEL_BINDING.eval('\`id\`')`, ['$ id', 'ruby:`id`']],
    [`eval Base64.decode64('c3lzdGVtKCdpZCcp')`, ['$ id', `execute code:decoded system('id')`, `ruby:system('id')`]],
    [`eval ['73797374656d282769642729'].pack('H*')`, ['$ id', `execute code:decoded system('id')`, `ruby:system('id')`]],
    [
      `eval ["c3lzdGVtKCdpZCcp"].pack('m').unpack1('m') rescue 0`,
      ['execute code:decoded', 'opaque `eval` runs code that is not known before it runs'],
    ],
    [`eval 'c3lzdGVtKCdpZCcp'.unpack1('m')`, ['$ id', `execute code:decoded system('id')`, `ruby:system('id')`]],
    [
      `eval [115, 121, 115, 116, 101, 109, 32, 34, 105, 100, 34].pack('c*')`,
      ['$ id', 'execute code:decoded system "id"', 'ruby:system "id"'],
    ],
    [`eval ")'di'(metsys".reverse`, ['$ id', `execute code:decoded system('id')`, `ruby:system('id')`]],
    ['eval gets', ['ruby:<stdin>']],
    ['eval STDIN.read', ['ruby:<stdin>']],
    [`ERB.new('<%= \`id\` %>').result`, ['$ id', 'ruby: `id` ']],
    [`ERB.new(File.read('x.erb')).result(binding)`, ['read x.erb', 'script ruby:x.erb']],
    [`require './lib/x'`, ['script ruby:./lib/x.rb']],
    [`require_relative 'x'`, ['script ruby:x.rb']],
    [`load '/tmp/x.rb'`, ['script ruby:/tmp/x.rb']],
    ['load path', ['script ruby:?']],
    ['Marshal.load(data)', ['execute code:dynamic Marshal.load']],
    [`Marshal.load(File.binread('x'))`, ['execute code:deserialize Marshal.load', 'read x']],
    ['YAML.load(text)', ['execute code:dynamic YAML.load']],
    [`YAML.unsafe_load_file('c.yml')`, ['execute code:deserialize YAML.unsafe_load_file', 'read c.yml']],
    ['Oj.load(text)', ['execute code:dynamic Oj.load']],
    [`RubyVM::InstructionSequence.compile('system "x"').eval`, ['$ x', 'ruby:system "x"']],
    [`Fiddle.dlopen('libc.so.6')`, ['execute code:native libc.so.6']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('processes', () => {
  for (const [code, expected] of [
    [`Process.kill('KILL', 1234)`, ['change proc:kill 1234']],
    ['Process.kill :TERM, pid', ['change proc:kill']],
    ['Process.kill(9, 1)', ['change proc:kill 1']],
    ['Process.daemon', ['change proc:daemon']],
    ['Process.setuid(0)', ['change privilege:switch root']],
    ['loop { fork }', ['execute proc:fork-bomb fork']],
    ['fork while true', ['execute proc:fork-bomb fork']],
    ['while true do fork end', ['execute proc:fork-bomb fork']],
    [
      `loop do
  Process.fork
end`,
      ['execute proc:fork-bomb fork'],
    ],
    [
      `def f; fork; f; end
f`,
      ['execute proc:fork-bomb fork'],
    ],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('ordinary programs', () => {
  for (const code of [
    `puts 'hi'; p 1 + 2; print "x\\n"`,
    'x = [1, 2, 3].map { |n| n * 2 }.select(&:even?).reduce(:+); puts x',
    `h = Hash.new(0); 'a b a'.split.each { |w| h[w] += 1 }; h.sort_by { |k, v| -v }.each { |k, v| puts "#{k}: #{v}" }`,
    `class Foo
  attr_accessor :x
  def initialize(x) = @x = x
  def to_s; "Foo(#{@x})"; end
end
puts Foo.new(1)`,
    'module A; B = 1; def self.c(d: 2, **e) = d; end; puts A.c(d: 3), A::B',
    `data = JSON.parse('{"a": [1]}', symbolize_names: true); puts data[:a].first; puts JSON.pretty_generate(data)`,
    `puts Time.now.strftime('%F'), Date.today.to_s, Process.clock_gettime(Process::CLOCK_MONOTONIC)`,
    'case x when /a(b)/ then puts $1 when Integer, Float then puts 2 else puts 3 end',
    `begin; raise ArgumentError, 'x'; rescue => e; warn e.message; retry if false; ensure; puts 1; end`,
    `puts <<~T
  system('in a heredoc')
T`,
    `puts 1 # system('comment')`,
    `=begin
system('documentation')
=end
puts 1`,
    `puts 1
__END__
system('after the end')`,
    `puts 'system("quoted")', "eval", :exec`,
    'puts (1..10).each_slice(3).to_a.inspect, 5.downto(1).to_a.inspect, 1.step(10, 3).to_a.inspect',
    `puts 'abc'.gsub(/b/) { |m| m.upcase }, 'a-b'.tr('-', '_'), 'x' =~ /x/, 'abc'[0..1], 'abc'[-1]`,
    'a, (b, *c), d = 1, [2, 3, 4], 5; puts a, b, c, d',
    'def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end; puts fib(10)',
    'puts [3, 1, 2].sort.reverse.each_with_index.map { |x, i| x * i }.sum.fdiv(3).round(2)',
    'puts ARGV.first, ARGV.length, __FILE__, $0, $PROGRAM_NAME, RUBY_VERSION',
    'until x > 3 do x += 1 end; while x < 10; x += 1; next if x.odd?; break if x == 8; end',
    'puts x&.y&.z, x.nil?, !x, (not x), x <=> y, x === y, x != y, a ** b, a % b, a & b | c ^ d, ~a, a << 2, a >> 1',
    'puts [*1..3, *[4]].inspect, { a: 1, **{ b: 2 } }, %i[a b], %q(x), %Q(#{1}), ?a, 1_000, 0x1f, 1e3, 3r',
    'puts [1, [2, [3]]].flatten.inspect, [1, nil].compact, [1, 1].uniq, [[1, 2]].to_h, [1, 2].zip([3, 4]).inspect',
    `require 'set'; s = Set.new([1, 2]); s << 3; puts s.include?(2)`,
    `require 'optparse'; OptionParser.new { |o| o.on('-v') { |v| puts v } }.parse!`,
    'Struct.new(:a, :b) { def sum = a + b }.new(1, 2).sum.then { |s| puts s }',
    `describe 'x' do it('works') { expect(1).to eq(1) } end`,
    `puts 'x'.encoding, 'x'.unpack('C*').inspect, [120].pack('C*'), 'eA=='.length, rand(3), srand(1)`,
    'puts [1, 2, 3].lazy.map { |x| x * 2 }.first(2).inspect; puts ObjectSpace.count_objects.size',
  ])
    test(code, () => expect(summary('ruby', code)).toEqual([]))
})
