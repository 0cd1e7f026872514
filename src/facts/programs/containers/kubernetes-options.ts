import type { CommandSpec } from '../../host.ts'
import { list, takes } from '../tool.ts'

/** Options that every client of a cluster takes. */

export const GLOBAL_OPTIONS = takes(
  '-n --namespace --context --cluster --kubeconfig --user --as --as-group --as-uid -s --server --token ' +
    '--certificate-authority --client-certificate --client-key --request-timeout --tls-server-name -v --v --cache-dir ' +
    '--profile --profile-output --username --password --log-file --match-server-version-timeout',
)
export const GLOBAL: CommandSpec = {
  options: GLOBAL_OPTIONS,
  flags: list('--insecure-skip-tls-verify --disable-compression --warnings-as-errors --match-server-version'),
}
