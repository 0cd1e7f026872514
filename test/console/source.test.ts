/** What the console's source and its built files may not hold (T63), and how large they may be. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'

const ROOT = new URL('../../', import.meta.url).pathname

function files(folder: string, pattern: RegExp): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(ROOT.length), text: readFileSync(path, 'utf8') }))
}

const sources = files('console/src', /(?<!\.test)\.tsx?$/)
const built = files('dist/console', /\.(js|css|html)$/)

describe('the source', () => {
  for (const [title, pattern] of [
    ['no markup from text', /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment|DOMParser|srcdoc/],
    ['no code from text', /\beval\b|new Function|document\.write|setTimeout\(\s*['"`]/],
    ['no address from text', /javascript:|window\.open|location\.(href|assign|replace)|\bsrc=\{(?!icon\})/],
    ['no style from text', /cssText|<style|insertRule/],
    ['no other origin', /https?:\/\//],
    ['no attribute of a text chosen by somebody else', /\{\.\.\.(props|data|call|args|sheet)\}/],
  ] as const) {
    proves('T63', `${title} in any of its files`, () => {
      expect(sources.length).toBeGreaterThan(30)
      expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([])
    })
  }

  proves('T63', 'every link is built by `href`, which encodes each part, or is the one to a provider', () => {
    const links = sources.flatMap(({ path, text }) => [...text.matchAll(/\shref=(.{0,30})/g)].map(([, to = '']) => ({ path, to })))
    expect(links.length).toBeGreaterThan(10)
    expect(links.filter(({ to }) => !to.startsWith('{href([') && !to.startsWith('"/v1/login/oidc"'))).toEqual([])
  })
})

describe('what is built', () => {
  test('its scripts are at most 64 KB, compressed', () => {
    const bytes = built.filter(({ path }) => path.endsWith('.js')).reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThanOrEqual(64 * 1024)
  })

  proves('T63', 'nothing stands inline in the page, and nothing comes from elsewhere', () => {
    const page = built.find(({ path }) => path.endsWith('index.html'))?.text ?? ''
    expect(page).toContain('<div id="app">')
    expect(page).not.toMatch(/<script(?![^>]*\ssrc="\.\/)|<style|\son\w+=|https?:\/\/|\/\//)
  })

  test('no address of another machine is in it, but the names of namespaces', () => {
    const found = built.flatMap(({ text }) => text.match(/(?:https?:)?\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi) ?? [])
    expect([...new Set(found)].filter((address) => !address.endsWith('//www.w3.org'))).toEqual([])
  })

  test('the licences of its fonts go with it', () => {
    const licences = files('dist/console', /LICENSE\.txt$/)
    expect(licences.map(({ text }) => /SIL OPEN FONT LICENSE/i.test(text))).toEqual([true, true])
  })
})
