import type { Verb } from '../../effect.ts'
import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { byName, does, list, nameOf, refined, takes } from '../tool.ts'
import { composeFiles, reachOf } from './compose-file.ts'
import { COPY, LOOK, PULL, PUSH } from './parts.ts'
import { bakesSecrets, exec, mountsOf } from './run.ts'

/** Compose: many containers at once. */

/** Compose files name containers, mounts and networks; `down -v` deletes the volumes. */
const COMPOSE_EXEC: CommandSpec = {
  flags: list(
    '-T --no-TTY --no-tty -d --detach --privileged --rm --no-deps --service-ports --use-aliases -i --interactive -t --tty ' +
      '--build -q --quiet --quiet-build --quiet-pull -P --remove-orphans',
  ),
  options: takes(
    '-e --env --env-from-file -u --user -w --workdir --index -v --volume -p --publish -l --label --name --entrypoint --cap-add --cap-drop --pull',
  ),
  stopAtOperand: true,
  refine: exec,
}

/** Emits for each service that is named, or for all of them, with what is known of their reach. */
function emitEach(
  parsed: ParsedCommand,
  context: CommandContext,
  { verb, action, all }: { verb: Verb; action: string; all: string },
): void {
  const starts = action === 'container:run'
  // What is stopped or removed by the name of a project may be another one's.
  const files = starts || parsed.value('-p', '--project-name') === null ? composeFiles(parsed, context) : null
  const unknown = parsed.values('-f', '--file').some(({ text }) => text === null)
  const place = { attributes: {}, remote: false }
  context.within(files === null ? place : { ...place, files: files.map(({ path }) => path) }, (inner) => {
    const reach = files === null ? (unknown ? 'untold' : 'outside') : starts ? reachOf(files, parsed, inner) : 'inside'
    const attributes = reach === 'inside' ? { contained: true } : reach === 'untold' ? { contained: 'untold' } : {}
    const names = parsed.operands.length > 0 && verb !== 'delete' ? parsed.operands.map(nameOf) : [all]
    for (const name of names) inner.emit(verb, inner.thing('resource', name), { action, attributes, reversible: true })
  })
}

const starts = (parsed: ParsedCommand, context: CommandContext): void =>
  emitEach(parsed, context, { verb: 'execute', action: 'container:run', all: 'compose' })

const changes = (parsed: ParsedCommand, context: CommandContext): void =>
  emitEach(parsed, context, { verb: 'change', action: 'container:change', all: 'containers' })

/** Containers are made again from what the project says; what they keep in volumes is not. */
function removes(parsed: ParsedCommand, context: CommandContext): void {
  if (parsed.flag('-v', '--volumes'))
    context.emit('delete', context.thing('resource', 'compose volumes'), {
      action: 'volume:remove',
      reversible: false,
      attributes: { volumes: true },
    })
  else emitEach(parsed, context, { verb: 'delete', action: 'container:remove', all: 'compose' })
}

export const COMPOSE: CommandSpec = {
  flags: list('--verbose --compatibility --dry-run --all-resources'),
  options: {
    ...takes('-f --file --env-file', 'read'),
    ...takes('-p --project-name --profile --project-directory --progress --parallel --ansi -H --host -c --context'),
  },
  inert: ['--dry-run'],
  subcommands: byName({
    'up start restart create watch scale': refined(starts, {
      flags: list(
        '-d --detach --build --force-recreate --no-deps --no-recreate --no-build --no-start --remove-orphans -V ' +
          '--renew-anon-volumes --wait --abort-on-container-exit --quiet-pull --quiet-build --always-recreate-deps ' +
          '--attach-dependencies --abort-on-container-failure --no-color --no-log-prefix --no-attach-deps --timestamps --prune ' +
          '--no-up --quiet -w --watch --menu -y --yes',
      ),
      options: takes('-t --timeout --scale --pull --exit-code-from --attach --no-attach --wait-timeout'),
    }),
    down: refined(removes, { flags: list('-v --volumes --remove-orphans'), options: takes('-t --timeout --rmi') }),
    rm: refined(removes, { flags: list('-v --volumes -f --force -s --stop -a --all') }),
    'stop kill pause unpause': refined(changes, { flags: list('--remove-orphans'), options: takes('-t --timeout -s --signal') }),
    exec: COMPOSE_EXEC,
    run: refined((parsed, context) => {
      mountsOf(parsed, context)
      exec(parsed, context)
    }, COMPOSE_EXEC),
    build: does(
      { verb: 'execute', action: 'container:build', kind: 'resource', from: 0, value: 'compose' },
      {
        flags: list('--no-cache --pull --push -q --quiet --check --print --with-dependencies --compress --force-rm'),
        options: takes('--build-arg --ssh --builder -m --memory --progress --provenance --sbom'),
        refine: (parsed, context) => {
          bakesSecrets(parsed, context)
          if (parsed.flag('--push')) context.emit('publish', context.thing('resource', 'compose'), { action: 'docker:push' })
        },
      },
    ),
    push: PUSH,
    publish: PUSH,
    pull: PULL,
    cp: COPY,
    'ps logs config convert images top port ls events version volumes stats attach export wait': LOOK,
  }),
}
