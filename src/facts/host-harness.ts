import type { CommandContext } from './host.ts'

type Kept = Pick<
  CommandContext,
  | 'imported'
  | 'remote'
  | 'understood'
  | 'written'
  | 'broughtText'
  | 'names'
  | 'made'
  | 'watches'
  | 'brought'
  | 'variable'
  | 'assign'
  | 'isDirectory'
  | 'downloaded'
  | 'fetched'
  | 'spend'
>

/** For tests of one part alone: nobody keeps what the call did until now, so what the View says holds. */
export function nothingKept(view: CommandContext['view']): Kept {
  return {
    imported: false,
    remote: false,
    understood: () => {},
    written: () => null,
    broughtText: () => null,
    names: () => null,
    made: () => [],
    watches: () => {},
    brought: () => false,
    variable: () => null,
    assign: () => {},
    isDirectory: (real) => (view.realpath(real).type === 'directory' ? 'yes' : 'no'),
    downloaded: () => null,
    fetched: () => false,
    spend: () => true,
  }
}
