/** Operators of several characters, longest first: what Perl, Ruby and the brace languages share, and what each has besides. */
const SHARED = '<=> **= ||= &&= <<= >>= ... => == != <= >= && || .. += -= *= /= %= |= &= ^= ** :: << >> ->'

/** The shared ones and a language's own, parted by spaces; the longest that fits is the one that is meant. */
export function operators(own: string): readonly string[] {
  return `${SHARED} ${own}`.split(' ').toSorted((a, b) => b.length - a.length)
}
