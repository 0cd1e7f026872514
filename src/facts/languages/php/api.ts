import { table } from '../api/act.ts'
import { clients } from '../api/clients/index.ts'
import { PHP_PURE } from '../api/decoders.ts'
import { SERVICE_METHODS } from '../api/services.ts'
import { given } from '../interpret/given.ts'
import { known } from '../interpret/reading.ts'
import type { Call, Handler, Profile, Run } from '../interpret/run.ts'
import { CLEAN, FROM, flag, list, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { everyVariable, setVariable, variable } from '../python/files.ts'
import { FILE_METHODS, FILES } from './files.ts'
import { NETWORK, NETWORK_METHODS } from './network.ts'
import { PROCESS, PROCESS_METHODS } from './process.ts'

/** What is known of PHP's functions. */

/** A leading backslash names the same function. */
function canonical(name: string): string {
  return name.replace(/^\\/, '').replaceAll('\\', '.').replaceAll('::', '.')
}

const blank: Omit<Call, 'run' | 'name'> = { self: null, args: [], named: new Map(), make: false, taint: CLEAN }

/** What a client sent: whoever asks the page decides it. */
const request = (): Value => unknown(flag(FROM.network))

/** Fields of `$_SERVER` that the client fills. */
const SENT = /^(?:HTTP_|QUERY_STRING|REQUEST_URI|PATH_INFO|PHP_SELF|PHP_AUTH)/

const putenv: Handler = (call) => {
  const [name = '', value = ''] = call.args[0]?.kind === 'text' ? call.args[0].text.split('=', 2) : []
  return setVariable({ ...call, args: [text(name), text(value)] })
}

export const PHP: Profile = {
  language: 'php',
  functions: table(PHP_PURE, PROCESS, FILES, NETWORK, {
    getenv: (call) => (call.args.length === 0 ? everyVariable(call) : variable(call)),
    '$_ENV[]': variable,
    '$_SERVER[]': (call) => (SENT.test(known(call.args[0]) ?? 'HTTP_') ? request() : UNKNOWN),
    putenv,
  }),
  methods: new Map([...table(SERVICE_METHODS, FILE_METHODS, NETWORK_METHODS), ...PROCESS_METHODS]),
  values: new Map<string, (run: Run) => Value>([
    ['$_GET', request],
    ['$_POST', request],
    ['$_REQUEST', request],
    ['$_COOKIE', request],
    ['$_FILES', request],
    ['$_ENV', (run) => everyVariable({ ...blank, run, name: '$_ENV' }) ?? UNKNOWN],
    ['$argv', given(['-'], list([], true))],
    ['STDIN', () => unknown(flag(FROM.input))],
    ['PHP_EOL', () => text('\n')],
    ['PHP_BINARY', () => text('php')],
    ['DIRECTORY_SEPARATOR', () => text('/')],
    ['__FILE__', () => text('script.php')],
    ['__DIR__', () => text('.')],
  ]),
  canonical,
  clients,
  inert: new Set(
    (
      'echo print printf print_r var_dump var_export count strlen isset empty is_array is_string json_encode json_decode date ' +
      'time microtime error_log define defined array_keys array_values array_merge in_array str_replace substr strpos explode ' +
      'number_format'
    ).split(' '),
  ),
}
