import { expect, test } from 'vitest'
import { belongs } from './owners.ts'

const CASES = [
  ['GITHUB_TOKEN', 'api.github.com', 'own'],
  ['GH_TOKEN', 'ghcr.io', 'own'],
  ['CI_GITHUB_TOKEN', 'raw.githubusercontent.com', 'own'],
  ['GITHUB_TOKEN', 'github.acme.example', 'unknown'],
  ['GITLAB_TOKEN', 'gitlab.acme.example', 'unknown'],
  ['GITHUB_TOKEN', 'github.com.x.example', 'foreign'],
  ['GITHUB_TOKEN', 'notgithub.com', 'foreign'],
  ['GITHUB_TOKEN', 'x.example', 'foreign'],
  ['NPM_TOKEN', 'registry.npmjs.org', 'own'],
  ['NPM_TOKEN', 'npm.acme.example', 'foreign'],
  ['AWS_SECRET_ACCESS_KEY', 's3.eu-central-1.amazonaws.com', 'own'],
  ['AWS_SECRET_ACCESS_KEY', 'x.example', 'foreign'],
  ['OPENAI_API_KEY', 'api.anthropic.com', 'foreign'],
  ['AZURE_OPENAI_API_KEY', 'me.openai.azure.com', 'own'],
  ['API_KEY', 'x.example', 'unknown'],
  ['TOKEN', 'x.example', 'unknown'],
  ['GITHUB_REPOSITORY', 'x.example', 'unknown'],
  ['GITHUB_TOKEN', 'registry', 'unknown'],
  ['constructor_token', 'x.example', 'unknown'],
] as const

for (const [variable, host, expected] of CASES) {
  test(`${variable} to ${host} is ${expected}`, () => expect(belongs(variable, host)).toBe(expected))
}
