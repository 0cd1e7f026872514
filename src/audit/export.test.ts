import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { chain, sign, testSigner } from '../../test/support/records.ts'
import { signAnchor } from '../store/sqlite/anchor.ts'
import type { StoredRecord } from '../store/store.ts'
import { escapeUnseen, exportCsv, exportJsonl, exportLine } from './export.ts'
import { auditVerifyExport } from './log.ts'
import { type ExportFile, readExport } from './read-export.ts'
import { type VerifyOptions, verify } from './verify.ts'

const signer = testSigner('key')
const ring = new Map([[signer.id, signer]])
const four = chain(4, signer)
const anchors = four.slice(-1).map(({ sequence, hash }) => ({ size: sequence, hash }))

const HOSTILE = [
  'line\nfeed',
  'return\rto start',
  '\u2028separator\u2029',
  '\u001b[2Kansi \u001b]8;;http://evil\u0007',
  'nul\0byte',
  '\u202eesrever',
  'zero\u200bwidth\ufeff',
  'del\u007f c1\u009b31m',
  'tag\u{e0041}character',
  'filler\u3164',
  '"quoted" \\ back',
  '=1+1',
]

function withText(text: string): StoredRecord {
  const [first] = four
  if (first === undefined) throw new Error('no record')
  return sign({ ...first, tool: text, body: { text, [text]: true } }, signer)
}

function content(records: readonly StoredRecord[]): string {
  return [...exportJsonl(records)].join('')
}

function check(files: readonly ExportFile[], options: Partial<VerifyOptions> = {}) {
  const { entries, warnings } = readExport(files)
  return verify(entries, { ring, anchors, warnings, ...options })
}

function kinds(files: readonly ExportFile[], options: Partial<VerifyOptions> = {}) {
  const report = check(files, options)
  return { breaks: report.breaks.map(({ kind, index }) => [kind, index]), warnings: report.warnings.map(({ kind }) => kind) }
}

const file = (text: string | Uint8Array, name = 'a.jsonl'): ExportFile => ({ name, content: text })

describe('a line cannot be forged from inside a record', () => {
  proves(['T61', 'P12'], 'hostile text stays on its line, shows what it is, and comes back exactly', () => {
    for (const text of HOSTILE) {
      const record = withText(text)
      const line = exportLine(record)
      expect(line).toMatch(/^[\x20-\x7e]+$/)
      expect(JSON.parse(line)).toMatchObject({ tool: text, hash: record.hash, body: { text } })
      expect(readExport([file(`${line}\n`)]).entries).toMatchObject([{ record }])
    }
  })

  proves('T61', 'any text survives a round trip through an export', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const record = withText(text)
        const [entry] = readExport([file(content([record]))]).entries
        expect(entry).toMatchObject({ record })
      }),
    )
  })

  test('what can be seen stays readable', () => {
    expect(escapeUnseen('grüße, 世界 👍')).toBe('grüße, 世界 👍')
    expect(escapeUnseen('a\u200bb')).toBe('a\\u200bb')
  })
})

describe('CSV', () => {
  proves('T61', 'no cell is a formula, and no cell ends its row', () => {
    for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\uff1d1', '\uff0b1', '\r=1', '\n@x']) {
      const [, row] = [...exportCsv([withText(formula)])]
      const cells = row?.split('","') ?? []
      expect(cells[6]?.startsWith("'")).toBe(true)
    }
    for (const text of HOSTILE) {
      const rows = [...exportCsv([withText(text)])]
      expect(rows).toHaveLength(2)
      expect(rows[1]).toMatch(/^"[\x20-\x7e]*"\r\n$/)
    }
  })

  test('header and values', () => {
    const rows = [...exportCsv(four)]
    expect(rows[0]).toBe('"sequence","id","at","kind","session","tenant","tool","decision","code","body","previous","key","hash"\r\n')
    expect(rows[1]).toBe(
      `"1","${four[0]?.id}","2026-01-01T00:00:01.000Z","decision","s-1","default","Bash","allow","allow.permitted","{""label"":""log"",""number"":1}","${'0'.repeat(64)}","${signer.id}","${four[0]?.hash}"\r\n`,
    )
  })

  test('an instant beyond what a date can say is shown as its number', () => {
    const [first] = four
    if (first === undefined) throw new Error('no record')
    expect([...exportCsv([{ ...first, at: 9e15 }])][1]).toContain('"9000000000000000"')
  })
})

describe('an export is checked like the log', () => {
  const lines = content(four).split('\n').slice(0, -1)
  const replaced = (index: number, line: string) => file(`${lines.with(index, line).join('\n')}\n`)

  test('an untouched export holds', () => {
    expect(check([file(content(four))])).toMatchObject({ ok: true, total: 4 })
    expect(check([file(new TextEncoder().encode(content(four)))])).toMatchObject({ ok: true, total: 4 })
    expect(check([file(content(four).replaceAll('\n', '\r\n'))])).toMatchObject({ ok: true, total: 4 })
  })

  proves(
    ['SIG-42a', 'SIG-42b', 'SIG-42c', 'SIG-42d', 'PRO-30g'],
    'cut JSON, NaN, ill-formed UTF-8 and an unknown decision are malformed lines',
    () => {
      const line = lines[1] ?? ''
      const cases: [string, ExportFile][] = [
        ['a: truncated', replaced(1, line.slice(0, 40))],
        ['b: NaN', replaced(1, line.replace(/"at":\d+/, '"at":NaN'))],
        ['d: unknown decision', replaced(1, exportLine({ ...(four[1] as StoredRecord), decision: 'perhaps' }))],
        ['no object', replaced(1, '[1]')],
        ['null', replaced(1, 'null')],
        ['deep', replaced(1, `${'['.repeat(9_000)}${']'.repeat(9_000)}`)],
      ]
      for (const [title, tampered] of cases)
        expect([title, kinds([tampered])]).toEqual([title, { breaks: [['malformed', 1]], warnings: [] }])
      const bytes = new TextEncoder().encode(content(four))
      bytes[(lines[0]?.length ?? 0) + 30] = 0xff
      expect(kinds([file(bytes)])).toEqual({ breaks: [['malformed', 1]], warnings: [] })
    },
  )

  proves(['SIG-43', 'SIG-W9'], 'a leading byte order mark is tolerated', () => {
    expect(check([file(`\ufeff${content(four)}`)])).toMatchObject({ ok: true, total: 4 })
    expect(check([file(new TextEncoder().encode(`\ufeff${content(four)}`))])).toMatchObject({ ok: true, total: 4 })
  })

  proves(['SIG-46', 'SIG-47', 'SIG-W9'], 'a null hash and a boolean instant are malformed lines, not crashes', () => {
    const line = lines[2] ?? ''
    expect(kinds([replaced(2, line.replace(/"hash":"[0-9a-f]+"/, '"hash":null'))]).breaks).toEqual([['malformed', 2]])
    expect(kinds([replaced(2, line.replace(/"at":\d+/, '"at":true'))]).breaks).toEqual([['malformed', 2]])
  })

  proves(['PRO-30h', 'FUL-W6'], 'a line without a hash is unsigned and never skipped', () => {
    const line = lines[2] ?? ''
    expect(kinds([replaced(2, line.replace(/"hash":"[0-9a-f]+",/, ''))]).breaks).toEqual([['unsigned', 2]])
    expect(kinds([replaced(2, line.replace(/"key":"[0-9a-f]+",/, ''))]).breaks).toEqual([['missing_key', 2]])
  })

  proves('T61', 'a line that shows a reader more than its hash covers is malformed', () => {
    const line = lines[1] ?? ''
    for (const tampered of [
      line.replace('{', '{"decision":"deny",'),
      line.replace('{', '{"note":"approved by the board",'),
      line.replace('{', '{ '),
      line.replace('"v":1', '"v":2'),
    ]) {
      expect(kinds([replaced(1, tampered)]).breaks).toEqual([['malformed', 1]])
    }
  })

  proves(['PRO-30l'], 'half a last line is a warning, and a failure where the anchor knew of the record', () => {
    const half = (lines[3] ?? '').slice(0, 50)
    const torn = file(`${lines.slice(0, 3).join('\n')}\n${half}`)
    const third = { size: 3, hash: four[2]?.hash ?? '' }
    expect(kinds([torn], { anchors: [third] })).toEqual({ breaks: [], warnings: ['crash_fragment'] })
    expect(kinds([torn])).toEqual({ breaks: [['truncated', 3]], warnings: ['crash_fragment'] })
    expect(kinds([file(content(four).slice(0, -1))])).toEqual({ breaks: [], warnings: [] })
  })

  proves(['PRO-30n'], 'files in rotation are one log, and a missing file is a gap', () => {
    const parts = [four.slice(0, 1), four.slice(1, 3), four.slice(3)].map((part, index) => file(content(part), `${index}.jsonl`))
    expect(check(parts)).toMatchObject({ ok: true, total: 4 })
    expect(kinds(parts.toSpliced(1, 1)).breaks[0]).toEqual(['deleted', 1])
    expect(kinds(parts.slice(1)).breaks[0]).toEqual(['missing_start', 0])
    expect(kinds(parts.toReversed()).breaks.length).toBeGreaterThan(0)
  })

  test('a problem names its file and line', () => {
    const report = check([file('{}\n', 'old.jsonl'), file(`${lines[0]}\nbroken\n`, 'new.jsonl')])
    expect(report.breaks.map(({ detail }) => detail).slice(0, 2)).toEqual([
      'old.jsonl:1: the record has no hash',
      'new.jsonl:2: the line is not JSON',
    ])
  })

  proves(['T33', 'P12'], 'each byte of an export flipped, and an export cut at each byte: noticed or unchanged', () => {
    const bytes = new TextEncoder().encode(content(four.slice(0, 2)))
    const second = { size: 2, hash: four[1]?.hash ?? '' }
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = bytes.slice()
      flipped[index] = (flipped[index] ?? 0) ^ 0x04
      expect([index, check([file(flipped)], { anchors: [second] }).ok]).toEqual([index, false])
      const cut = check([file(bytes.subarray(0, index))], { anchors: [second] })
      expect([index, cut.ok]).toEqual([index, index === bytes.length - 1])
    }
  })
})

describe('the closing line of a whole export', () => {
  const close = ({ sequence, hash }: StoredRecord) => signAnchor({ size: sequence, hash }, signer, 1)
  const whole = [...exportJsonl(four, close)]
  const verdict = (lines: readonly string[], keys = ring) => {
    const report = auditVerifyExport([file(lines.join(''))], { ring: keys, anchors: [] })
    return [report.ok, report.breaks.map(({ kind }) => kind)]
  }

  proves(['PIT-13', 'PRO-30'], 'says how long the log was, and only its key can say so', () => {
    const closing = whole.at(-1) ?? ''
    expect(verdict(whole)).toEqual([true, []])
    expect(verdict(whole.slice(0, -1))).toEqual([false, ['anchor_missing']])
    expect(verdict(whole.toSpliced(3, 1))).toEqual([false, ['truncated']])
    expect(verdict([...whole.slice(0, 3), closing.replace('"size":4', '"size":3')])).toEqual([false, ['anchor_invalid']])
    expect(verdict([...whole.slice(0, 4), closing.replace('{"anchor"', '{ "anchor"')])[0]).toBe(false)
    expect(verdict(whole, new Map())[0]).toBe(false)
    expect([...exportJsonl([], close)]).toEqual([])
  })
})
