/** Functions that print what they are given, and those that only tell something about it, in all languages, by canonical name. */

const SHOWS: ReadonlySet<string> = new Set(
  [
    // Python
    'print pprint.pprint pprint.pp pp rich.print sys.stdout.write sys.stderr.write sys.stdout.writelines logging.debug ' +
      'logging.info logging.warning logging.error',
    // Node, Deno, Bun
    'console.log console.info console.warn console.error console.debug console.dir console.table process.stdout.write ' +
      'process.stderr.write Deno.stdout.write Deno.stdout.writeSync',
    // Ruby, Perl, PHP, Lua, awk
    'puts p printf $stdout.puts $stdout.write $stdout.print STDOUT.puts STDOUT.write $stderr.puts warn die say',
    'echo print_r var_dump var_export error_log',
    'io.write io.stdout.write io.stdout:write io.stderr.write',
  ]
    .join(' ')
    .split(' '),
)

const ANSWERS: ReadonlySet<string> = new Set(
  'bool len isinstance any all hasattr callable type Boolean isset empty strlen count is_string is_null defined length exists scalar hash'.split(
    ' ',
  ),
)

/** Whether a function shows what it is given or only answers a question about it; null: neither is known. */
export function outputKind(name: string): 'shows' | 'answers' | null {
  return SHOWS.has(name) ? 'shows' : ANSWERS.has(name) ? 'answers' : null
}
