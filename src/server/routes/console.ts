/** The console's files. They were read when the server began: no path of a request ever reaches the disk. */
import type { ServerParts } from '../parts.ts'
import { refused } from '../reply.ts'
import { type Route, route } from '../route.ts'

export function consoleRoutes({ assets }: ServerParts): readonly Route[] {
  const serve = (name: string, etag: string | undefined): ReturnType<Route['handle']> => {
    const asset = assets.get(name)
    if (asset === undefined) {
      const message = name === 'index.html' ? 'the console was not built; run `npm run build`' : 'there is no such file'
      return refused(404, { code: 'http.not_found', message })
    }
    // Names below `assets/` hold a digest of what is in them.
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    const headers = { 'content-type': asset.type, 'cache-control': cache, etag: asset.etag }
    return etag === asset.etag ? new Response(null, { status: 304, headers }) : new Response(asset.bytes, { status: 200, headers })
  }
  const file = (path: string, summary: string, nameOf: (name: string) => string): Route =>
    route({
      method: 'GET',
      path,
      tag: 'console',
      summary,
      who: 'anyone',
      answers: {
        200: { description: 'the file', type: 'text/html' },
        304: { description: 'as you have it' },
        404: { description: 'no such file' },
      },
      handle: ({ context, param }) => serve(nameOf(param('name')), context.req.header('if-none-match')),
    })
  return [file('/', 'The console', () => 'index.html'), file('/assets/{name}', 'A file of the console', (name) => `assets/${name}`)]
}
