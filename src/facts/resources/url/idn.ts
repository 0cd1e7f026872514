/** International names: decodes punycode (RFC 3492) and tells names that imitate Latin ones. */

const BASE = 36
const [T_MIN, T_MAX, SKEW, DAMP] = [1, 26, 38, 700]
const MAX_LABEL = 63

/** The Unicode form of one `xn--` label; null where it is malformed. */
export function decodeLabel(label: string): string | null {
  if (!label.startsWith('xn--') || label.length > MAX_LABEL) return null
  const body = label.slice(4)
  const dash = body.lastIndexOf('-')
  const out = [...(dash > 0 ? body.slice(0, dash) : '')].map((char) => char.codePointAt(0) ?? 0)
  let [n, i, bias] = [128, 0, 72]
  for (let at = dash > 0 ? dash + 1 : 0; at < body.length; ) {
    const start = i
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(body.charCodeAt(at))
      at += 1
      if (digit < 0) return null
      i += digit * weight
      const t = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias
      if (digit < t) break
      weight *= BASE - t
    }
    bias = adapt(i - start, out.length + 1, start === 0)
    n += Math.floor(i / (out.length + 1))
    i %= out.length + 1
    if (n > 0x10ffff) return null
    out.splice(i, 0, n)
    i += 1
  }
  return String.fromCodePoint(...out)
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 22
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  return -1
}

function adapt(difference: number, points: number, first: boolean): number {
  let delta = first ? Math.floor(difference / DAMP) : difference >> 1
  delta += Math.floor(delta / points)
  let k = 0
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW))
}

const LATIN = /\p{Script=Latin}/u
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u
/** Letters of other scripts that look like a Latin letter in most typefaces. */
const LOOKALIKES = /^[аеорсухіјѕԁԛԝһьтмнквгԍӏүαονρτυικχγωβϲϳաոսօցԱՏ0-9-]+$/u

/** True where a label mixes Latin with a script of lookalikes, or is spelt in lookalikes alone. */
export function isConfusable(label: string): boolean {
  if (!OTHER.test(label)) return false
  return LATIN.test(label) || LOOKALIKES.test(label)
}
