/** Names of PowerShell: what its short names stand for, and which of its verbs only look. */

const ALIASES: Readonly<Record<string, string>> = {
  'get-childitem': 'gci ls dir',
  'get-content': 'gc cat type',
  'set-content': 'sc',
  'add-content': 'ac',
  'clear-content': 'clc',
  'get-item': 'gi',
  'set-item': 'si',
  'new-item': 'ni',
  'remove-item': 'ri rm rmdir rd del erase',
  'copy-item': 'cpi cp copy',
  'move-item': 'mi mv move',
  'rename-item': 'rni ren',
  'invoke-item': 'ii',
  'get-itemproperty': 'gp',
  'set-itemproperty': 'sp',
  'remove-itemproperty': 'rp',
  'invoke-expression': 'iex',
  'invoke-webrequest': 'iwr curl wget',
  'invoke-restmethod': 'irm',
  'invoke-command': 'icm',
  'enter-pssession': 'etsn',
  'new-pssession': 'nsn',
  'invoke-wmimethod': 'iwmi',
  'get-wmiobject': 'gwmi',
  'get-ciminstance': 'gcim',
  'start-process': 'saps start',
  'stop-process': 'spps kill',
  'start-job': 'sajb',
  'start-service': 'sasv',
  'stop-service': 'spsv',
  'set-location': 'cd sl chdir',
  'push-location': 'pushd',
  'pop-location': 'popd',
  'foreach-object': '% foreach',
  'where-object': '? where',
  'tee-object': 'tee',
  'out-file': '',
  'write-output': 'echo write',
  'select-object': 'select',
  'select-string': 'sls',
  'sort-object': 'sort',
  'measure-object': 'measure',
  'group-object': 'group',
  'compare-object': 'compare diff',
  'format-table': 'ft',
  'format-list': 'fl',
  'get-process': 'gps ps',
  'get-service': 'gsv',
  'get-location': 'gl pwd',
  'get-command': 'gcm',
  'get-member': 'gm',
  'get-variable': 'gv',
  'set-variable': 'sv set',
  'set-alias': 'sal',
  'new-alias': 'nal',
  'get-alias': 'gal',
  'import-module': 'ipmo',
  'import-csv': 'ipcsv',
  'export-csv': 'epcsv',
  'get-history': 'h history ghy',
  'clear-host': 'cls clear',
  'start-sleep': 'sleep',
  'resolve-path': 'rvpa',
}

const BY_ALIAS: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([name, short]) => short.split(' ').map((alias) => [alias, name] as const)),
)

/** The cmdlet that a name in lower case stands for; the name itself where it is no alias. */
export function cmdletNamed(name: string): string {
  const slash = name.lastIndexOf('\\')
  const bare = slash > 0 && !/[.:/]/.test(name.slice(slash)) && /^[\w.]+$/.test(name.slice(0, slash)) ? name.slice(slash + 1) : name
  return BY_ALIAS.get(bare) ?? bare
}

/** Programs of Unix under the same name: there PowerShell runs the program. */
const NATIVE: ReadonlySet<string> = new Set(
  'ls cat rm rmdir cp mv tee echo sort ps kill sleep pwd diff curl wget clear history ren start'.split(' '),
)

/** True where the name is an alias on Windows only. */
export function isNative(name: string): boolean {
  return NATIVE.has(name)
}

const LOOKING = new RegExp(
  String.raw`^(?:get|select|where|sort|measure|format|test|convertto|convertfrom|convert|join|split|resolve|compare|group|write` +
    String.raw`|read|show|find|wait|search|trace|out|tee|foreach|push|pop|use)-\w+$`,
)
const QUIET: ReadonlySet<string> = new Set(
  (
    'clear-host set-location start-sleep new-object new-timespan new-guid new-variable set-variable clear-variable ' +
    'remove-variable set-strictmode set-psdebug add-member update-formatdata import-localizeddata start-transcript ' +
    'stop-transcript new-temporaryfile set-psreadlineoption cd.. exit help prompt set-clipboard'
  ).split(' '),
)

/** True for a cmdlet that changes nothing by itself. */
export function onlyLooks(name: string): boolean {
  return QUIET.has(name) || LOOKING.test(name)
}
