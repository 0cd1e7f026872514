import type { Follower } from './follow.ts'
import { linesOfXml } from './lines.ts'
import type { Loader } from './load.ts'
import { filesBelow } from './walk.ts'

/** Gradle, Maven and MSBuild: build scripts and what they are told to run. */

const SCRIPTS = ['settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts', 'init.gradle']
const MAX_PROJECTS = 40

export const gradle: Follower = ({ loader, context, words }) => {
  for (const name of SCRIPTS) loader.load(name, 'java')
  const settings = SCRIPTS.slice(0, 2)
    .map((name) => (loader.isThere(name) ? (loader.text(name) ?? '') : ''))
    .join('\n')
  const named = [...settings.matchAll(/["']:?([\w.:-]{1,80})["']/g)].map(([, name = '']) => name.replaceAll(':', '/'))
  for (const project of new Set(['buildSrc', ...named.slice(0, MAX_PROJECTS)]))
    for (const name of ['build.gradle', 'build.gradle.kts']) loader.load(`${project}/${name}`, 'java')
  for (const place of ['buildSrc/src', 'gradle', 'build-logic']) {
    const path = loader.path(place)
    if (path !== null) for (const file of filesBelow(path, context, (name) => /\.gradle(?:\.kts)?$/.test(name))) loader.load(file, 'java')
  }
  wrapper(loader)
  if (words.some((word) => /(?:^|:)(?:test|check|build|\w*Test)$/.test(word)))
    sources(loader, ['src/test', ...named.map((name) => `${name}/src/test`)])
}

/** Hosts from which the wrappers of Gradle and Maven fetch what they run. */
const OFFICIAL: ReadonlySet<string> = new Set([
  ...['services.gradle.org', 'downloads.gradle.org', 'repo.maven.apache.org', 'repo1.maven.org', 'repo.maven.org'],
  ...['archive.apache.org', 'dlcdn.apache.org', 'downloads.apache.org'],
])

/** A distribution from anywhere else is a program that comes from there, unless a digest pins it or the project gets its packages there, too. */
function wrapper(loader: Loader): void {
  for (const file of ['gradle/wrapper/gradle-wrapper.properties', '.mvn/wrapper/maven-wrapper.properties']) {
    const text = loader.isThere(file) ? (loader.text(file) ?? '') : ''
    if (/^(?:distribution|wrapper)Sha256Sum\s*=\s*[\da-f]{64}\s*$/im.test(text)) continue
    for (const [, address = ''] of text.replaceAll('\\', '').matchAll(/^(?:distributionUrl|wrapperUrl)\s*=\s*(\S+)/gm)) {
      const host = /^https?:\/\/(?:[^/@]*@)?([^/:]+)/.exec(address)?.[1]
      if (host !== undefined && !OFFICIAL.has(host) && !isOwn(host, loader)) loader.remote(file, address)
    }
  }
}

/** The host of a remote of the repository or of a place that build files name, or one of the same owner. */
function isOwn(host: string, loader: Loader): boolean {
  const { view, cwd } = loader.context
  const owner = host.split('.').slice(-2).join('.')
  const remotes = Object.values(view.git(cwd ?? '/')?.remotes ?? {}).filter(
    (remote) => !/github\.com|gitlab\.com|bitbucket\.org/.test(remote),
  )
  return [...remotes, ...[...SCRIPTS, 'pom.xml'].map((name) => (loader.isThere(name) ? (loader.text(name) ?? '') : ''))].some(
    (text) => text.includes(`//${host}`) || text.includes(`.${owner}/`) || text.includes(`@${owner}:`),
  )
}

/** Tests in Java, Kotlin and Groovy. */
function sources(loader: Loader, places: readonly string[]): void {
  for (const place of places) {
    const path = loader.path(place)
    if (path === null) continue
    for (const file of filesBelow(path, loader.context, (name) => /\.(?:java|kt|groovy)$/.test(name))) loader.load(file, 'java')
  }
}

export const maven: Follower = ({ loader, words }) => {
  wrapper(loader)
  const root = loader.isThere('pom.xml') ? (loader.text('pom.xml') ?? '') : ''
  const modules = [...root.matchAll(/<module>([\w./-]{1,200})<\/module>/g)].map(([, name = '']) => name).slice(0, MAX_PROJECTS)
  for (const module of ['.', ...modules]) {
    const file = `${module}/pom.xml`
    const text = loader.isThere(file) ? (loader.text(file) ?? '') : ''
    loader.lines(file, linesOfXml(text))
  }
  if (words.some((word) => /^(?:test|verify|package|install)$/.test(word)))
    sources(loader, ['src/test', ...modules.map((name) => `${name}/src/test`)])
}

export const ant: Follower = ({ loader }) => {
  loader.lines('build.xml', linesOfXml(loader.text('build.xml') ?? ''))
}

const PROJECT = /\.(?:csproj|fsproj|vbproj|proj|sln|targets|props)$/

export const dotnet: Follower = ({ loader, context, operands }) => {
  if (!/^(?:build|test|run|publish|pack|restore|msbuild|watch|clean)$/.test(operands[0] ?? '')) return
  const root = loader.path('.')
  if (root === null) return
  for (const file of filesBelow(root, context, (name) => PROJECT.test(name))) {
    loader.lines(file, linesOfXml(loader.text(file) ?? ''))
  }
}
