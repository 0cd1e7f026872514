/** A reliability diagram as SVG: what was told against what was observed, with the counts below. Pure. */
import type { Bin } from './figures.ts'

const SIZE = 360
const LEFT = 56
const TOP = 44
const BARS = 60
const GAP = 28

/** One circle per bin, as large as its share of the weight; on the diagonal a probability holds what it says, and the line through it is how sure that is. */
export function reliabilityDiagram(bins: readonly Bin[], title: string): string {
  const height = TOP + SIZE + GAP + BARS + 48
  const x = (share: number): string => (LEFT + share * SIZE).toFixed(1)
  const y = (share: number): string => (TOP + (1 - share) * SIZE).toFixed(1)
  const total = bins.reduce((sum, { weight }) => sum + weight, 0)
  const floor = TOP + SIZE + GAP + BARS
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((at) => [
    `<line x1="${x(at)}" y1="${y(0)}" x2="${x(at)}" y2="${y(1)}" class="grid"/>`,
    `<line x1="${x(0)}" y1="${y(at)}" x2="${x(1)}" y2="${y(at)}" class="grid"/>`,
    `<text x="${x(at)}" y="${TOP + SIZE + 16}" text-anchor="middle">${at}</text>`,
    `<text x="${LEFT - 8}" y="${Number(y(at)) + 4}" text-anchor="end">${at}</text>`,
  ])
  const line = bins.map(({ told, observed }) => `${x(told)},${y(observed)}`).join(' ')
  const marks = bins.flatMap(({ told, observed, count, weight }) => {
    const radius = (3 + 9 * Math.sqrt(weight / Math.max(total, Number.MIN_VALUE))).toFixed(1)
    const bar = (BARS * count) / most
    const [low, high] = interval(observed, count)
    return [
      `<line x1="${x(told)}" y1="${y(low)}" x2="${x(told)}" y2="${y(high)}" class="sure"/>`,
      `<circle cx="${x(told)}" cy="${y(observed)}" r="${radius}">` +
        `<title>told ${told.toFixed(3)}, observed ${observed.toFixed(3)}, ${count} calls</title></circle>`,
      `<rect x="${(Number(x(told)) - 4).toFixed(1)}" y="${(floor - bar).toFixed(1)}" width="8" height="${bar.toFixed(1)}"/>`,
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + SIZE + 24} ${height}" role="img" aria-label="${escaped(title)}">`,
    '<style>text{font:12px system-ui,Helvetica,Arial,sans-serif;fill:#222}.grid{stroke:#ddd}.even{stroke:#888;stroke-dasharray:4 4}' +
      '.sure{stroke:#1a5fb4;stroke-opacity:.35;stroke-width:2}polyline{fill:none;stroke:#1a5fb4}circle{fill:#1a5fb4;fill-opacity:.7}rect{fill:#99c1f1}</style>',
    `<rect x="0" y="0" width="${LEFT + SIZE + 24}" height="${height}" style="fill:#fff"/>`,
    `<text x="${LEFT}" y="24" style="font-size:14px">${escaped(shortened(title))}</text>`,
    ...ticks,
    `<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" class="even"/>`,
    `<polyline points="${line}"/>`,
    ...marks,
    `<line x1="${x(0)}" y1="${floor}" x2="${x(1)}" y2="${floor}" class="grid"/>`,
    `<text x="${LEFT - 8}" y="${floor - BARS + 8}" text-anchor="end">${most}</text>`,
    `<text x="${LEFT - 8}" y="${floor + 4}" text-anchor="end">0</text>`,
    `<text x="${x(0.5)}" y="${floor + 20}" text-anchor="middle">told probability that a call is benign, and how many calls</text>`,
    `<text x="14" y="${y(0.5)}" text-anchor="middle" transform="rotate(-90 14 ${y(0.5)})">observed share of benign calls</text>`,
    '</svg>',
    '',
  ].join('\n')
}

/** What fits above the diagram; all of it stands in its label. */
function shortened(title: string): string {
  return title.length <= 48 ? title : `${title.slice(0, 47)}…`
}

/** Wilson's, 95 %: few calls say little, and it shows. */
function interval(share: number, count: number): readonly [low: number, high: number] {
  if (count === 0) return [0, 1]
  const z = 1.96
  const middle = (share + (z * z) / (2 * count)) / (1 + (z * z) / count)
  const half = (z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count))) / (1 + (z * z) / count)
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** Names of judges are the operator's, files may be anybody's: neither becomes markup. */
function escaped(text: string): string {
  const printable = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd').toWellFormed()
  return printable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
