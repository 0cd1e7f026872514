import { target } from '../../effect.ts'
import { registryAction } from '../../programs/windows/registry.ts'
import type { Cmdlet, Session } from './session.ts'
import { joinValues, knownValue, readFrom, unknownValue, type Value, wordFrom } from './value.ts'

/** Cmdlets on files, directories and the registry. */

const flag = (name: string): Value => knownValue(name)
const PATHS = ['literalpath', 'filter', 'include', 'exclude']

/** Registry paths are no files. */
function isRegistry(value: Value): boolean {
  return /^(?:hk(?:lm|cu|cr|u|cc):|registry::|microsoft\.powershell\.core\\registry::)/i.test(value.text ?? value.prefix)
}

function registry(path: Value, verb: 'read' | 'change' | 'delete', walk: Session): void {
  const name = path.text ?? path.prefix
  const action = verb === 'change' ? registryAction(name) : 'system:registry'
  walk.context.emit(action === 'schedule:install' ? 'persist' : verb, target('resource', name), {
    action,
    span: walk.span,
    reversible: verb === 'read',
  })
}

const removeItem: Cmdlet = {
  signature: { positional: ['path'], named: [...PATHS, 'stream'], switches: ['recurse', 'force'] },
  run(bound, walk) {
    const filtered = bound.get('filter') ?? bound.get('include')
    for (const path of bound.paths()) {
      if (isRegistry(path)) registry(path, 'delete', walk)
      else {
        const inside = filtered === null ? path : joinValues([path, knownValue('/'), filtered])
        const flags = [...(bound.on('recurse') ? ['-r'] : []), ...(bound.on('force') ? ['-f'] : [])].map(flag)
        walk.native('rm', [...flags, inside], { paths: bound.get('literalpath') === null })
      }
    }
    return unknownValue()
  },
}

/** Two paths and the program that does the same. */
function transfer(program: string, flags: readonly string[]): Cmdlet {
  return {
    signature: {
      positional: ['path', 'destination'],
      named: [...PATHS, 'tosession', 'fromsession'],
      switches: ['recurse', 'force', 'container'],
    },
    run(bound, walk) {
      const destination = bound.get('destination') ?? knownValue('.')
      const from = bound.paths()
      if (bound.get('tosession') !== null) walk.context.emit('send', target('host', ''), { action: 'net:remote-shell', span: walk.span })
      walk.native(program, [...flags.map(flag), ...from, destination], { paths: true })
      return unknownValue({ from: from.flatMap((value) => value.from) })
    },
  }
}

const renameItem: Cmdlet = {
  signature: { positional: ['path', 'newname'], named: ['literalpath'], switches: ['force'] },
  run(bound, walk) {
    const name = bound.get('newname') ?? unknownValue()
    for (const path of bound.paths()) {
      const directory = /^(.*[\\/])[^\\/]*$/s.exec(path.text ?? '')?.[1] ?? ''
      walk.native('mv', [path, joinValues([knownValue(directory), name])])
    }
    return unknownValue()
  },
}

const newItem: Cmdlet = {
  signature: { positional: ['path'], named: ['name', 'itemtype', 'type', 'value', 'target'], switches: ['force'] },
  run(bound, walk) {
    const kind = (bound.get('itemtype') ?? bound.get('type'))?.text?.toLowerCase() ?? ''
    const name = bound.get('name')
    const base = bound.paths()
    for (const path of base.length === 0 && name !== null ? [knownValue('.')] : base) {
      const whole = name === null ? path : joinValues([path, knownValue('/'), name])
      const pointed = bound.get('value') ?? bound.get('target')
      if (isRegistry(path)) registry(whole, 'change', walk)
      else if (kind.startsWith('dir') || kind === 'container') walk.native('mkdir', [whole])
      else if (/link|junction/.test(kind) && pointed !== null) walk.native('ln', [flag('-s'), pointed, whole])
      else walk.native('tee', [whole], { input: bound.get('value') })
    }
    return unknownValue()
  },
}

const getContent: Cmdlet = {
  signature: {
    positional: ['path'],
    named: [...PATHS, 'totalcount', 'head', 'tail', 'readcount', 'stream', 'delimiter'],
    switches: ['raw', 'wait', 'asbytestream', 'force'],
  },
  run(bound, walk) {
    const paths = bound.paths().filter((path) => path.text !== '')
    for (const path of paths) walk.native('cat', [path], { paths: true })
    return unknownValue({ from: paths.flatMap((path) => readFrom(walk.context, wordFrom(path, walk.span)).from) })
  },
}

/** Cmdlets that put their input or a parameter into files. */
function writing(options: { readonly path: string; readonly append?: boolean; readonly content?: string }): Cmdlet {
  const { path, content } = options
  return {
    signature: {
      positional: content === undefined ? [path] : [path, content],
      named: ['literalpath', 'inputobject', 'delimiter', 'width', 'depth', 'filter', 'include', 'exclude', 'stream', 'variable'],
      switches: ['append', 'force', 'noclobber', 'nonewline', 'notypeinformation', 'asbytestream'],
    },
    run(bound, walk) {
      const value = (content === undefined ? null : bound.get(content)) ?? bound.get('inputobject') ?? bound.input
      const append = options.append === true || bound.on('append')
      for (const file of [...bound.all(path), ...bound.all('literalpath')]) {
        if (/^(?:nul|\/dev\/null)$/i.test(file.text ?? '')) continue
        walk.native('tee', [...(append ? [flag('-a')] : []), file], { input: value })
      }
      return value ?? unknownValue()
    },
  }
}

/** Hands on the files below a directory: what follows in the pipeline acts on them. */
const getChildItem: Cmdlet = {
  signature: {
    positional: ['path', 'filter'],
    named: ['literalpath', 'include', 'exclude', 'depth', 'attributes'],
    switches: ['recurse', 'force', 'name', 'file', 'directory', 'hidden', 'system', 'readonly'],
  },
  run(bound, walk) {
    const given = [...bound.all('path'), ...bound.all('literalpath')]
    if (given.some(({ text }) => /^env:/i.test(text ?? '')))
      walk.context.emit('read', walk.context.thing('variable', '*'), { action: 'env:list', span: walk.span })
    const pattern = bound.get('filter')?.text ?? bound.get('include')?.text ?? '*'
    const files = (given.length === 0 ? [knownValue('.')] : given).map((path) =>
      /[*?]/.test(path.text ?? '') || /[^\\/]\.\w{1,5}$/.test(path.text ?? '') ? path : joinValues([path, knownValue(`/${pattern}`)]),
    )
    return files.length === 1 && files[0] !== undefined ? files[0] : unknownValue({ items: files })
  },
}

const handOn: Cmdlet = {
  signature: { positional: ['path'], named: [...PATHS, 'stream'], switches: ['force'] },
  run: (bound) => {
    const [only, ...more] = bound.paths()
    return only !== undefined && more.length === 0 ? only : unknownValue({ items: bound.paths() })
  },
}

const setLocation: Cmdlet = {
  signature: { positional: ['path'], named: ['literalpath', 'stackname'] },
  run(bound, walk) {
    const [path] = bound.paths()
    if (path !== undefined && !isRegistry(path)) {
      walk.context.within({ attributes: {}, remote: false, directory: wordFrom(path, walk.span) }, (inner) => {
        walk.context = inner
      })
    }
    return unknownValue()
  },
}

const itemProperty = (verb: 'read' | 'change' | 'delete'): Cmdlet => ({
  signature: { positional: ['path', 'name', 'value'], named: ['literalpath', 'propertytype', 'type'], switches: ['force'] },
  run(bound, walk) {
    for (const path of bound.paths()) {
      if (isRegistry(path)) registry(path, verb, walk)
      else if (verb !== 'read') walk.native('touch', [path])
    }
    return unknownValue()
  },
})

export const FILE_CMDLETS: readonly (readonly [string, Cmdlet])[] = [
  ['remove-item', removeItem],
  ['copy-item', transfer('cp', ['-r'])],
  ['move-item', transfer('mv', [])],
  ['rename-item', renameItem],
  ['new-item', newItem],
  ['set-item', writing({ path: 'path', content: 'value' })],
  ['mkdir', { ...newItem, run: (bound, walk) => walk.native('mkdir', bound.paths()) }],
  ['md', { ...newItem, run: (bound, walk) => walk.native('mkdir', bound.paths()) }],
  ['get-content', getContent],
  ['import-csv', getContent],
  ['import-clixml', getContent],
  ['import-powershelldatafile', getContent],
  ['get-filehash', getContent],
  [
    'select-string',
    {
      ...getContent,
      signature: {
        positional: ['pattern', 'path'],
        named: [...PATHS, 'context', 'encoding'],
        switches: ['quiet', 'raw', 'list', 'allmatches', 'simplematch', 'casesensitive', 'notmatch'],
      },
    },
  ],
  ['set-content', writing({ path: 'path', content: 'value' })],
  ['add-content', writing({ path: 'path', content: 'value', append: true })],
  ['out-file', writing({ path: 'filepath' })],
  ['tee-object', writing({ path: 'filepath' })],
  ['export-csv', writing({ path: 'path' })],
  ['export-clixml', writing({ path: 'path' })],
  [
    'clear-content',
    {
      signature: removeItem.signature,
      run: (bound, walk) => walk.native('truncate', [flag('-s'), knownValue('0'), ...bound.paths()], { paths: true }),
    },
  ],
  ['get-childitem', getChildItem],
  ['get-item', handOn],
  ['resolve-path', handOn],
  ['get-itemproperty', itemProperty('read')],
  ['get-itempropertyvalue', itemProperty('read')],
  ['set-itemproperty', itemProperty('change')],
  ['new-itemproperty', itemProperty('change')],
  ['remove-itemproperty', itemProperty('delete')],
  ['set-location', setLocation],
  ['push-location', setLocation],
]
