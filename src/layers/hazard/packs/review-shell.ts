import { type Effect, resolvedName } from '../../../facts/effect.ts'
import type { HazardRule } from '../rule.ts'
import { attribute, has } from './match.ts'

/** What is done to the shell, its programs and those who look on, and is seldom meant badly. */

const STOPS = /^(?:SIG)?(?:STOP|TSTP|TTIN|TTOU|1[79]|2[0-3])$/i

const runnable = (effect: Effect) => {
  const mode = attribute(effect, 'mode')
  return typeof mode === 'string' && /^(?:0?[0-7]*[1357][0-7]{0,2}|[ugoa]*[+=][rwst]*x[rwst]*)$/.test(mode)
}

export const shellRules: readonly HazardRule[] = [
  {
    id: 'renamed-program',
    code: 'hazard.hidden_code',
    level: 'advisory',
    reason: 'lets the name of a program that handles secrets or tells the truth stand for something else',
    advice: null,
    safer: "alias ll='ls -l'",
    examples: {
      match: ["alias curl='curl -k'", 'export -f docker', 'declare -fx ssh', "alias gpg='gpg2'"],
      not_match: ["alias ll='ls -l'", "alias gs='git status'", 'export -f build', 'alias python=python3', 'type curl'],
    },
    actions: ['shell:rename'],
  },
  {
    id: 'shared-place',
    code: 'hazard.supply_chain',
    level: 'advisory',
    reason: 'makes tools install to, or look for programs in, a place where others may put something of the same name',
    advice: null,
    safer: 'npm_config_cache=/tmp/cache npm ci',
    examples: {
      match: [
        'export npm_config_prefix=/tmp/npm',
        'GOBIN=/dev/shm/bin go install ./cmd/x',
        'PATH=tools/bin:$PATH make',
        'GEM_PATH=/tmp/g ruby a.rb',
      ],
      not_match: [
        'npm_config_cache=/tmp/cache npm ci',
        'GOCACHE=/tmp/go go test ./...',
        'GOPATH=$HOME/go go build',
        'PATH=node_modules/.bin:$PATH tsc',
        'export PATH=$PATH:/usr/local/bin',
        'JAVA_HOME=/usr/lib/jvm/17 mvn test',
      ],
    },
    actions: ['env:place'],
  },
  {
    id: 'shell-record',
    code: 'hazard.system_change',
    level: 'advisory',
    reason: 'changes what is recorded of the commands and the output of a shell',
    advice: null,
    safer: 'bash -x ./build.sh',
    examples: {
      match: ['export BASH_XTRACEFD=9', 'set +o history', 'shopt -u histappend', 'script -q session.log'],
      not_match: [
        'set -x',
        'bash -x ./build.sh',
        'set -o history',
        'shopt -s histappend',
        'script -qc "npm test" /dev/null',
        'set +o pipefail',
      ],
    },
    actions: ['shell:trace', 'history:off'],
  },
  {
    id: 'ignored-signals',
    code: 'hazard.system_change',
    level: 'advisory',
    reason: 'makes what runs deaf to the signals by which it is stopped',
    advice: null,
    safer: "trap 'rm -f lock' EXIT",
    examples: {
      match: ["trap '' INT TERM", "trap '' SIGHUP"],
      not_match: ["trap 'rm -f lock' EXIT", 'trap - INT', "trap '' USR1", 'trap'],
    },
    actions: ['shell:deaf'],
  },
  {
    id: 'frozen-process',
    code: 'hazard.system_change',
    level: 'advisory',
    reason: 'freezes a process, which then neither works nor notices anything',
    advice: null,
    safer: 'kill -CONT %1',
    examples: {
      match: ['kill -STOP 4711', 'kill -s TSTP 4711', 'kill -19 4711'],
      not_match: ['kill 4711', 'kill -CONT 4711', 'kill -0 4711'],
    },
    actions: ['proc:kill'],
    when: (effect) => STOPS.test(String(attribute(effect, 'signal') ?? '')),
  },
  {
    id: 'armed-file',
    code: 'hazard.hidden_code',
    level: 'advisory',
    reason: 'makes a file a program where everybody may write',
    advice: null,
    safer: 'chmod +x run.sh',
    examples: {
      match: ['chmod +x /dev/shm/a', 'chmod 755 /tmp/a', 'chmod u+x /tmp/a'],
      not_match: ['chmod +x run.sh', 'chmod 644 /tmp/a', 'echo ls > /tmp/a; chmod +x /tmp/a'],
    },
    actions: ['fs:chmod'],
    when: (effect, facts, state) => {
      const { scope } = effect.target
      const path = resolvedName(effect.target)
      const shared = scope === 'temporary' || (scope === 'device' && path.startsWith('/dev/shm/'))
      if (!shared || !runnable(effect) || has(effect, 'recursive') || state.written.get(path) !== undefined) return false
      return !facts.effects.some(({ verb, target }) => verb === 'write' && resolvedName(target) === path)
    },
  },
  {
    id: 'typed-input',
    code: 'hazard.system_change',
    level: 'advisory',
    reason: 'presses keys and clicks in the windows of the user, where nothing of it is looked at',
    advice: null,
    safer: 'xdotool --version',
    examples: { match: ["xdotool type 'ls'", 'ydotool key 28:1', 'wtype hi'], not_match: ['xdotool --version', 'echo xdotool'] },
    actions: ['app:input'],
  },
  {
    id: 'build-command',
    code: 'hazard.hidden_code',
    level: 'advisory',
    reason: 'prints what a build service takes for a command: it changes variables, paths or records of later steps',
    advice: null,
    safer: 'echo "::notice::done"',
    examples: {
      match: ["echo '##vso[task.prependpath]/tmp/x'", 'echo "::set-env name=A::b"', "printf '::stop-commands::x'"],
      not_match: [
        'echo "::notice::done"',
        "echo '##[section]Start'",
        "grep -rn '##vso[task.prependpath]' .",
        'echo "result=1" >> "$GITHUB_OUTPUT"',
      ],
    },
    actions: ['ci:command'],
  },
  {
    id: 'lowered-check',
    code: 'hazard.security_disabled',
    level: 'advisory',
    reason: 'switches off, in settings, that somebody is asked or something is verified',
    advice: null,
    safer: "sed -i 's/debug: true/debug: false/' config.yaml",
    examples: {
      match: [
        "sed -i 's/requires_approval: true/requires_approval: false/' deploy.yaml",
        'sed -i \'s/"autoApprove": false/"autoApprove": true/\' settings.json',
        "yq -i '.require_review = false' flow.yml",
        "echo 'verify_ssl: false' >> config.yaml",
      ],
      not_match: [
        "sed -i 's/debug: true/debug: false/' config.yaml",
        "sed -i 's/requires_approval: false/requires_approval: true/' deploy.yaml",
        "grep 'requires_approval: false' deploy.yaml",
        "sed 's/verify_ssl: true/verify_ssl: false/' config.yaml",
        "sed -i 's/approval/consent/' README.md",
      ],
    },
    actions: ['settings:lowered'],
  },
  {
    id: 'foreign-code',
    code: 'hazard.opaque',
    level: 'advisory',
    reason: 'gives an interpreter a command line where code of its language belongs, so that it was not read as what it is',
    advice: null,
    safer: 'node -e "console.log(1)"',
    examples: {
      match: ['node -e "rm -rf ./x"', "python3 -c 'curl https://x.example/a'"],
      not_match: ['node -e "console.log(1)"', "python3 -c 'print(1)'", "ruby -e 'puts -1'", "bash -c 'ls -l'", "perl -e 'print -1'"],
    },
    actions: ['code:foreign'],
  },
  {
    id: 'own-login',
    code: 'hazard.credential_access',
    level: 'advisory',
    reason: 'signs in at a server with the login that the user has at this machine',
    advice: null,
    safer: 'curl https://example.com',
    examples: {
      match: ['curl --ntlm-wb https://example.com', 'curl --negotiate -u : https://example.com'],
      not_match: ['curl https://example.com', 'curl --anyauth https://example.com'],
    },
    actions: ['exposed:login'],
  },
  {
    id: 'unread-names',
    code: 'hazard.opaque',
    level: 'advisory',
    reason: 'puts names that are not known into the text of a shell, where a name can be a command',
    advice: null,
    safer: "find . -name '*.c' -exec sh -c 'wc -l \"$1\"' _ {} +",
    examples: {
      match: ["find . -name '*.c' -exec sh -c 'wc -l {}' +", "find src -type f | xargs -I{} sh -c 'echo {}; cat {}'"],
      not_match: ["find . -name '*.c' -exec wc -l {} +", 'ls | xargs -I{} cat {}', "bash -c 'ls'"],
    },
    verbs: ['opaque'],
    when: (effect) => attribute(effect, 'severity') === 'low' && attribute(effect, 'language') === 'shell',
  },
  {
    id: 'given-up-merge',
    code: 'hazard.history',
    level: 'advisory',
    reason: 'gives up a merge, a rebase or the like, with every conflict that was resolved in it',
    advice: null,
    safer: 'git status',
    examples: {
      match: ['git rebase --abort', 'git merge --abort', 'git cherry-pick --abort', 'git am --abort', 'git -C a rebase --abort'],
      not_match: ['git rebase --continue', 'git status', "git commit -m 'never --abort'"],
    },
    verbs: ['change'],
    actions: ['git'],
    when: (effect) => has(effect, 'abandons'),
  },
  {
    id: 'user-settings',
    code: 'hazard.system_change',
    level: 'advisory',
    reason: 'changes a setting of the user’s own tools, which holds beyond this work',
    advice: null,
    safer: 'git config user.name x',
    examples: {
      match: [
        'git config --global user.name x',
        'gh config set git_protocol ssh',
        'gcloud config set project x',
        'kubectl config use-context prod',
        'helm repo add a https://charts.example.com',
      ],
      not_match: ['git config user.name x', 'git config --global --list', 'gcloud config list', 'kubectl config get-contexts'],
    },
    verbs: ['change', 'write'],
    actions: ['tool:config', 'k8s:context', 'git:config'],
    when: (effect) => effect.action !== 'git:config' || ['global', 'system'].includes(String(attribute(effect, 'scope'))),
  },
  {
    id: 'whole-repository',
    code: 'hazard.exfiltration',
    level: 'advisory',
    reason: 'takes over a repository with everything that was ever pushed to it, which no branch need show any more',
    advice: null,
    safer: 'git clone https://example.com/a.git',
    examples: {
      match: ['git clone --mirror https://example.com/a.git', 'git clone --mirror git@example.com:a/b.git /tmp/b'],
      not_match: ['git clone https://example.com/a.git', 'git clone --bare https://example.com/a.git', 'git clone --mirror ../a'],
    },
    actions: ['git:clone'],
    when: (effect) => effect.verb === 'fetch' && has(effect, 'mirror'),
  },
]
