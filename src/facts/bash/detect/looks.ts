import { noteInstructions } from '../flow/fetched.ts'
import { annotateSends } from '../flow/flow.ts'
import { noteFresh } from '../flow/fresh.ts'
import { noteRebuilt } from '../flow/rebuilt.ts'
import { noteForeign, noteShown } from '../flow/secrets.ts'
import { BIN } from '../walk/which.ts'
import { noteConnectedShell } from './connected.ts'
import { annotates, type Detector, detects, type Execution, type Look } from './execution.ts'
import { noteNewKey, noteOwnLogin, noteOwnWords } from './exposed.ts'
import { noteNamesOnly } from './names.ts'
import { noteSearch, noteStore } from './seek.ts'
import { noteDeaf, noteExported, notePatched, noteRecord } from './session.ts'
import { noteSettings } from './settings.ts'
import { noteEdited, noteForeignCode, noteTold } from './told.ts'

/**
 * What every command is looked at by once it was read, in this order: each step sees what those before it added. A step that detects
 * only adds effects; one that annotates only adds attributes; the others follow where something came from, and add what comes of it.
 */

const detect = (names: string, ...detectors: readonly Detector[]) => steps(names, ...detectors.map(detects))

const steps = (names: string, ...looks: readonly Look[]): readonly (readonly [string, readonly Look[]])[] =>
  names.split(' ').map((name) => [name, looks] as const)

/** What is worth a line to a person though nothing of it is dangerous by itself, by the name of the program. */
const NOTES: ReadonlyMap<string, readonly Look[]> = new Map([
  ...steps('grep egrep fgrep awk gawk mawk', detects(noteSearch), annotates(noteNamesOnly)),
  ...detect('rg ag ack', noteSearch),
  ...steps('cut wc', annotates(noteNamesOnly)),
  ...steps('sed', detects(noteSearch), detects(noteEdited), detects(noteForeignCode), annotates(noteNamesOnly)),
  ...detect('perl', noteSearch, noteEdited, noteForeignCode),
  ...detect('jq', noteSearch, noteEdited, noteTold),
  ...detect('yq dasel crudini', noteEdited, noteTold),
  ...detect('git', noteSearch, noteTold),
  ...detect('journalctl', noteSearch),
  ...detect('pass gopass security op bw lpass rbw', noteStore),
  ...detect('echo printf print Write-Host Write-Output', noteTold, noteEdited),
  ...detect('node nodejs deno bun python python2 python3 ruby php', noteForeignCode, noteTold),
  ...detect('wget http https xh mysql mysqldump mysqladmin mariadb redis-cli zip 7z 7za 7zz unrar smbclient ftp lftp', noteOwnWords),
  ...detect('curl', noteOwnWords, noteOwnLogin),
  ...detect('openssl', noteOwnWords, noteNewKey),
  ...detect('ssh-keygen age-keygen wg minisign cosign keytool puttygen gpg step certtool mkcert dropbearkey rage-keygen', noteNewKey),
  ...steps('export declare typeset', noteExported),
  ...detect('set shopt script', noteRecord),
  ...detect('trap', noteDeaf),
  ...detect('patchelf chrpath install_name_tool', notePatched),
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
  annotates(noteForeign),
  detects(noteShown),
  annotates(noteFresh),
  annotates(noteRebuilt),
  byName,
  detects(noteConnectedShell),
  ({ site, start, invocation }) => noteInstructions(site, { start, invocation }),
  detects(noteSettings),
]

/** Looks at a command that was read. */
export function lookAt(execution: Execution): void {
  for (const look of LOOKS) look(execution)
}
