import type { Json } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { secretName } from '../../resources/secret/names.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { known, list, nameOf, refined, takes } from '../tool.ts'

/**
 * Starting containers and building images: what runs inside, and how options reach out of it: mounts of this machine's
 * files, its devices and namespaces.
 */

/** Options of `run`, `create` and `exec` with a value, of docker, podman and nerdctl. */
const RUN_OPTIONS = takes(
  '-a --attach --add-host --annotation --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent ' +
    '--cgroupns --cgroup-conf --cidfile -c --cpu-shares --cpus --cpuset-cpus --cpuset-mems --cpu-count --cpu-percent ' +
    '--cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime --device --device-cgroup-rule --device-read-bps ' +
    '--device-read-iops --device-write-bps --device-write-iops --dns --dns-option --dns-opt --dns-search --domainname ' +
    '--entrypoint -e --env --expose --gpus --group-add --health-cmd --health-interval --health-retries ' +
    '--health-start-interval --health-start-period --health-timeout -h --hostname --io-maxbandwidth --io-maxiops --ip --ip6 ' +
    '--ipc --isolation --kernel-memory -l --label --link --link-local-ip --log-driver --log-opt --mac-address -m --memory ' +
    '--memory-reservation --memory-swap --memory-swappiness --mount --name --network --net --network-alias --net-alias ' +
    '--oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime --security-opt --shm-size ' +
    '--stop-signal --stop-timeout --storage-opt --sysctl --tmpfs -u --user --ulimit --userns --uts -v --volume ' +
    '--volume-driver --volumes-from -w --workdir --detach-keys --domainname --authfile --arch --os --variant --pod ' +
    '--pod-id-file --conmon-pidfile --pidfile --creds --cert-dir --chrootdirs --decryption-key --env-merge --gidmap ' +
    '--uidmap --subgidname --subuidname --group-entry --passwd-entry --health-log-destination --health-max-log-count ' +
    '--health-max-log-size --health-on-failure --health-startup-cmd --health-startup-interval --health-startup-retries ' +
    '--health-startup-success --health-startup-timeout --hooks-dir --hosts-file --hostuser --image-volume --init-ctr ' +
    '--init-path --intel-rdt-closid --ip --label-file --personality --preserve-fd --preserve-fds --requires --retry ' +
    '--retry-delay --sdnotify --seccomp-policy --secret --shm-size-systemd --stop-timeout --systemd --timeout --tz --umask ' +
    '--unsetenv --cosign-key --verify --ipfs-address',
)
const RUN_FLAGS = list(
  '-d --detach -i --interactive -t --tty --rm --init --privileged -P --publish-all --read-only --read-only-tmpfs ' +
    '--no-healthcheck --oom-kill-disable --disable-content-trust --sig-proxy -q --quiet --replace --no-hosts --no-hostname ' +
    '--tls-verify --use-api-socket --env-host --http-proxy --passwd --rmi --rootfs --unsetenv-all --gpus-all --no-session ' +
    '--latest',
)

export const DANGEROUS_CAPABILITIES = list('ALL SYS_ADMIN SYS_PTRACE SYS_MODULE SYS_RAWIO DAC_READ_SEARCH NET_ADMIN SYS_BOOT BPF')
export const SOCKETS = list('docker.sock podman.sock containerd.sock crio.sock')

/** A host directory or file that a container gets to see. */
interface Mount {
  readonly source: Word
  readonly readOnly: boolean
}

/** `/host:/container:ro` or `name:/data`; null where it is a named volume. */
function volume(word: Word): Mount | null {
  const text = word.text ?? word.prefix
  const [source = '', , mode = ''] = text.split(':')
  if (word.text === null && !text.includes(':')) return { source: word, readOnly: false }
  if (!text.includes(':') || !['/', '.', '~'].some((start) => source.startsWith(start))) return null
  return { source: knownWord(source, word.span), readOnly: mode.split(',').includes('ro') }
}

/** `type=bind,source=/x,target=/y,readonly`; null where it is no bind of a host path. */
function mount(word: Word): Mount | null {
  const parts = (word.text ?? word.prefix).split(',')
  if (parts.includes('type=volume') || parts.includes('type=tmpfs')) return null
  const source = parts.find((part) => part.startsWith('source=') || part.startsWith('src='))
  if (source === undefined) return null
  const readOnly = parts.some((part) => /^(?:readonly|ro)(?:=(?:true|1))?$/.test(part))
  return { source: knownWord(source.slice(source.indexOf('=') + 1), word.span), readOnly }
}

/** Ways in which the options of a container reach out of it. */
function escapes(parsed: ParsedCommand): Record<string, Json> {
  const found: Record<string, Json> = {}
  if (parsed.flag('--privileged')) found.privileged = true
  const capabilities = parsed.values('--cap-add').map((word) => nameOf(word).toUpperCase().replace('CAP_', ''))
  if (capabilities.some((name) => DANGEROUS_CAPABILITIES.includes(name))) found.capabilities = capabilities
  for (const option of ['--pid', '--ipc', '--uts', '--userns', '--cgroupns'])
    if (parsed.values(option).some((word) => word.text === 'host')) found[option.slice(2)] = 'host'
  if (parsed.values('--network', '--net').some((word) => word.text === 'host')) found.network = 'host'
  if (parsed.values('--security-opt').some((word) => /unconfined|no-new-privileges[:=]false|label[:=]disable/.test(nameOf(word))))
    found.unconfined = true
  if (parsed.value('--device', '--device-cgroup-rule') !== null) found.device = parsed.values('--device').map(nameOf)
  return found
}

/** True where a container could take over the machine with these. */
function privileged(found: Readonly<Record<string, Json>>): boolean {
  return Object.keys(found).some((name) => name !== 'network')
}

/**
 * What starting a container does to this machine, whatever runs inside: mounts of host paths, privileges, devices. The
 * wrapper that analyses the inner command calls it too.
 */
export function containerRun(parsed: ParsedCommand, context: CommandContext): void {
  const found = escapes(parsed)
  if (privileged(found))
    context.emit('change', context.thing('service', 'host'), { action: 'privilege:container', reversible: false, attributes: found })
  mountsOf(parsed, context)
  for (const word of parsed.values('--env-file', '--label-file'))
    context.emit('read', context.path(word), { action: 'container:env', span: word.span })
}

/** What a container gets to see of the files of this machine. */
export function mountsOf(parsed: ParsedCommand, context: CommandContext): void {
  const mounts = [...parsed.values('-v', '--volume').map(volume), ...parsed.values('--mount').map(mount)]
  for (const item of mounts) {
    if (item === null) continue
    const name = nameOf(item.source)
    if (SOCKETS.some((socket) => name.endsWith(socket))) {
      context.emit('change', context.thing('service', 'container engine'), {
        action: 'privilege:container',
        reversible: false,
        attributes: { socket: name },
      })
      continue
    }
    context.emit(item.readOnly ? 'read' : 'write', context.path(item.source), {
      action: 'container:mount',
      span: item.source.span,
      attributes: { read_only: item.readOnly },
    })
  }
}

/** Options that reach out of the container in ways that need a look of their own. */
const REACHING = list(
  '--volumes-from --device-cgroup-rule --volume-driver --restart --hooks-dir --rootfs --cgroup-parent --runtime ' +
    '--env-file --label-file --sysctl --use-api-socket --env-host',
)

/** True where all that the container gets of the machine is directories of the workspace, and volumes of its own. */
function isContained(parsed: ParsedCommand, context: CommandContext): boolean | 'untold' {
  if (parsed.operands[0] === undefined || Object.keys(escapes(parsed)).length > 0 || parsed.flag(...REACHING)) return false
  if (parsed.value(...REACHING, '-H', '--host', '--context', '--url', '--connection') !== null) return false
  if ([...parsed.invocation.env.keys()].some((name) => /^(?:DOCKER|CONTAINER)_/.test(name))) return false
  const words = [...parsed.values('-v', '--volume'), ...parsed.values('--mount')]
  const mounts = [...parsed.values('-v', '--volume').map(volume), ...parsed.values('--mount').map(mount)]
  const inside = mounts.every((item) => {
    if (item === null) return true
    const { scope, classes } = context.path(item.source)
    return (
      scope === (item.source.text === null ? 'unknown' : 'workspace') &&
      classes.every((name) => name === 'plain' || name === 'workspace-root')
    )
  })
  return inside && [...words, parsed.operands[0]].some((word) => word.text === null) ? 'untold' : inside
}

/** An image by name; from anywhere but the local store it is fetched. */
function run(parsed: ParsedCommand, context: CommandContext): void {
  const image = parsed.operands[0]
  const contained = isContained(parsed, context)
  const attributes = {
    image: known(image),
    ...(parsed.flag('-d', '--detach') ? { detached: true } : {}),
    ...(contained === false ? {} : { contained }),
  }
  context.emit('execute', context.thing('resource', image === undefined ? 'container' : nameOf(image)), {
    action: 'container:run',
    attributes,
  })
  containerRun(parsed, context)
}

/** Runs words in a container that exists already. */
export function exec(parsed: ParsedCommand, context: CommandContext): void {
  const found = escapes(parsed)
  if (privileged(found))
    context.emit('change', context.thing('service', 'host'), { action: 'privilege:container', reversible: false, attributes: found })
  context.emit('execute', context.thing('resource', nameOf(parsed.operands[0] ?? knownWord('container', parsed.invocation.span))), {
    action: 'container:exec',
  })
  const entry = parsed.value('--entrypoint')
  const words = parsed.flag('--latest') ? parsed.operands : parsed.operands.slice(1)
  const inner = [...(entry === null ? [] : [entry]), ...(words[0]?.text === '--' ? words.slice(1) : words)]
  if (inner.length > 0)
    context.within({ attributes: { container: known(parsed.operands[0]) }, remote: true }, (inside) =>
      inside.command(inner, parsed.invocation.name),
    )
}

/** `run`; `--rootfs` of podman is a flag: the first operand is a directory. */
export const RUN: CommandSpec = {
  flags: RUN_FLAGS,
  options: { ...RUN_OPTIONS, ...takes('--env-file --label-file') },
  stopAtOperand: true,
  refine: runInside,
}

function runInside(parsed: ParsedCommand, context: CommandContext): void {
  run(parsed, context)
  const entry = parsed.value('--entrypoint')
  const words = parsed.operands.slice(1)
  const inner = [...(entry === null ? [] : [entry]), ...(words[0]?.text === '--' ? words.slice(1) : words)]
  if (inner.length > 0)
    context.within({ attributes: { container: known(parsed.operands[0]) }, remote: true }, (inside) =>
      inside.command(inner, parsed.invocation.name),
    )
}

export const EXEC: CommandSpec = {
  flags: [...RUN_FLAGS, ...list('-T --no-TTY --no-tty')],
  options: takes(
    '-e --env -u --user -w --workdir --detach-keys --index --env-file --preserve-fd --preserve-fds --cidfile --container-id-file',
  ),
  stopAtOperand: true,
  refine: exec,
}

/** Arguments of a build stand in the history of the image. A value that is empty is none. */
export function bakesSecrets(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('--build-arg')) {
    const [name = '', value] = word.prefix.split('=', 2)
    if (secretName(name) === null || (value === '' && word.text !== null)) continue
    context.emit('write', context.thing('resource', name), { action: 'container:build-secret', span: word.span, reversible: false })
  }
}

/** A build runs the steps of its file, and may push. */
function build(parsed: ParsedCommand, context: CommandContext): void {
  const where = parsed.operands[0]
  const remote = where?.prefix.includes('://') === true || where?.prefix.startsWith('git@') === true
  if (where !== undefined && remote)
    context.emit('execute', context.url(where), { action: 'code:remote', reversible: false, attributes: { by: 'docker build' } })
  else if (where !== undefined && where.text !== '-')
    context.emit('read', context.path(where), { action: 'container:build', span: where.span })
  const tag = parsed.value('-t', '--tag')
  context.emit('execute', context.thing('resource', tag === null ? 'image' : nameOf(tag)), { action: 'container:build' })
  bakesSecrets(parsed, context)
  for (const secret of parsed.values('--secret')) {
    const at = /(?:^|,)(?:src|source)=/.exec(secret.prefix)
    if (at !== null) readPath(context, sliceWord(secret, at.index + at[0].length), { action: 'container:build' })
  }
  const outputs = [...parsed.values('-o', '--output')].map(nameOf)
  if (parsed.flag('--push') || outputs.some((text) => text.includes('type=registry') || text.includes('push=true'))) {
    context.emit('publish', context.thing('resource', tag === null ? 'image' : nameOf(tag)), { action: 'docker:push' })
  }
  if (/security\.insecure|network\.host/.test(parsed.values('--allow').map(nameOf).join(' '))) {
    context.emit('change', context.thing('service', 'host'), {
      action: 'privilege:container',
      reversible: false,
      attributes: { allow: parsed.values('--allow').map(nameOf) },
    })
  }
}

export const BUILD: CommandSpec = refined(build, {
  flags: list(
    '--no-cache --pull -q --quiet --rm --force-rm --squash --squash-all --push --load --check --compress --layers ' +
      '--all-platforms -D --debug --disable-compression --force-compression --http-proxy --no-hosts --no-hostname --stdin ' +
      '--tls-verify --omit-history --skip-unused-stages --identity-label --inherit-labels',
  ),
  options: {
    ...takes(
      '-t --tag --build-arg --target --platform --network --progress --label --cache-from --cache-to --secret --ssh ' +
        '--add-host --allow --builder --shm-size --ulimit --build-context --attest --provenance --sbom --annotation --isolation ' +
        '-m --memory --format --jobs -v --volume --creds --call --cgroup-parent -c --cpu-period --cpu-quota --cpu-shares ' +
        '--cpuset-cpus --cpuset-mems --memory-swap --security-opt --no-cache-filter --policy --arch --os --os-feature ' +
        '--os-version --variant --authfile --cache-ttl --cap-add --cap-drop --cert-dir --compat-volumes --cpp-flag --cw ' +
        '--decryption-key --device --dns --dns-option --dns-search --env --unsetenv --unsetlabel --from --group-add --hooks-dir ' +
        '--ipc --pid --layer-label --manifest --retry --retry-delay --runtime --runtime-flag --sbom-scanner-image --sign-by ' +
        '--source-date-epoch --timestamp --userns --userns-gid-map --userns-uid-map --uts',
    ),
    ...takes('-f --file --ignorefile', 'read'),
    ...takes('--iidfile --metadata-file --logfile', 'write'),
    '-o': 'data',
    '--output': 'data',
  },
})
