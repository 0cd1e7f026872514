import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What Ruby programs do to files: each line of code and everything that is said of it. */

describe('reading', () => {
  for (const [code, expected] of [
    [`File.read('/etc/passwd')`, ['read /etc/passwd']],
    ['puts File.read("config/#{name}.yml")', ['read config/*']],
    [`IO.readlines('a.txt').each { |l| puts l }`, ['read a.txt']],
    [`File.foreach('a.txt') { |l| puts l }`, ['read a.txt']],
    [`File.open('a.txt') { |f| f.each_line { |l| puts l } }`, ['read a.txt']],
    [
      `File.open('a.txt', 'r') do |f|
  puts f.read
end`,
      ['read a.txt'],
    ],
    [`f = File.new('a.txt'); f.gets; f.close`, ['read a.txt']],
    [`CSV.foreach('x.csv', headers: true) { |r| p r }`, ['read x.csv']],
    [`JSON.parse(File.read('x.json'))`, ['read x.json']],
    [`YAML.load_file('c.yml')`, ['read c.yml']],
    [`data = File.binread('img.png').bytes.first(4)`, ['read img.png']],
    [`Pathname.new('a.txt').read`, ['read a.txt']],
    [`(Pathname('a') + 'b.txt').read`, ['read a/b.txt']],
    [`open('a.txt').read`, ['read a.txt']],
    [`Dir.glob('lib/**/*.rb').each { |f| File.read(f) }`, ['read lib/**/*.rb']],
    [`Dir['*.yml'].map { |f| YAML.safe_load(File.read(f)) }`, ['read *.yml']],
    [`Dir.children('src').each { |f| puts File.read(File.join('src', f)) }`, ['read src/*']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('writing', () => {
  for (const [code, expected] of [
    [`File.write('out.txt', 'x')`, ['write out.txt']],
    [`File.write('log', "x\\n", mode: 'a')`, ['write log']],
    [`File.open('out.txt', 'w') { |f| f.write('x') }`, ['write out.txt']],
    [
      `File.open('out.txt', 'w') do |f|
  f.puts 'a'
  f << 'b'
end`,
      ['write out.txt'],
    ],
    [`File.open('log', 'a') { |f| f.puts Time.now }`, ['write log']],
    [`File.open('db', 'r+') { |f| f.seek(0) }`, ['read db', 'write db']],
    [`f = File.new('out', 'w+'); f.print 'x'`, ['read out', 'write out']],
    [`IO.write('x', 'y')`, ['write x']],
    [`Pathname.new('/etc/hosts').write('x')`, ['write /etc/hosts']],
    [`IO.copy_stream('a', 'b')`, ['read a', 'write b']],
    [`FileUtils.touch 'x'`, ['write x']],
    ['FileUtils.touch %w[a b]', ['write a', 'write b']],
    [`File.truncate('x', 0)`, ['write fs:truncate x']],
    [`File.open(File.expand_path('~/.bashrc'), 'a') { |f| f.puts 'x' }`, ['write /home/me/.bashrc']],
    [`File.write("#{Dir.home}/.profile", 'x')`, ['write /home/me/.profile']],
    [`$stdout.reopen('log', 'w'); File.write('k', 'v')`, ['write k']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('removing', () => {
  for (const [code, expected] of [
    [`File.delete('a.txt')`, ['delete a.txt']],
    [`File.delete 'a', 'b'`, ['delete a', 'delete b']],
    [`File.unlink('a.txt') if File.exist?('a.txt')`, ['delete a.txt']],
    [`FileUtils.rm 'a'`, ['delete a']],
    ['FileUtils.rm_f %w[a b]', ['delete a', 'delete b']],
    [`FileUtils.rm_rf('/srv/data')`, ['delete /srv/data']],
    [`FileUtils.rm_rf Dir.glob('tmp/*')`, ['delete tmp/*']],
    [`FileUtils.rm_r 'build', force: true`, ['delete build']],
    [`require 'fileutils'; include FileUtils; FileUtils.remove_entry('x')`, ['delete x']],
    [`Dir.glob('*.log') { |f| File.delete(f) }`, ['delete *.log']],
    [`Dir.glob('*.log').each(&File.method(:delete))`, ['delete *.log']],
    [`Dir.each_child('/var/log') { |f| File.delete("/var/log/#{f}") }`, ['delete /var/log/*']],
    [`Dir.rmdir 'empty'`, ['delete fs:rmdir empty']],
    [`Pathname.new('x').delete`, ['delete x']],
    [`Pathname.new('d').rmtree`, ['delete d']],
    ['%w[a b].each { |f| File.delete f }', ['delete a', 'delete b']],
    [
      `['x', 'y'].map do |f|
  File.delete f
end`,
      ['delete x', 'delete y'],
    ],
    [
      `def clean(d) = FileUtils.rm_rf(d)
clean '/opt/x'`,
      ['delete /opt/x'],
    ],
    [
      `def clean(d)
  FileUtils.rm_rf(File.join(d, 'cache'))
end
clean('/opt/x')`,
      ['delete /opt/x/cache'],
    ],
    [
      `class C
  def initialize(d); @d = d; end
  def go; FileUtils.rm_rf(@d); end
end
C.new('/opt/y').go`,
      ['delete /opt/y'],
    ],
    [
      `rm = ->(f) { File.delete(f) }
rm.call('q')`,
      ['delete q'],
    ],
    [
      `rm = lambda { |f| File.delete f }
rm.('q')`,
      ['delete q'],
    ],
    [`rm = proc { |f| File.delete f }; rm['r']`, ['delete *']],
    [
      `case x
when 1 then File.delete 'one'
when 2
  File.delete 'two'
else
  File.delete 'other'
end`,
      ['delete one', 'delete other', 'delete two'],
    ],
    [
      `begin
  File.delete 'a'
rescue Errno::ENOENT => e
  File.delete 'b'
ensure
  File.delete 'c'
end`,
      ['delete a', 'delete b', 'delete c'],
    ],
    [`File.delete 'm' unless keep`, ['delete m']],
    [`File.delete('w') while File.exist?('w')`, ['delete w']],
    [`x = cond ? 'a' : 'b'; File.delete(x)`, ['delete a', 'delete b']],
    [`x = nil || 'dflt'; File.delete(x)`, ['delete *', 'delete dflt']],
    [`a, b = 'x', 'y'; File.delete b`, ['delete y']],
    [`h = { f: 'data' }; File.delete h[:f]`, ['delete data']],
    [`h = { 'f' => 'data' }; File.delete h['f']`, ['delete data']],
    [`File.delete 'a' + 'b'`, ['delete ab']],
    [`File.delete 'ab' * 2`, ['delete abab']],
    [`File.delete "x.txt".sub('txt', 'bak')`, ['delete x.bak']],
    [`File.delete format('%s-%d', 'a', 1)`, ['delete a-1']],
    [`File.delete ['a', 'b'].join('/')`, ['delete a/b']],
    ['File.delete :sym.to_s', ['delete sym']],
    [
      `File.delete <<~X.strip
  here.txt
X`,
      ['delete here.txt'],
    ],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('moving, copying, linking, modes', () => {
  for (const [code, expected] of [
    [`File.rename 'a', 'b'`, ['delete fs:move a', 'write fs:move b']],
    [`FileUtils.mv 'a', 'b'`, ['delete fs:move a', 'write fs:move b']],
    [`FileUtils.cp 'a', 'b'`, ['read fs:copy a', 'write fs:copy b']],
    [`FileUtils.cp_r 'src/.', 'dst'`, ['read fs:copy src/.', 'write fs:copy dst']],
    [`FileUtils.cp %w[a b], 'dir'`, ['read fs:copy a', 'read fs:copy b', 'write fs:copy dir']],
    [`FileUtils.mkdir_p 'a/b/c'`, ['write fs:mkdir a/b/c']],
    [`Dir.mkdir 'x'`, ['write fs:mkdir x']],
    [`FileUtils.ln_s '/etc/passwd', 'l'`, ['write fs:link l']],
    [`File.symlink 'a', 'b'`, ['write fs:link b']],
    [`FileUtils.chmod 0755, 'x'`, ['change fs:chmod x']],
    [`FileUtils.chmod_R 0777, '/srv'`, ['change fs:chmod /srv']],
    [`File.chmod(0600, 'a', 'b')`, ['change fs:chmod a', 'change fs:chmod b']],
    [`FileUtils.chown_R 'root', 'root', '/srv'`, ['change fs:chown /srv']],
    [`FileUtils.cd('/tmp') { FileUtils.rm 'x' }`, ['delete x']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})

describe('the environment', () => {
  for (const [code, expected] of [
    [`puts ENV['AWS_SECRET_ACCESS_KEY']`, ['read AWS_SECRET_ACCESS_KEY', 'read env:get AWS_SECRET_ACCESS_KEY']],
    [`ENV.fetch('API_TOKEN')`, ['read API_TOKEN']],
    ['ENV.each { |k, v| puts "#{k}=#{v}" }', ['read *']],
    ['p ENV.to_h', ['read *', 'read env:list *']],
    [`ENV['LD_PRELOAD'] = '/tmp/x.so'`, ['change env:inject LD_PRELOAD']],
  ] as const)
    test(code, () => expect(summary('ruby', code)).toEqual(expected))
})
