import { BIN } from '../walk/which.ts'
import { noteNewKey, noteOwnLogin, noteOwnWords } from './exposed.ts'
import { noteNamesOnly } from './names.ts'
import type { Noted } from './noted.ts'
import { noteSearch, noteStore } from './seek.ts'
import { noteDeaf, noteExported, notePatched, noteRecord } from './session.ts'
import { noteEdited, noteForeignCode, noteTold } from './told.ts'

/** What is worth a line to a person though nothing of it is dangerous by itself: told of programs by name, after they were read. */

type Note = (noted: Noted) => void

const each = (names: string, ...notes: readonly Note[]): readonly (readonly [string, readonly Note[]])[] =>
  names.split(' ').map((name) => [name, notes] as const)

const NOTES: ReadonlyMap<string, readonly Note[]> = new Map([
  ...each('grep egrep fgrep awk gawk mawk', noteSearch, noteNamesOnly),
  ...each('rg ag ack', noteSearch),
  ...each('cut wc', noteNamesOnly),
  ...each('sed', noteSearch, noteEdited, noteForeignCode, noteNamesOnly),
  ...each('perl', noteSearch, noteEdited, noteForeignCode),
  ...each('jq', noteSearch, noteEdited, noteTold),
  ...each('yq dasel crudini', noteEdited, noteTold),
  ...each('git', noteSearch, noteTold),
  ...each('journalctl', noteSearch),
  ...each('pass gopass security op bw lpass rbw', noteStore),
  ...each('echo printf print Write-Host Write-Output', noteTold, noteEdited),
  ...each('node nodejs deno bun python python2 python3 ruby php', noteForeignCode, noteTold),
  ...each('wget http https xh mysql mysqldump mysqladmin mariadb redis-cli zip 7z 7za 7zz unrar smbclient ftp lftp', noteOwnWords),
  ...each('curl', noteOwnWords, noteOwnLogin),
  ...each('openssl', noteOwnWords, noteNewKey),
  ...each('ssh-keygen age-keygen wg minisign cosign keytool puttygen gpg step certtool mkcert dropbearkey rage-keygen', noteNewKey),
  ...each('export declare typeset', noteExported),
  ...each('set shopt script', noteRecord),
  ...each('trap', noteDeaf),
  ...each('patchelf chrpath install_name_tool', notePatched),
])

/** Says of the program what a person may want to see. */
export function note(noted: Noted): void {
  const notes = NOTES.get(noted.invocation.name)
  if (notes === undefined) return
  // A file of the same name is another program.
  const path = noted.invocation.program.text ?? ''
  if (path.includes('/') && !BIN.test(path)) return
  for (const tell of notes) tell(noted)
}
