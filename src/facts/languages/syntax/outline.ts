import type { Node } from '../ast.ts'
import type { Part, Token } from './token.ts'

/** For tests of lexers and parsers: tokens and syntax trees as one line. */

function parts(all: readonly Part[]): string {
  return all.map((p) => (typeof p === 'string' ? JSON.stringify(p) : `{${p.source}}`)).join(' ')
}

/** One word for each token: names and operators as they are, the others with their kind. */
export function tokenLine(tokens: readonly Token[]): string {
  return tokens
    .filter((t) => t.kind !== 'end')
    .map(({ kind, text, parts: inner, bytes }) => {
      if (kind === 'name' || kind === 'operator') return text
      if (kind === 'newline' || kind === 'indent' || kind === 'dedent') return kind === 'newline' ? '⏎' : kind
      if (kind === 'text') return `${bytes ? 'b' : ''}${JSON.stringify(text)}`
      if (kind === 'number') return `#${text}`
      return `${kind}(${[text, parts(inner)].filter((s) => s !== '').join(' ')})`
    })
    .join(' ')
}

function all(nodes: readonly Node[]): string {
  return nodes.map(nodeLine).join(' ')
}

type Kind<K extends Node['kind']> = Extract<Node, { kind: K }>

function argumentLine({ spread, name, value }: Kind<'call'>['args'][number]): string {
  return `${spread}${name === null ? '' : `${name}: `}${nodeLine(value)}`
}

function parameterLine({ rest, target, fallback }: Kind<'function'>['fn']['params'][number]): string {
  return `${rest ? '*' : ''}${nodeLine(target)}${fallback === null ? '' : `=${nodeLine(fallback)}`}`
}

function clauseLine({ target, source, tests }: Kind<'comprehension'>['clauses'][number]): string {
  return `for ${nodeLine(target)} in ${nodeLine(source)}${tests.map((t) => ` if ${nodeLine(t)}`).join('')}`
}

function orDashes(nodes: readonly (Node | null)[]): string {
  return nodes.map((n) => (n === null ? '-' : nodeLine(n))).join(' ')
}

/** A syntax tree as nested lists, statements separated by `;`. */
export function nodeLine(node: Node): string {
  switch (node.kind) {
    case 'text':
      return JSON.stringify(node.text)
    case 'number':
      return String(node.value)
    case 'constant':
      return String(node.value)
    case 'name':
      return node.name
    case 'member':
      return `${nodeLine(node.of)}.${node.name}`
    case 'index':
      return `${nodeLine(node.of)}[${nodeLine(node.at)}]`
    case 'call':
      return `${node.make ? 'new ' : ''}${nodeLine(node.callee)}(${node.args.map(argumentLine).join(', ')})`
    case 'template':
    case 'command':
      return `(${node.kind} ${all(node.parts)})`
    case 'list':
      return `[${node.items.map(nodeLine).join(', ')}]`
    case 'dict':
      return `{${node.entries.map((e) => `${nodeLine(e.key)}: ${nodeLine(e.value)}`).join(', ')}}`
    case 'chain':
      return `(${nodeLine(node.first)}${node.rest.map((r) => ` ${r.op} ${nodeLine(r.value)}`).join('')})`
    case 'unary':
      return `(${node.op} ${nodeLine(node.value)})`
    case 'choice':
      return `(either ${all(node.options)})`
    case 'spread':
      return `...${nodeLine(node.value)}`
    case 'function':
      return `(fn ${node.fn.name ?? '_'}(${node.fn.params.map(parameterLine).join(', ')}) ${nodeLine(node.fn.body)})`
    default:
      return statementLine(node)
  }
}

function statementLine(node: Node): string {
  switch (node.kind) {
    case 'assign':
      return `${nodeLine(node.target)} ${node.op} ${nodeLine(node.value)}`
    case 'group':
      return node.items.length === 0 ? '()' : `(${node.items.map(nodeLine).join('; ')}${node.last ? '' : ';'})`
    case 'block':
      return `{ ${node.body
        .map(nodeLine)
        .filter((s) => s !== '()')
        .join('; ')} }`
    case 'branch':
      return `(if ${all(node.tests)} ${node.blocks.map(nodeLine).join(' | ')})`
    case 'loop':
      return `(${node.forever ? 'forever' : 'loop'} ${orDashes([node.target, node.source, node.test])} ${nodeLine(node.body)})`
    case 'class':
      return `(class ${node.name} ${nodeLine(node.body)})`
    case 'import':
      return `(import ${[...node.bindings.map(([local, name]) => `${local}=${name}`), ...(node.star === null ? [] : [`${node.star}.*`])].join(' ')})`
    case 'return':
    case 'stop':
      return `(${node.kind}${node.value === null ? '' : ` ${nodeLine(node.value)}`})`
    case 'comprehension':
      return `(${node.shape} of ${nodeLine(node.element)} ${node.clauses.map(clauseLine).join(' ')})`
    case 'slice':
      return `${nodeLine(node.of)}[${[node.from, node.to, node.step].map((n) => (n === null ? '' : nodeLine(n))).join(':')}]`
    default:
      return '?'
  }
}
