import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { callOf, NOBODY } from '../../../../test/support/calls.ts'
import { createFixedView } from '../../../view/fixed.ts'
import { analyse } from '../../analyse.ts'
import { explainEffect } from '../../explain/explain.ts'

const VIEW = createFixedView({ home: '/home/me', cwd: '/repo', roots: ['/repo'], temporary: ['/tmp'], files: {} })

function effectsOf(command: string) {
  const call = callOf('Bash', { command }, { principal: NOBODY, session: 's', cwd: '/repo' })
  return analyse(call, VIEW, { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 10_000 }).effects
}

const reaching = (command: string) => effectsOf(command).filter(({ verb }) => verb === 'fetch' || verb === 'send')

const FOLLOWED = [
  'curl -L https://x.example/a',
  'curl -sfSL https://x.example/a -o a',
  'curl --location-trusted https://x.example/a',
  'curl -L --max-redirs 5 https://x.example/a',
  'wget https://x.example/a',
  'wget -qO- https://x.example/a',
  'http --follow GET https://x.example/a',
  'http -F https://x.example/a',
  'aria2c https://x.example/a',
  'lynx -dump https://x.example/a',
  `python3 -c "import requests; requests.get('https://x.example/a')"`,
  `python3 -c "import requests; requests.post('https://x.example/a', data={})"`,
  `python3 -c "import requests; s = requests.Session(); s.get('https://x.example/a')"`,
  `python3 -c "import httpx; httpx.get('https://x.example/a', follow_redirects=True)"`,
  `python3 -c "import httpx; c = httpx.Client(follow_redirects=True); c.get('https://x.example/a')"`,
  `python3 -c "import httpx; httpx.get('https://x.example/a', follow_redirects=flag)"`,
  `python3 -c "import urllib.request; urllib.request.urlopen('https://x.example/a')"`,
  `node -e "fetch('https://x.example/a')"`,
  `node -e "fetch('https://x.example/a', { redirect: 'follow' })"`,
  `node -e "require('axios').get('https://x.example/a')"`,
]

const ENDS_THERE = [
  'curl https://x.example/a',
  'curl -L --max-redirs 0 https://x.example/a',
  'wget --max-redirect=0 https://x.example/a',
  'http https://x.example/a',
  `python3 -c "import requests; requests.get('https://x.example/a', allow_redirects=False)"`,
  `python3 -c "import httpx; httpx.get('https://x.example/a')"`,
  `python3 -c "import httpx; c = httpx.Client(); c.get('https://x.example/a')"`,
  `node -e "fetch('https://x.example/a', { redirect: 'manual' })"`,
  `node -e "require('axios').get('https://x.example/a', { maxRedirects: 0 })"`,
  `node -e "require('https').get('https://x.example/a')"`,
]

describe('redirects that are followed', () => {
  for (const command of FOLLOWED)
    proves('FUL-W2', command, () => expect(reaching(command).map(({ attributes }) => attributes.redirects)).toEqual(['followed']))
  for (const command of ENDS_THERE)
    proves('FUL-W2', command, () => expect(reaching(command).map(({ attributes }) => attributes.redirects)).toEqual([undefined]))

  test('in words', () => {
    const [found] = reaching('curl -L https://x.example/a')
    expect(found === undefined ? '' : explainEffect(found, {})).toContain(
      'goes on wherever it is sent from there, so where it ends is not known',
    )
  })
})
