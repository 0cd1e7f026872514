/** What a string literal of Python stands for; null where that is not known without running it. */

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** @param written with its prefix and quotes. */
export function pythonText(written: string): string | null {
  const match = /^([A-Za-z]*)("""|'''|"|')([\s\S]*)\2$/.exec(written)
  if (match === null) return null
  const [, prefix = '', , body = ''] = match
  if (/[bf]/i.test(prefix)) return null
  return /r/i.test(prefix) ? body : unescaped(body)
}

function unescaped(body: string): string | null {
  let known = true
  const text = body.replace(
    /\\(\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[\s\S])/g,
    (whole, sign: string) => {
      const first = sign.charAt(0)
      if (/[0-7]/.test(first)) return String.fromCodePoint(Number.parseInt(sign, 8))
      if (sign.length > 1 && (first === 'x' || first === 'u' || first === 'U')) {
        const point = Number.parseInt(sign.slice(1), 16)
        if (point <= 0x10ffff) return String.fromCodePoint(point)
      }
      if (first === 'N' && sign.length > 1) {
        known = false
        return ''
      }
      return Object.hasOwn(SIMPLE, sign) ? (SIMPLE[sign] ?? '') : whole
    },
  )
  return known ? text : null
}
