/** What the program loads at run time: listed with a reason, pinned, with a digest, and without programs that run when it is installed. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { proves } from '../proves.ts'

interface Locked {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly link?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly dependencies: Readonly<Record<string, string>> }
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Readonly<Record<string, Locked>> }
const shipped = Object.entries(lock.packages).filter(([path, { dev, peer }]) => path !== '' && dev !== true && peer !== true)

proves('T43', 'each runtime dependency has a reason, an exact version and a digest, and none runs anything when it is installed', () => {
  const reasons = readFileSync('docs/decisions/0012-libraries-for-openid.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(reasons.toSorted()).toEqual(Object.keys(dependencies).toSorted())
  expect(Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  expect(shipped.length).toBeGreaterThan(Object.keys(dependencies).length)
  expect(shipped.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([])
})
