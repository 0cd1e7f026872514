import { table } from '../api/act.ts'
import { AGENT_METHODS, PYTHON_AGENTS } from '../api/agents.ts'
import { clients } from '../api/clients/index.ts'
import { REACHED_METHODS } from '../api/clients/reached.ts'
import { PYTHON_PURE } from '../api/decoders.ts'
import { SERVICE_FUNCTIONS, SERVICE_METHODS } from '../api/services.ts'
import { given } from '../interpret/given.ts'
import type { Profile, Run } from '../interpret/run.ts'
import { FROM, flag, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { DESKTOP, DESKTOP_METHODS } from './desktop.ts'
import { everyVariable, FILE_METHODS, FILES } from './files.ts'
import { imports, STANDARD } from './imports.ts'
import { NETWORK, NETWORK_METHODS } from './network.ts'
import { PROCESS, PROCESS_METHODS } from './process.ts'
import { REFLECT, REFLECT_METHODS } from './reflect.ts'

/** What is known of Python's functions. */

/** Other names under which modules are found. */
const SAME: readonly (readonly [string, string])[] = [
  ['builtins.', ''],
  ['__builtins__.', ''],
  ['__builtin__.', ''],
  ['__dict__.', ''],
  ['posix.', 'os.'],
  ['nt.', 'os.'],
  ['posixpath.', 'os.path.'],
  ['np.', 'numpy.'],
  ['pd.', 'pandas.'],
  ['cPickle.', 'pickle.'],
  ['pathlib2.', 'pathlib.'],
]

function canonical(name: string): string {
  let result = name.includes('.__dict__.') ? name.replace('.__dict__.', '.') : name
  for (const [from, to] of SAME) if (result.startsWith(from)) result = to + result.slice(from.length)
  return result
}

export const PYTHON: Profile = {
  language: 'python',
  functions: table(PYTHON_PURE, PROCESS, REFLECT, DESKTOP, FILES, NETWORK, SERVICE_FUNCTIONS, PYTHON_AGENTS),
  methods: table(
    REFLECT_METHODS,
    SERVICE_METHODS,
    FILE_METHODS,
    NETWORK_METHODS,
    PROCESS_METHODS,
    DESKTOP_METHODS,
    AGENT_METHODS,
    REACHED_METHODS,
  ),
  values: new Map<string, (run: Run) => Value>([
    [
      'os.environ',
      (run) =>
        everyVariable({ run, name: 'os.environ', self: null, args: [], named: new Map(), make: false, taint: { bits: 0, from: [] } }) ??
        UNKNOWN,
    ],
    ['os.sep', () => text('/')],
    ['os.linesep', () => text('\n')],
    ['os.devnull', () => text('/dev/null')],
    ['os.curdir', () => text('.')],
    ['os.pardir', () => text('..')],
    ['sys.executable', () => text('python3')],
    ['sys.argv', given(['-c'])],
    ['sys.stdin', () => unknown(flag(FROM.input))],
    ['__file__', () => text('script.py')],
    ['string.ascii_lowercase', () => text('abcdefghijklmnopqrstuvwxyz')],
    ['string.ascii_uppercase', () => text('ABCDEFGHIJKLMNOPQRSTUVWXYZ')],
    ['string.ascii_letters', () => text('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')],
    ['string.digits', () => text('0123456789')],
  ]),
  canonical,
  loads: imports,
  clients,
  standard: STANDARD,
  inert: new Set(
    (
      'print repr isinstance issubclass hasattr callable type id help dir any all len super property staticmethod classmethod ' +
      'inspect.getsource inspect.signature'
    ).split(' '),
  ),
}
