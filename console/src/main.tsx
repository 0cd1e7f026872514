import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import { render } from 'preact'
import { App } from './app.tsx'
import { startClock } from './state/clock.ts'
import { followInbox } from './state/inbox.ts'
import { followKeys } from './state/keys.ts'
import { followAddress } from './state/route.ts'
import { arrive } from './state/who.ts'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'
import './style/pages.css'
import './style/timeline.css'

const root = document.getElementById('app')
if (root === null) throw new Error('the page has no element `app`')
followAddress()
// A login link that is pasted into an open page changes only what stands behind `#`.
window.addEventListener('hashchange', () => {
  if (location.hash.startsWith('#login')) void arrive()
})
void arrive()
followInbox()
followKeys()
startClock()
render(<App />, root)
