/** Who inherits from whom: circles and names of nobody are found once, and each line is walked only where it is asked for. */
import type { Located } from './reading/fields.ts'
import { suggestion } from './reading/nearest.ts'
import type { CompileContext } from './section.ts'

export type Parents = ReadonlyMap<string, readonly Located<string>[]>

/**
 * Reports every name that is no role, and every place where a role comes to inherit itself. True where there is none. Each role
 * and each line of `inherits` is looked at once, without recursion: a chain may be as long as a policy can hold.
 */
export function checkInheritance(parents: Parents, { reader }: CompileContext): boolean {
  const before = reader.errors.length
  const state = new Map<string, 'open' | 'done'>()
  for (const name of parents.keys()) {
    if (state.has(name)) continue
    for (const { child, parent } of circlesFrom(name, { parents, state })) {
      const way = parent.value === child ? '' : ` by way of \`${child}\``
      const message = `role \`${parent.value}\` inherits itself${way}`
      const help = 'move what both share into a third role that each inherits'
      reader.fail({ code: 'policy.role_circle', message, help, at: parent.at })
    }
  }
  for (const each of parents.values()) {
    for (const { value, at } of each) {
      if (parents.has(value)) continue
      reader.fail({
        code: 'policy.wrong_value',
        message: `there is no role \`${value}\``,
        help: suggestion(value, [...parents.keys()]),
        at,
      })
    }
  }
  return reader.errors.length === before
}

interface Link {
  readonly child: string
  readonly parent: Located<string>
}

interface Walk {
  readonly parents: Parents
  readonly state: Map<string, 'open' | 'done'>
}

/** Depth first; a parent that is still open is an ancestor of itself. */
function circlesFrom(start: string, { parents, state }: Walk): readonly Link[] {
  const found: Link[] = []
  const stack: { readonly name: string; next: number }[] = [{ name: start, next: 0 }]
  state.set(start, 'open')
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const parent = parents.get(top.name)?.[top.next]
    top.next += 1
    if (parent === undefined) {
      state.set(top.name, 'done')
      stack.pop()
    } else if (state.get(parent.value) === 'open') {
      found.push({ child: top.name, parent })
    } else if (parents.has(parent.value) && !state.has(parent.value)) {
      state.set(parent.value, 'open')
      stack.push({ name: parent.value, next: 0 })
    }
  }
  return found
}

/** The role and all it inherits, each once, ancestors first. */
export function lineOf(name: string, parents: Parents): readonly string[] {
  const line: string[] = []
  const seen = new Set([name])
  const open = [name]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    line.push(each)
    for (const { value } of parents.get(each) ?? []) {
      if (seen.has(value) || !parents.has(value)) continue
      seen.add(value)
      open.push(value)
    }
  }
  return line.reverse()
}
