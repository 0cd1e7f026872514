import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { facts } from '../harness.ts'

/** What bash 5.2.15 ran, seen by running each with `echo` in the place of the commands: those that lost a `;`, and those that did not. */
const LOST = [
  "x=$(cat > h <<'E'; echo 1; echo 2\nbody\nE\n)",
  "x=$(cat > h <<'E'\nbody\nE\necho 1; echo 2)",
  "x=$( ( cat > h <<'E'; echo 1; echo 2\nbody\nE\n) )",
  "x=$(if true; then cat > h <<'E'; echo 1; echo 2; fi\nbody\nE\n)",
  "cat <(cat > h <<'E'; echo 1; echo 2\nbody\nE\n)",
]
const KEPT = [
  "x=$(cat > h <<'E'; echo 1\nbody\nE\n)",
  "x=$(cat > h <<'E'\nbody; body\nE\n); echo 1; echo 2",
  "x=$(cat > h <<'E' && echo 1 && echo 2\nbody\nE\n)",
  "cat > h <<'E'; echo 1; echo 2\nbody\nE\n",
  'x=$(cat > h <<< E; echo 1; echo 2)',
  'git commit -m "$(cat <<E\na; b; c\nE\n)"; git status; ls',
]

const says = (command: string): boolean => facts(command).effects.some(({ reason }) => reason?.includes('lose a `;`') === true)

describe('a here-document in a substitution', () => {
  for (const command of LOST) proves('T08', command, () => expect(says(command)).toBe(true))
  for (const command of KEPT) test(command, () => expect(says(command)).toBe(false))
})
