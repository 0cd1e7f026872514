import { table } from '../api/act.ts'
import { clients } from '../api/clients/index.ts'
import { REACHED_METHODS } from '../api/clients/reached.ts'
import { RUBY_PURE } from '../api/decoders.ts'
import { given } from '../interpret/given.ts'
import type { Call, Handler, Profile, Run } from '../interpret/run.ts'
import { CLEAN, FROM, flag, list, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { everyVariable, setVariable, variable } from '../python/files.ts'
import { FILE_METHODS, FILES } from './files.ts'
import { NETWORK, NETWORK_METHODS } from './network.ts'
import { PROCESS, PROCESS_METHODS } from './process.ts'

/** What is known of Ruby's functions. */

/** Methods of Kernel are called with or without it. */
function canonical(name: string): string {
  return name.replace(/^(?:Kernel|Object|self|TOPLEVEL_BINDING\.receiver)\.(?=[a-z_`])/, '').replace(/^::/, '')
}

const blank: Omit<Call, 'run' | 'name'> = { self: null, args: [], named: new Map(), make: false, taint: CLEAN }
const input: Handler = () => unknown(flag(FROM.input))

/** Constants that come with the language, and those of the common packages of the web, of tests and of data. */
const STANDARD: ReadonlySet<string> = new Set(
  (
    'File Dir IO Net URI JSON YAML Psych CSV Time Date DateTime Process Kernel Object Class Module Array Hash String Symbol Integer Float ' +
    'Numeric Math Struct OpenStruct Set Range Proc Method Socket TCPSocket TCPServer UDPSocket UNIXSocket Addrinfo OpenSSL Digest Base64 ' +
    'SecureRandom Logger Tempfile Pathname FileUtils Open3 Shellwords ERB Benchmark Timeout StringIO Random Regexp Rational Comparable ' +
    'Enumerable ENV ARGV ARGF STDIN STDOUT STDERR Resolv IPAddr Etc RbConfig Gem Bundler Minitest Test RSpec Rake Rails Thread Mutex Queue ' +
    'Fiber Ractor ObjectSpace GC Signal Marshal Zlib WEBrick Nokogiri Faraday HTTParty RestClient HTTP HTTPX Redis PG Mysql2 SQLite3 Sequel ' +
    'ActiveRecord ActiveSupport Sinatra Rack Exception StandardError RuntimeError ArgumentError self'
  ).split(' '),
)

export const RUBY: Profile = {
  language: 'ruby',
  functions: table(RUBY_PURE, PROCESS, FILES, NETWORK, {
    'ENV[] ENV.fetch ENV.delete': variable,
    'ENV[]= ENV.store': setVariable,
    'ENV.to_h ENV.to_a ENV.each ENV.inspect ENV.values ENV.map ENV.select': everyVariable,
    'gets readline readlines STDIN.read STDIN.gets STDIN.readlines $stdin.read $stdin.gets ARGF.read STDIN.each_line': input,
  }),
  methods: table(FILE_METHODS, NETWORK_METHODS, PROCESS_METHODS, REACHED_METHODS),
  values: new Map<string, (run: Run) => Value>([
    ['ENV', (run) => everyVariable({ ...blank, run, name: 'ENV' }) ?? UNKNOWN],
    ['ARGV', given([], list([], true))],
    ['STDIN', () => unknown(flag(FROM.input))],
    ['$stdin', () => unknown(flag(FROM.input))],
    ...['gets', 'readline', 'readlines'].map((name) => [name, () => unknown(flag(FROM.input))] as const),
    ['ARGF', () => unknown(flag(FROM.input))],
    ['__FILE__', () => text('script.rb')],
    ['__dir__', () => text('.')],
    ['$0', () => text('script.rb')],
    ['$PROGRAM_NAME', () => text('script.rb')],
    ['File.SEPARATOR', () => text('/')],
    ['RbConfig.ruby', () => text('ruby')],
    ['Gem.ruby', () => text('ruby')],
  ]),
  canonical,
  clients,
  standard: STANDARD,
  inert: new Set(
    'puts print p pp printf putc warn raise attr_accessor attr_reader attr_writer extend private public module_function'.split(' '),
  ),
}
