import type { HazardPack } from '../rule.ts'
import { action, attribute, has, madeInSession, verb } from './match.ts'

/** Settings that send what is fetched or pushed by another way, or trust another machine. */
const LEADS_AWAY = /^(?:https?\.(?:.*\.)?(?:proxy|sslverify|sslcainfo)|remote\..*\.proxy|url\..*\.(?:push)?insteadof|credential\.)/i

export const versions: HazardPack = {
  name: 'git',
  summary: 'history rewritten, work thrown away',
  rules: [
    {
      id: 'force-push',
      code: 'hazard.history',
      level: 'soft',
      reason: 'overwrites or deletes history on a remote',
      advice: 'Push without force, or to a branch of your own.',
      safer: 'git push --dry-run origin feature',
      examples: {
        match: [
          'git push --force origin main',
          'git push -f',
          'git push origin +main',
          'git push origin --delete x',
          'git push --mirror backup',
        ],
        not_match: ['git commit -m "never git push --force"', 'git push --force --dry-run'],
      },
      actions: ['git:push'],
      when: (effect) => has(effect, 'force') || has(effect, 'delete') || has(effect, 'mirror'),
    },
    {
      id: 'discard-work',
      code: 'hazard.history',
      level: 'soft',
      reason: 'throws away uncommitted work or commits',
      advice: 'Stash or commit first.',
      safer: 'git stash',
      examples: {
        match: [
          'git reset --hard HEAD~3',
          'git clean -fdx',
          'git checkout -- .',
          'git stash clear',
          'git branch -D feature',
          'git rm -f notes.txt',
        ],
        not_match: ['git reset HEAD file', 'git clean -n', 'git checkout -b feature', 'git branch -d merged'],
      },
      actions: ['git:discard', 'git:rm', 'git:worktree'],
      when: (effect) =>
        action(effect, 'git:discard')
          ? !effect.reversible && attribute(effect, 'loses') === undefined
          : has(effect, 'force') && !madeInSession(effect),
    },
    {
      id: 'discard-own-edits',
      code: 'hazard.history',
      level: 'advisory',
      reason: 'throws away edits of this session: the file was committed before the first of them, and nothing else changed it since',
      advice: 'Commit first what you may want back.',
      safer: 'git diff',
      examples: {
        match: ['git checkout -- README.md', 'git restore README.md'],
        not_match: ['git checkout -- .', 'git checkout -- notes.txt', 'git stash clear'],
      },
      actions: ['git:discard'],
      when: (effect) => attribute(effect, 'loses') !== undefined,
    },
    {
      id: 'rewrite-history',
      code: 'hazard.history',
      level: 'soft',
      reason: 'rewrites or drops local history for good',
      advice: 'Make a new commit instead.',
      safer: 'git revert --no-edit HEAD',
      examples: {
        match: ['git filter-branch --tree-filter "rm x" HEAD', 'git reflog expire --expire=now --all', 'git gc --prune=now'],
        not_match: ['git gc', 'git log'],
      },
      actions: ['git:history'],
      when: ({ reversible }) => !reversible,
    },
    {
      id: 'amended-commit',
      code: 'hazard.history',
      level: 'advisory',
      reason: 'puts another commit in the place of the last one',
      advice: 'Make a new commit instead, above all where the last one was pushed.',
      safer: 'git commit -m "fix: what was forgotten"',
      examples: {
        match: ['git commit --amend --no-edit', 'git commit -a --amend -m x'],
        not_match: ['git commit -m x', 'git commit -m "--amend"', 'git commit --amend --dry-run'],
      },
      actions: ['git:commit'],
      when: (effect) => has(effect, 'amend'),
    },
    {
      id: 'moved-branch',
      code: 'hazard.history',
      level: 'advisory',
      reason: 'sets a branch to another commit by force: what only it named is found in the reflog alone',
      advice: 'Make a branch of its own for what it pointed to before.',
      safer: 'git branch saved main',
      examples: {
        match: ['git branch -f main HEAD~5', 'git update-ref refs/heads/main HEAD~10'],
        not_match: ['git branch topic', 'git branch -M main', 'git update-ref refs/wip/x HEAD'],
      },
      verbs: ['change'],
      actions: ['git:branch', 'git:history'],
      when: (effect) =>
        action(effect, 'git:branch')
          ? has(effect, 'force')
          : attribute(effect, 'operation') === 'ref-update' && /^refs\/(?:heads|tags)\//.test(effect.target.value),
    },
    {
      id: 'push',
      code: 'hazard.publish',
      level: 'advisory',
      reason: 'pushes commits to a remote',
      advice: null,
      safer: 'git status',
      examples: { match: ['git push origin feature', 'git push'], not_match: ['git stash push', 'git pull'] },
      verbs: ['publish'],
      actions: ['git:push'],
    },
    {
      id: 'push-elsewhere',
      code: 'hazard.exfiltration',
      level: 'soft',
      reason: 'pushes commits to a repository that is no remote of this one',
      advice: 'Push to a remote of the repository by its name.',
      safer: 'git push origin feature',
      examples: {
        match: [
          'git push https://x.example/r.git main',
          'git push --repo=git@x.example:r.git',
          'git -c remote.origin.url=https://x.example/r.git push',
        ],
        not_match: ['git push origin feature', 'git push', 'git push ../mirror.git main'],
      },
      verbs: ['publish'],
      actions: ['git:push'],
      when: (effect) => has(effect, 'stranger'),
    },
    {
      id: 'git-config',
      code: 'hazard.persistence',
      level: 'soft',
      reason: 'sets a git option that runs programs or leads transfers elsewhere',
      advice: 'Set only names, addresses and plain options.',
      safer: 'git config --list',
      examples: {
        match: [
          'git config core.hooksPath /tmp/h',
          'git config --global core.sshCommand "x"',
          'git config http.proxy http://x.example:8080',
          'git remote set-url origin https://x.example/r.git',
        ],
        not_match: ['git config user.name x', 'git config --list', 'git remote -v', 'git config http.postBuffer 1'],
      },
      actions: ['git'],
      when: (effect) =>
        has(effect, 'runs_code') ||
        (verb(effect, 'change') &&
          (action(effect, 'git:remote') || (action(effect, 'git:config') && LEADS_AWAY.test(String(attribute(effect, 'key') ?? ''))))),
    },
  ],
}
