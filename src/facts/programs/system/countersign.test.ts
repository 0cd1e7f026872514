import { cases } from '../table-harness.ts'

cases('the gate opens files, and tells what is in them', [
  ['countersign policy lint ~/.aws/credentials', 'read ~/.aws/credentials'],
  ['countersign policy explain ~/.aws/credentials --tool Bash', 'read ~/.aws/credentials'],
  ['countersign policy --json lint x.yaml', 'read x.yaml'],
  ['countersign policy fmt x.yaml', 'read x.yaml'],
  ['countersign policy fmt --write x.yaml', 'read x.yaml | write x.yaml'],
  ['countersign policy test ~/.ssh/id_rsa --coverage', 'read ~/.ssh/id_rsa'],
  ['countersign policy "$verb" ~/.ssh/id_rsa', 'read ~/.ssh/id_rsa'],
  ['countersign check --policy ~/.ssh/id_rsa', 'read ~/.ssh/id_rsa'],
  ['countersign check --policy=/etc/shadow', 'read /etc/shadow'],
  ['countersign replay calls.jsonl --diff other.yaml', 'read other.yaml | read calls.jsonl'],
  ['countersign import signet a.json b.json --out made.yaml', 'write made.yaml | read a.json | read b.json'],
  ['countersign judge test labelled.jsonl', 'read labelled.jsonl'],
  ['countersign audit verify export.jsonl', 'read export.jsonl'],
  ['sudo countersign policy lint /etc/shadow', 'change privilege:elevate root by=sudo | read /etc/shadow'],
  ['./bin/countersign policy lint ~/.ssh/id_rsa', 'likely execute script:unseen bin/countersign | read ~/.ssh/id_rsa'],
  ['node dist/cli/bin.js policy lint ~/.ssh/id_rsa', 'likely execute script:unseen dist/cli/bin.js | read ~/.ssh/id_rsa'],
  [
    'node ./node_modules/countersign/bin/countersign check --policy ~/.ssh/id_rsa',
    'likely execute script:unseen node_modules/countersign/bin/countersign | read ~/.ssh/id_rsa',
  ],
  [
    'npx tsx src/cli/bin.ts policy fmt ~/.ssh/id_rsa',
    'likely execute pkg:run tsx manager=npx source=registry | likely execute script:unseen src/cli/bin.ts | read ~/.ssh/id_rsa',
  ],
  ['npx countersign policy lint .env', 'likely execute pkg:run countersign manager=npx source=registry | read .env'],
])

cases('the gate says what it knows', [
  ['countersign policy lint', ''],
  ['countersign policy lint --help', ''],
  ['countersign policy explain --tool Bash', ''],
  ['countersign policy schema', ''],
  ['countersign check', ''],
  ['countersign audit search passwd', ''],
  ['countersign approvals wait apr_1', ''],
  ['countersign sessions show s-1', ''],
  ['countersign grants list --json', ''],
])
