/** Mutation of commands: small changes of text, and large ones that nest, splice and repeat. */
import { nested } from './nest.ts'
import type { Random } from './random.ts'
import { repeated } from './repeat.ts'
import { SEEDS, TOKENS } from './seeds.ts'

type Mutation = (text: string, random: Random) => string

/** Longer results are cut: past this the analysis only says that it is too long. */
const LONGEST = 16_384

function at(text: string, random: Random): number {
  return random.below(text.length + 1)
}

function slice(text: string, random: Random): string {
  const start = at(text, random)
  return text.slice(start, start + 1 + random.below(12))
}

function insert(text: string, place: number, piece: string): string {
  return text.slice(0, place) + piece + text.slice(place)
}

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const WRAPS: readonly ((text: string) => string)[] = [
  (text) => `$(${text})`,
  (text) => `\`${text}\``,
  (text) => `( ${text} )`,
  (text) => `{ ${text}; }`,
  (text) => `"${text}"`,
  (text) => `bash -c ${single(text)}`,
  (text) => `eval ${single(text)}`,
  (text) => `python3 -c ${single(text)}`,
  (text) => `pwsh -c ${single(text)}`,
  (text) => `ssh h ${single(text)}`,
  (text) => `cat <<E\n${text}\nE\n`,
  (text) => `bash <<'E'\n${text}\nE\n`,
  (text) => `f() { ${text}; }; f`,
  (text) => `if true; then ${text}; fi`,
  (text) => `for i in 1 2; do ${text}; done`,
  (text) => `echo ${text} | xargs -n 1`,
  (text) => `x=${single(text)}; $x; eval "$x"`,
  (text) => `sudo env A=1 ${text}`,
  (text) => `\${x:-${text}}`,
  (text) => `<(${text})`,
]

const MUTATIONS: readonly Mutation[] = [
  (text, random) => insert(text, at(text, random), random.pick(TOKENS)),
  (text, random) => insert(text, at(text, random), random.pick(TOKENS)),
  (text, random) => insert(text, at(text, random), String.fromCharCode(random.below(128))),
  (text, random) => {
    const place = at(text, random)
    return text.slice(0, place) + text.slice(place + 1 + random.below(6))
  },
  (text, random) => text.slice(0, at(text, random)),
  (text, random) => text.slice(at(text, random)),
  (text, random) => insert(text, at(text, random), slice(text, random)),
  (text, random) => insert(text, at(text, random), slice(random.pick(SEEDS), random)),
  (text, random) => {
    const other = random.pick(SEEDS)
    return text.slice(0, at(text, random)) + other.slice(at(other, random))
  },
  (text, random) => `${text}${random.pick([' | ', ' && ', '; ', ' & ', '\n', ' '])}${random.pick(SEEDS)}`,
  (text, random) => random.pick(WRAPS)(text),
  (text, random) => random.pick(WRAPS)(text),
  (text, random) => {
    const words = text.split(' ')
    const place = random.below(words.length)
    words[place] = random.pick(random.pick(SEEDS).split(' '))
    return words.join(' ')
  },
  (text, random) => {
    const words = text.split(' ')
    const place = random.below(words.length)
    words[place] = random.pick(WRAPS)(words[place] ?? '')
    return words.join(' ')
  },
  (text, random) => text.replaceAll(random.pick([' ', 'a', 'e', '"', "'", '$', 'x']), random.pick(TOKENS)),
  (text, random) => (random.once(2) ? text.toUpperCase() : text.split('').reverse().join('')),
  (text, random) => {
    const piece = random.once(2) ? random.pick(TOKENS) : slice(text, random)
    return insert(text, at(text, random), piece.repeat(1 + random.below(random.once(20) ? 2_000 : 12)))
  },
]

/** A seed with one to six mutations, or now and then a repetition or a nesting; always the same for the same state of `random`. */
export function mutated(random: Random): string {
  if (random.once(200)) return random.once(4) ? nested(random) : repeated(random)
  let text = random.pick(SEEDS)
  for (let rounds = 1 + random.below(6); rounds > 0; rounds--) text = random.pick(MUTATIONS)(text, random).slice(0, LONGEST)
  return text
}
