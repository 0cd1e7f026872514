import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { reachUrl } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, list, nameOf, refined, takes, tool } from '../tool.ts'
import { COMMANDS, GLOBAL } from './commands.ts'
import { COMPOSE } from './compose.ts'
import { act, LOGIN, LOOK, PULL, PUSH, STATE } from './parts.ts'
import { BUILD, RUN } from './run.ts'

/** Containers: docker, podman, nerdctl, buildah, skopeo, compose and registry tools. */

/** `-H tcp://host`, `DOCKER_HOST=…`: another machine is asked. */
function elsewhere(parsed: ParsedCommand, context: CommandContext): void {
  const { env } = parsed.invocation
  const host = parsed.value('-H', '--host', '--url') ?? env.get('DOCKER_HOST') ?? env.get('CONTAINER_HOST') ?? null
  if (host !== null && !/^(?:unix|npipe|fd):/.test(host.prefix)) reachUrl(context, host, { verb: 'fetch', action: 'net:contact' })
}

const manages = (name: string) =>
  tool(name, {
    everywhere: elsewhere,
    ...GLOBAL,
    subcommands: COMMANDS,
  })

/** skopeo copies between registries and directories: the destination decides. */
const SKOPEO_COPY: CommandSpec = refined(
  (parsed, context) => {
    const [from, to] = parsed.operands
    if (from !== undefined) context.emit('fetch', context.thing('resource', nameOf(from)), { action: 'container:pull', span: from.span })
    if (to === undefined) return
    const place = to.text ?? to.prefix
    const registry = place.startsWith('docker://') || parsed.value('--dest')?.text === 'docker' || (to.text === null && to.prefix === '')
    if (registry) context.emit('publish', context.thing('resource', nameOf(to)), { action: 'docker:push', span: to.span })
    else context.emit('write', context.path(knownWord(place.slice(place.indexOf(':') + 1), to.span)), { action: 'container:save' })
  },
  {
    flags: list('-a --all -q --quiet --remove-signatures --src-tls-verify --dest-tls-verify --scoped --dry-run -f --preserve-digests'),
    options: takes('--src-creds --dest-creds --src-authfile --dest-authfile --authfile --format --sign-by --src --dest -s -d'),
  },
)

const skopeo = tool('container', {
  subcommands: byName({
    'copy sync': SKOPEO_COPY,
    'inspect list-tags manifest-digest standalone-verify': does(
      { verb: 'fetch', action: 'container:read', kind: 'resource', at: 0 },
      { flags: list('--raw --config --tls-verify'), options: takes('--creds --authfile') },
    ),
    delete: act('delete docker:delete', { reversible: false }),
    'login logout': LOGIN,
  }),
})

const buildah = tool('container', {
  ...GLOBAL,
  subcommands: byName({
    ...COMMANDS,
    'bud build-using-dockerfile': BUILD,
    'from config add copy commit mount unmount manifest': STATE,
    run: RUN,
  }),
})

const crane = tool('container', {
  subcommands: byName({
    'push append mutate rebase tag': PUSH,
    copy: SKOPEO_COPY,
    cp: SKOPEO_COPY,
    delete: act('delete docker:delete', { reversible: false }),
    'pull export': PULL,
    'ls manifest config digest catalog blob validate': LOOK,
    auth: {
      subcommands: {
        login: LOGIN,
        logout: LOGIN,
        get: does({ verb: 'read', action: 'secret:read', kind: 'account', at: 0, value: 'registry' }),
      },
    },
  }),
})

export const containers: CommandTable = byName({
  docker: manages('container'),
  podman: manages('container'),
  nerdctl: manages('container'),
  'docker-compose podman-compose': tool('container', COMPOSE),
  buildah,
  skopeo,
  'crane gcrane regctl oras': crane,
})
