import { reportInstructions } from '../flow/fetched.ts'
import { annotateSends } from '../flow/flow.ts'
import { reportFresh } from '../flow/fresh.ts'
import { reportRebuilt } from '../flow/rebuilt.ts'
import { reportForeign, reportShown } from '../flow/secrets.ts'
import { BIN } from '../walk/which.ts'
import { reportChosen } from './chosen.ts'
import { reportChosenService } from './chosen-service.ts'
import { reportConnectedShell } from './connected.ts'
import { reportEdited, reportEmbeddedInstructions, reportForeignCode } from './embedded-instructions.ts'
import { annotates, type Detector, detects, type Execution, type Look } from './execution.ts'
import { reportNewKey, reportOwnLogin, reportOwnWords } from './exposed.ts'
import { reportNamesOnly } from './names.ts'
import { reportOwnFound, reportOwnProcesses } from './own-processes.ts'
import { reportSearch, reportStore } from './seek.ts'
import { reportDeaf, reportExported, reportPatched, reportRecord } from './session.ts'
import { reportSettings } from './settings.ts'

/**
 * What every command is looked at by once it was read, in this order: each step sees what those before it added. A step that detects
 * only adds effects; one that annotates only adds attributes; the others follow where something came from, and add what comes of it.
 */

const detect = (names: string, ...detectors: readonly Detector[]) => steps(names, ...detectors.map(detects))

const steps = (names: string, ...looks: readonly Look[]): readonly (readonly [string, readonly Look[]])[] =>
  names.split(' ').map((name) => [name, looks] as const)

/** What is worth a line to a person though nothing of it is dangerous by itself, by the name of the program. */
const NOTES: ReadonlyMap<string, readonly Look[]> = new Map([
  ...steps('grep egrep fgrep awk gawk mawk', detects(reportSearch), annotates(reportNamesOnly)),
  ...detect('rg ag ack', reportSearch),
  ...steps('cut wc', annotates(reportNamesOnly)),
  ...steps('sed', detects(reportSearch), detects(reportEdited), detects(reportForeignCode), annotates(reportNamesOnly)),
  ...detect('perl', reportSearch, reportEdited, reportForeignCode),
  ...detect('jq', reportSearch, reportEdited, reportEmbeddedInstructions),
  ...detect('yq dasel crudini', reportEdited, reportEmbeddedInstructions),
  ...detect('git', reportSearch, reportEmbeddedInstructions),
  ...detect('journalctl', reportSearch),
  ...detect('pass gopass security op bw lpass rbw', reportStore),
  ...detect('echo printf print Write-Host Write-Output', reportEmbeddedInstructions, reportEdited),
  ...detect('node nodejs deno bun python python2 python3 ruby php', reportForeignCode, reportEmbeddedInstructions),
  ...detect('wget http https xh mysql mysqldump mysqladmin mariadb redis-cli zip 7z 7za 7zz unrar smbclient ftp lftp', reportOwnWords),
  ...detect('curl', reportOwnWords, reportOwnLogin),
  ...steps('openssl', detects(reportOwnWords), detects(reportNewKey), annotates(reportNamesOnly)),
  ...detect('ssh-keygen age-keygen wg minisign cosign keytool puttygen gpg step certtool mkcert dropbearkey rage-keygen', reportNewKey),
  ...steps('export declare typeset', reportExported),
  ...detect('set shopt script', reportRecord),
  ...steps('pkill killall', annotates(reportOwnProcesses)),
  ...steps('kill', annotates(reportOwnFound)),
  ...detect('trap', reportDeaf),
  ...steps('rm unlink shred', annotates(reportChosen)),
  ...detect('patchelf chrpath install_name_tool', reportPatched),
])

/** The looks for a program by its name. A file of the same name is another program. */
function byName(execution: Execution): void {
  const { name, program } = execution.invocation
  const looks = NOTES.get(name)
  const path = program.text ?? ''
  if (looks === undefined || (path.includes('/') && !BIN.test(path))) return
  for (const look of looks) look(execution)
}

const LOOKS: readonly Look[] = [
  ({ site, sending }) => annotateSends(site, sending),
  annotates(reportForeign),
  detects(reportShown),
  annotates(reportFresh),
  annotates(reportRebuilt),
  byName,
  detects(reportConnectedShell),
  ({ site, start, invocation }) => reportInstructions(site, { start, invocation }),
  detects(reportSettings),
  detects(reportChosenService),
]

/** Looks at a command that was read. */
export function lookAt(execution: Execution): void {
  for (const look of LOOKS) look(execution)
}
