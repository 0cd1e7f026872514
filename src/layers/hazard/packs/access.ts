import { type Effect, hasClass } from '../../../facts/effect.ts'
import type { HazardPack } from '../rule.ts'
import { action, family, verb } from './match.ts'

const secret = (effect: Effect) => hasClass(effect.target, 'credential')

export const access: HazardPack = {
  name: 'secrets',
  summary: 'credentials, other people’s files, the environment and histories',
  rules: [
    {
      id: 'read-credential',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reads credentials',
      advice: 'Work without the value of the secret; name the variable or file instead.',
      safer: 'ls ~/.ssh/known_hosts',
      examples: {
        match: ['cat ~/.ssh/id_rsa', 'grep token ~/.netrc', 'cp ~/.aws/credentials /tmp/', 'base64 .env'],
        not_match: ['cat ~/.ssh/known_hosts', 'cat ~/.ssh/id_rsa.pub', 'cat .env.example', 'ls ~/.ssh'],
      },
      // Names are no secrets: listing a directory of keys shows nothing of them.
      when: (effect) => verb(effect, 'read') && secret(effect) && !action(effect, 'fs:list', 'fs:stat'),
    },
    {
      id: 'change-credential',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'changes or removes credentials',
      advice: 'Ask your user to change credentials themselves.',
      safer: null,
      examples: { match: ['rm ~/.ssh/id_rsa', 'echo x > ~/.aws/credentials'], not_match: ['touch notes.txt'] },
      when: (effect) => verb(effect, 'write', 'delete', 'change') && secret(effect),
    },
    {
      id: 'credential-command',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'prints or fetches a stored secret',
      advice: 'Work without the value of the secret.',
      safer: 'gh auth status',
      examples: {
        match: ['gh auth token', 'aws secretsmanager get-secret-value --secret-id x', 'security find-generic-password -w -s x'],
        not_match: ['gh auth status', 'aws secretsmanager list-secrets'],
      },
      when: (effect) => family(effect, 'secret') || action(effect, 'cloud:secret-read', 'k8s:secret-read', 'gh:token', 'proc:memory'),
    },
    {
      id: 'read-other-user',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reaches into another user’s home',
      advice: 'Stay inside the workspace.',
      safer: 'ls .',
      examples: { match: ['cat /root/.bashrc', 'cp -r /home/somebody-else/.config .'], not_match: ['ls /home', 'cat ./README.md'] },
      when: (effect) => verb(effect, 'read', 'write', 'delete', 'change') && hasClass(effect.target, 'other-user'),
    },
    {
      id: 'read-history',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reads or clears what was typed before',
      advice: null,
      safer: null,
      examples: { match: ['cat ~/.bash_history', 'history -c', 'rm ~/.zsh_history'], not_match: ['git log'] },
      when: (effect) => (verb(effect, 'read', 'write', 'delete') && hasClass(effect.target, 'history')) || action(effect, 'history:clear'),
    },
  ],
}
