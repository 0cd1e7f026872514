import { table } from '../api/act.ts'
import { PERL_PURE } from '../api/decoders.ts'
import { given } from '../interpret/given.ts'
import type { Call, Profile, Run } from '../interpret/run.ts'
import { CLEAN, FROM, flag, list, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { everyVariable, setVariable, variable } from '../python/files.ts'
import { FILE_METHODS, FILES } from './files.ts'
import { NETWORK, NETWORK_METHODS } from './network.ts'
import { PROCESS, PROCESS_METHODS } from './process.ts'

/** What is known of Perl's functions. */

/** `CORE::system`, `main::f` and `::f` are what they say; packages are parts of a dotted name. */
function canonical(name: string): string {
  return name.replace(/^(?:CORE::GLOBAL::|CORE::|main::|::)/, '').replaceAll('::', '.')
}

const blank: Omit<Call, 'run' | 'name'> = { self: null, args: [], named: new Map(), make: false, taint: CLEAN }

export const PERL: Profile = {
  language: 'perl',
  functions: table(PERL_PURE, PROCESS, FILES, NETWORK, { '$ENV[]': variable, '$ENV[]=': setVariable }),
  methods: table(FILE_METHODS, NETWORK_METHODS, PROCESS_METHODS),
  values: new Map<string, (run: Run) => Value>([
    ['$ENV', (run) => everyVariable({ ...blank, run, name: '$ENV' }) ?? UNKNOWN],
    ['$ARGV', given([], list([], true))],
    ['STDIN', () => unknown(flag(FROM.input))],
    ['$STDIN', () => unknown(flag(FROM.input))],
    ['$0', () => text('script.pl')],
    ['$^X', () => text('perl')],
    ['$$', () => UNKNOWN],
  ]),
  canonical,
  inert: new Set(
    (
      'defined ref scalar exists keys values each wantarray caller die warn close closedir binmode seek tell eof fileno flock ' +
      'select sleep time localtime gmtime length substr index rindex uc lc ucfirst lcfirst abs int sqrt sin cos exp log rand ' +
      'srand hex oct split splice delete Dumper bless croak confess carp strftime encode_json decode_json'
    ).split(' '),
  ),
}
