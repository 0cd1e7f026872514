import { describe, expect, test } from 'vitest'
import { git } from '../git/git.ts'
import { record, shown } from '../harness.ts'
import { clouds } from './clouds.ts'
import { infrastructure } from './infrastructure.ts'
import { provisioning } from './provisioning.ts'
import { operationOf } from './verbs.ts'

const TABLES = [clouds, infrastructure, provisioning, git]
const effects = (line: string) => shown(TABLES, line)

describe('operationOf', () => {
  const WORDS: readonly (readonly [string, string | null])[] = [
    ['describe-instances', 'read'],
    ['list', 'read'],
    ['get-object', 'read'],
    ['batch-get-item', 'read'],
    ['batch-delete-image', 'delete'],
    ['admin-get-user', 'read'],
    ['admin-list-devices', 'read'],
    ['admin-delete-user', 'delete'],
    ['admin-frobnicate', null],
    ['terminate-instances', 'delete'],
    ['create-bucket', 'create'],
    ['put-object', 'create'],
    ['update-stack', 'update'],
    ['modify-db-instance', 'update'],
    ['frobnicate', null],
    ['constructor', null],
    ['', null],
  ]
  for (const [word, expected] of WORDS) test(word, () => expect(operationOf(word)).toBe(expected))
})

const CLOUDS: readonly (readonly [string, readonly string[]])[] = [
  ['aws sts get-caller-identity', ['fetch cloud:read sts']],
  ['aws ec2 describe-instances --filters x', ['fetch cloud:read ec2']],
  ['aws --profile p --region r ec2 describe-instances', ['fetch cloud:read ec2']],
  ['aws ec2 terminate-instances --instance-ids i-1', ['delete cloud:delete i-1 !']],
  ['aws ec2 terminate-instances --dry-run --instance-ids i-1', ['fetch cloud:read i-1']],
  ['aws ec2 run-instances --image-id ami', ['change cloud:create ami']],
  ["aws athena start-query-execution --query-string 'SELECT a FROM t'", ['fetch cloud:read athena']],
  ["aws athena start-query-execution --query-string 'SHOW TABLES'", ['fetch cloud:read athena']],
  ["aws athena start-query-execution --query-string 'WITH x AS (SELECT 1) SELECT * FROM x'", ['fetch cloud:read athena']],
  ["aws athena start-query-execution --query-string 'DROP TABLE t'", ['change cloud:update athena']],
  ["aws athena start-query-execution --query-string 'SELECT 1; DELETE FROM t'", ['change cloud:update athena']],
  ["aws athena start-query-execution --query-string 'UNLOAD (SELECT a FROM t) TO s3://b/'", ['change cloud:update athena']],
  ['aws athena start-query-execution --query-string', ['change cloud:update athena']],
  ["aws rds-data execute-statement --sql 'select 1'", ['fetch cloud:read rds-data']],
  ["aws rds-data execute-statement --sql 'update t set a = 1'", ['change cloud:update rds-data']],
  ['aws cognito-idp admin-get-user --username ann', ['fetch cloud:read cognito-idp']],
  ['aws s3 ls', ['fetch cloud:read s3']],
  ['aws s3 rm s3://b --recursive', ['delete cloud:delete s3://b !']],
  ['aws --region r s3 rm s3://b/x', ['delete cloud:delete s3://b/x !']],
  ['aws s3 rm s3://b --recursive --dryrun', ['fetch cloud:read s3://b']],
  ['aws s3 rb s3://b --force', ['delete cloud:delete s3://b !']],
  ['aws s3 cp a.txt s3://b/a', ['read cloud:upload a.txt', 'send cloud:upload s3://b/a !']],
  ['aws s3 cp s3://b/a a.txt', ['fetch cloud:read s3://b/a', 'write cloud:download a.txt']],
  ['aws s3 cp s3://b/a -', ['fetch cloud:read s3://b/a']],
  ['aws s3 sync . s3://b --delete', ['read cloud:upload .', 'send cloud:upload s3://b !', 'delete cloud:delete s3://b !']],
  ['aws s3 mv s3://a/x s3://b/x', ['fetch cloud:read s3://a/x', 'send cloud:upload s3://b/x !', 'delete cloud:delete s3://a/x !']],
  ['aws s3api delete-bucket --bucket b', ['delete cloud:delete b !']],
  ['aws s3api put-bucket-policy --bucket b --policy file://p.json', ['read cloud:file p.json', 'change cloud:iam b']],
  ['aws iam list-users', ['fetch cloud:read iam']],
  ['aws iam attach-user-policy --user-name u --policy-arn x', ['change cloud:iam u']],
  ['aws iam create-access-key --user-name u', ['read cloud:secret-read u', 'change cloud:iam u']],
  ['aws secretsmanager get-secret-value --secret-id x', ['read cloud:secret-read x']],
  ['aws secretsmanager list-secrets', ['fetch cloud:read secretsmanager']],
  ['aws ssm get-parameter --name /x', ['fetch cloud:read /x']],
  ['aws ssm get-parameter --name /x --with-decryption', ['read cloud:secret-read /x']],
  ['aws ecr get-login-password', ['read cloud:secret-read ecr']],
  ['aws sts assume-role --role-arn r', ['read cloud:secret-read sts']],
  ['aws cloudtrail stop-logging --name t', ['change security:disable t']],
  ['aws sns publish --topic-arn t --message hi', ['send message:send t !']],
  ['aws lambda invoke --function-name f out.json', ['change cloud:update f']],
  ['aws logs tail /x --follow', ['fetch cloud:read logs']],
  ['aws configure list', ['read tool:config profile']],
  ['aws configure get aws_secret_access_key', ['read cloud:secret-read aws_secret_access_key']],
  ['aws configure set region x', ['change tool:auth region']],
  ['aws ec2 run-instances --generate-cli-skeleton input', ['fetch cloud:read ec2']],
  ['aws ec2 help', ['execute tool:help aws']],
  ['aws ec2 frobnicate', ['execute cloud:unknown ec2']],
  ['aws cloudformation delete-stack --stack-name s', ['delete cloud:delete s !']],
  ['gcloud compute instances list', ['fetch cloud:read compute']],
  ['gcloud compute instances delete x --zone z', ['delete cloud:delete x !']],
  ['gcloud --project p beta compute instances create x', ['change cloud:create x']],
  ['gcloud projects describe p', ['fetch cloud:read p']],
  ['gcloud projects add-iam-policy-binding p --member m --role r', ['change cloud:iam p']],
  ['gcloud projects get-iam-policy p', ['fetch cloud:read p']],
  ['gcloud secrets versions access latest --secret s', ['read cloud:secret-read access']],
  ['gcloud auth print-access-token', ['read cloud:secret-read auth']],
  ['gcloud auth login', ['change tool:auth auth']],
  ['gcloud auth list', ['read tool:status auth']],
  ['gcloud config set project p', ['change tool:config project']],
  ['gcloud config list', ['read tool:config config']],
  ['gcloud app deploy --version v1', ['publish cloud:deploy app !']],
  ['gcloud run deploy web --image i', ['publish cloud:deploy web !']],
  ['gcloud container clusters get-credentials c', ['change k8s:context c']],
  ['gcloud storage rm -r gs://b', ['delete cloud:delete gs://b !']],
  ['gcloud storage cp a.txt gs://b/a', ['read cloud:upload a.txt', 'send cloud:upload gs://b/a !']],
  ['gsutil -m rm -r gs://b', ['delete cloud:delete gs://b !']],
  ['gsutil cp a gs://b/a', ['read cloud:upload a', 'send cloud:upload gs://b/a !']],
  ['gsutil rsync -d a gs://b', ['read cloud:upload a', 'send cloud:upload gs://b !', 'delete cloud:delete gs://b !']],
  ['gsutil ls', ['fetch cloud:read storage']],
  ['gsutil iam ch x gs://b', ['change cloud:iam ch']],
  ['bq ls', ['fetch cloud:read bigquery']],
  ['bq rm -f d.t', ['delete cloud:delete d.t !']],
  ['az vm list -o table', ['fetch cloud:read vm']],
  ['az vm list --aggregation average', ['fetch cloud:read vm']],
  ['az upgrade --yes', ['change pkg:upgrade upgrade']],
  ['az vm delete list', ['delete cloud:delete vm !']],
  ['az group delete show -y', ['delete cloud:delete group !']],
  ['az vm show delete', ['fetch cloud:read vm']],
  ['az group delete -n x --yes', ['delete cloud:delete x !']],
  ['az vm create -n x -g y --image z', ['change cloud:create x']],
  ['az vm deallocate -n x', ['change cloud:update x']],
  ['az keyvault secret show --vault-name v -n s', ['read cloud:secret-read s']],
  ['az keyvault secret list --vault-name v', ['fetch cloud:read v']],
  ['az account get-access-token', ['read cloud:secret-read account']],
  ['az role assignment create --assignee a --role r', ['change cloud:iam role']],
  ['az ad sp create-for-rbac -n x', ['read cloud:secret-read x', 'change cloud:iam x']],
  ['az login', ['change tool:auth login']],
  ['az storage blob upload -f a.txt -c c -n b', ['read cloud:upload a.txt', 'send cloud:upload b !']],
  ['az rest --method get --url https://m.example/x', ['fetch cloud:request https://m.example/x', 'fetch cloud:read https://m.example/x']],
  ['az rest -m DELETE -u https://m.example/x', ['send cloud:request https://m.example/x !', 'delete cloud:delete https://m.example/x !']],
  ['az webapp deploy -n x --src-path y', ['publish cloud:deploy x !']],
  ['az deployment group what-if -g x', ['fetch cloud:read x']],
  ['az vm frobnicate', ['execute cloud:unknown vm']],
  ['doctl compute droplet list', ['fetch cloud:read compute']],
  ['doctl compute droplet delete x', ['delete cloud:delete x !']],
  ['fly deploy', ['publish pages:deploy deploy !']],
  ['fly -a web secrets set A=b', ['change cloud:update A=b']],
  ['fly secrets list', ['fetch cloud:read secrets']],
  ['flyctl apps destroy web', ['delete cloud:delete web !']],
  ['fly status', ['fetch cloud:read status']],
  ['heroku logs --tail -a web', ['fetch cloud:read web']],
  ['heroku config -a web', ['read cloud:secret-read web']],
  ['heroku config:set A=b', ['change cloud:update A=b']],
  ['heroku apps:destroy web --confirm web', ['delete cloud:delete web !']],
  ['heroku pg:reset -a web', ['delete cloud:delete web !']],
  ['heroku apps:create web', ['change cloud:create web']],
  ['heroku apps', ['fetch cloud:read apps']],
  ['vercel', ['publish pages:deploy vercel !']],
  ['vercel --prod', ['publish pages:deploy vercel !']],
  ['vercel ls', ['fetch cloud:read ls']],
  ['vercel env pull', ['read cloud:secret-read env']],
  ['vercel dev', ['execute dev:run vercel']],
  ['netlify deploy --prod', ['publish pages:deploy deploy !']],
  ['netlify status', ['fetch cloud:read status']],
  ['netlify sites:delete x', ['delete cloud:delete x !']],
  ['wrangler deploy', ['publish pages:deploy deploy !']],
  ['wrangler deploy --dry-run', []],
  ['wrangler pages deploy dist', ['publish pages:deploy dist !']],
  ['wrangler dev', ['execute dev:run cloudflare']],
  ['wrangler secret put X', ['change cloud:update X']],
  ['firebase deploy --only hosting', ['publish pages:deploy deploy !']],
  ['firebase firestore:delete -r /x', ['delete cloud:delete firestore !']],
  ['firebase emulators:start', ['execute dev:run firebase']],
  ['supabase db push', ['change cloud:update db']],
  ['supabase db reset --linked', ['delete cloud:delete db !']],
  ['supabase start', ['execute dev:run supabase']],
  ['railway up', ['publish pages:deploy up !']],
  ['surge dist x.example', ['read - dist', 'publish pages:deploy x.example']],
]

describe('clouds', () => {
  for (const [line, expected] of CLOUDS) test(line, () => expect(effects(line)).toEqual(expected))

  test('attributes say which cloud, service and operation', () => {
    expect(record(TABLES, 'aws --profile p --region r s3api delete-bucket --bucket b').effects[0]?.attributes).toMatchObject({
      provider: 'aws',
      service: 's3api',
      operation: 'delete-bucket',
      region: 'r',
      profile: 'p',
    })
    expect(record(TABLES, 'aws s3 rm s3://b --recursive').effects[0]?.attributes).toMatchObject({ recursive: true })
    expect(record(TABLES, 'aws s3 cp a s3://b --acl public-read').effects[1]?.attributes).toMatchObject({ public: true, carries: ['a'] })
    expect(record(TABLES, 'vercel --prod').effects[0]?.attributes).toMatchObject({ production: true })
  })
  test('commands that run on other machines', () => {
    expect(record(TABLES, "gcloud compute ssh vm --command 'git push'").shells).toEqual(['git push'])
    expect(record(TABLES, "az vm run-command invoke -n x --command-id RunShellScript --scripts 'rm x'").shells).toEqual(['rm x'])
    expect(record(TABLES, 'aws ssm send-command --instance-ids i --parameters \'commands=["rm x"]\'').shells).toEqual(['rm x'])
    expect(record(TABLES, 'heroku run -a web -- git push').commands).toEqual(['git push'])
    expect(record(TABLES, "fly ssh console -C 'rm x'").shells).toEqual(['rm x'])
    expect(effects('fly ssh console')).toEqual(['execute net:remote-login ssh'])
  })
  test('sql', () => expect(record(TABLES, "bq query 'DROP TABLE x'").codes).toEqual(['sql:DROP TABLE x']))
  for (const line of ['aws $x', 'aws s3 $x', 'gcloud $x', 'gsutil $x', 'az $x', 'fly $x']) {
    test(`not known: ${line}`, () => expect(record(TABLES, line).reasons.length).toBeGreaterThan(0))
  }
})

const INFRASTRUCTURE: readonly (readonly [string, readonly string[]])[] = [
  ['terraform plan', ['fetch tf:plan infrastructure']],
  ['terraform plan -out=p.tfplan', ['write - p.tfplan', 'fetch tf:plan infrastructure']],
  ['terraform validate', ['read tf:read infrastructure']],
  ['terraform fmt -check', []],
  ['terraform fmt', ['write dev:format .']],
  ['terraform init', ['execute pkg:install providers']],
  ['terraform apply', ['change tf:apply infrastructure']],
  ['terraform apply -auto-approve', ['change tf:apply infrastructure']],
  ['terraform -chdir=prod apply', ['change tf:apply infrastructure']],
  ['terraform apply -destroy', ['delete tf:destroy infrastructure !']],
  ['terraform destroy', ['delete tf:destroy infrastructure !']],
  ['tofu destroy -target=x', ['delete tf:destroy infrastructure !']],
  ['terraform state list', ['read tf:read infrastructure']],
  ['terraform state rm x y', ['change tf:state x !', 'change tf:state y !']],
  ['terraform workspace list', ['read tf:read infrastructure']],
  ['terraform workspace delete x', ['delete tf:workspace x !']],
  ['terraform import a b', ['change tf:state a']],
  ['terraform destroy -help', []],
  ['terragrunt run-all apply', ['change tf:apply infrastructure']],
  ['terragrunt run --all destroy', ['delete tf:destroy infrastructure !']],
  ['pulumi preview', ['fetch tf:plan infrastructure']],
  ['pulumi up --yes', ['change tf:apply infrastructure']],
  ['pulumi -s prod destroy', ['delete tf:destroy infrastructure !']],
  ['pulumi stack rm x', ['delete tf:workspace x !']],
  ['pulumi config --show-secrets', ['read secret:read stack']],
  ['packer build x.pkr.hcl', ['change cloud:create x.pkr.hcl']],
  ['cdk deploy', ['publish cloud:deploy stack !']],
  ['cdk destroy', ['delete cloud:delete stack !']],
  ['cdk diff', ['fetch cloud:read stack']],
  ['sam deploy --guided', ['publish cloud:deploy stack !']],
  ['serverless remove', ['delete cloud:delete stack !']],
  ['nomad job run x.nomad', ['change cloud:update x.nomad']],
  ['nomad status', ['fetch cloud:read cluster']],
  ['tflint', ['read dev:lint .']],
  ['ansible-playbook site.yml', ['read ansible:playbook site.yml', 'execute net:remote-shell inventory']],
  ['ansible-playbook --check site.yml', ['read ansible:playbook site.yml', 'fetch tf:plan inventory']],
  ['ansible-playbook --syntax-check site.yml', []],
  ['ansible all -m ping', ['fetch net:contact all']],
  ['ansible-galaxy install x', ['execute pkg:install x']],
  ["salt '*' test.ping", ['fetch net:contact *']],
  ['puppet apply x.pp', ['execute tf:apply this machine']],
]

describe('infrastructure as code', () => {
  for (const [line, expected] of INFRASTRUCTURE) test(line, () => expect(effects(line)).toEqual(expected))
  test('commands on other machines', () => {
    expect(record(TABLES, "ansible web -m shell -a 'rm -rf /x'").shells).toEqual(['rm -rf /x'])
    expect(record(TABLES, "ansible web -a 'uptime'").shells).toEqual(['uptime'])
    expect(record(TABLES, "salt '*' cmd.run 'rm x'").shells).toEqual(['rm x'])
  })
  test('approval that nobody gives', () => {
    expect(record(TABLES, 'terraform apply -auto-approve').effects[0]?.attributes).toEqual({ auto_approve: true })
  })
  for (const [line, action] of [
    ['terraform frobnicate', 'tf:unknown'],
    ['pulumi frobnicate', 'tf:unknown'],
    ['cdk frobnicate', 'cloud:unknown'],
  ] as const) {
    test(line, () => expect(record(TABLES, line).effects).toMatchObject([{ action, certainty: 'likely' }]))
  }
})
