/** Who may ask for an analysis reads no secrets by it. */
import { describe, expect } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { createFixedView } from '../../view/fixed.ts'
import { withoutCredentials } from './effects.ts'

const FILES = {
  '/home/u/.aws/credentials': 'secret',
  '/home/u/.ssh/id_rsa': 'secret',
  '/home/u/.netrc': 'secret',
  '/home/u/p/.env': 'secret',
  '/home/u/p/run.sh': 'echo',
  '/home/u/p/src/index.ts': 'echo',
}
const view = withoutCredentials(
  createFixedView({ home: '/home/u', cwd: '/home/u/p', files: FILES, links: { '/home/u/p/link': '/home/u/.netrc' } }),
)

describe('the view of `countersign effects`', () => {
  for (const [path, seen] of [
    ['/home/u/.aws/credentials', false],
    ['/home/u/.ssh/id_rsa', false],
    ['/home/u/.netrc', false],
    ['/home/u/p/.env', false],
    ['/home/u/p/link', false],
    ['/home/u/p/../.netrc', false],
    ['/home/u/p/run.sh', true],
    ['/home/u/p/src/index.ts', true],
  ] as const) {
    proves(['T60', 'T22'], `reads ${seen ? '' : 'nothing of '}${path}`, () => expect(view.read(path, 100) !== null).toBe(seen))
  }
})
