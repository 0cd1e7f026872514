import type { CommandSpec } from '../spec.ts'
import { COPY, LOOK, PULL, PUSH, REMOVE, STATE } from './container-parts.ts'
import { bakesSecrets, exec } from './container-run.ts'
import { does, each, list, takes } from './tool.ts'

/** Compose: many containers at once. */

/** Compose files name containers, mounts and networks; `down -v` deletes the volumes. */
const COMPOSE_EXEC: CommandSpec = {
  flags: list(
    '-T --no-TTY -d --detach --privileged --rm --no-deps --service-ports --use-aliases -i --build -q -P --quiet-pull --remove-orphans',
  ),
  options: takes('-e --env -u --user -w --workdir --index -v --volume -p --publish -l --label --name --entrypoint --cap-add'),
  stopAtOperand: true,
  refine: exec,
}
export const COMPOSE: CommandSpec = {
  flags: list('--verbose --ansi --compatibility --dry-run --all-resources'),
  options: {
    ...takes('-f --file --env-file', 'read'),
    ...takes('-p --project-name --profile --project-directory --progress --parallel -H --host -c --context'),
  },
  inert: ['--dry-run'],
  subcommands: {
    ...each(
      'up start restart create watch scale',
      does(
        { verb: 'execute', action: 'container:run', kind: 'resource', from: 0, value: 'compose' },
        {
          flags: list(
            '-d --detach --build --force-recreate --no-deps --no-recreate --no-build --no-start --remove-orphans -V --renew-anon-volumes --wait --abort-on-container-exit --quiet-pull --pull -w --watch --menu',
          ),
          options: takes('-t --timeout --scale --exit-code-from --attach --no-attach --wait-timeout'),
        },
      ),
    ),
    down: does(
      {
        verb: 'delete',
        action: 'container:remove',
        kind: 'resource',
        value: 'compose',
        reversible: true,
        when: (p) => !p.flag('-v', '--volumes'),
      },
      {
        flags: list('-v --volumes --remove-orphans'),
        options: takes('-t --timeout --rmi'),
        refine: (parsed, context) => {
          if (parsed.flag('-v', '--volumes'))
            context.emit('delete', context.thing('resource', 'compose volumes'), {
              action: 'volume:remove',
              reversible: false,
              attributes: { volumes: true },
            })
        },
      },
    ),
    rm: REMOVE,
    ...each('stop kill pause unpause', STATE),
    ...each('run exec', COMPOSE_EXEC),
    build: does(
      { verb: 'execute', action: 'container:build', kind: 'resource', from: 0, value: 'compose' },
      {
        flags: list('--no-cache --pull --push -q'),
        options: takes('--build-arg --ssh --builder -m'),
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
    ...each('ps logs config convert images top port ls events version volumes stats attach export wait', LOOK),
  },
}
