import { describe, expect, test } from 'vitest'
import { summary } from '../../harness.ts'
import { operationName, rootOf, serviceOf } from './roots.ts'

/** Clients of clouds, clusters, databases and programs are followed from their package to the call that acts. */

describe('clouds', () => {
  for (const [code, expected] of [
    [`import boto3; boto3.client('sqs').purge_queue(QueueUrl='q')`, ['> aws sqs purge-queue --queue-url q']],
    [`import boto3; c = boto3.client('iam'); c.create_access_key(UserName='x')`, ['> aws iam create-access-key --user-name x']],
    [
      `import boto3; boto3.Session(profile_name='p').client('rds').stop_db_instance(DBInstanceIdentifier='d')`,
      ['> aws rds stop-db-instance --db-instance-identifier d'],
    ],
    [
      `import boto3; boto3.client('s3').put_bucket_acl(Bucket='b', ACL='public-read')`,
      ['> aws s3api put-bucket-acl --bucket b --acl public-read'],
    ],
    [`import boto3; boto3.client('s3').list_buckets()`, ['> aws s3api list-buckets']],
    [
      `import boto3; boto3.client('rds').delete_db_cluster(DBClusterIdentifier=x, SkipFinalSnapshot=True)`,
      ['> aws rds delete-db-cluster --db-cluster-identifier ? --skip-final-snapshot'],
    ],
    [`import boto3; boto3.resource('ec2').instances.filter(Filters=[]).terminate()`, ['delete cloud:delete filter']],
    [`import boto3; boto3.resource('s3').Bucket('b').objects.all().delete()`, ['delete cloud:delete b']],
    [`import boto3\nfor i in boto3.resource('ec2').instances.all(): i.terminate()`, ['delete cloud:delete all']],
    [`import boto3; print(boto3.resource('s3').Bucket('b').name)`, []],
    [`from google.cloud import storage; storage.Client().bucket('b').delete(force=True)`, ['delete cloud:delete b']],
    [`from google.cloud import storage as s; s.Client().create_bucket('b')`, ['change cloud:create b']],
    [
      `from google.cloud import secretmanager as m; m.SecretManagerServiceClient().access_secret_version(name='n')`,
      ['read cloud:secret-read n'],
    ],
    [`from google.cloud import bigquery; bigquery.Client().list_datasets()`, []],
    [
      `from azure.mgmt.resource import ResourceManagementClient as R; R(c, 's').resource_groups.begin_delete('g')`,
      ['delete cloud:delete g'],
    ],
    [`from kubernetes import client; client.CoreV1Api().delete_namespace('n')`, ['delete cloud:delete n']],
    [`from kubernetes import client; client.AppsV1Api().patch_namespaced_deployment('n', 'd', {})`, ['change cloud:update n']],
    [`from kubernetes import client; client.CoreV1Api().list_namespace()`, []],
    [`from github import Github; Github('t').get_repo('o/r').delete()`, ['delete cloud:delete o/r']],
    [`from github import Github; print(Github('t').get_repo('o/r').stargazers_count)`, []],
    [`import huggingface_hub as h; h.HfApi().delete_repo('m')`, ['delete cloud:delete m']],
    [`from elasticsearch import Elasticsearch as E; E('http://x').indices.delete(index='*')`, ['delete cloud:delete *']],
    [`import stripe; stripe.Customer.delete('c')`, ['delete cloud:delete c']],
    [`import google.generativeai as g; g.delete_tuned_model('m')`, []],
    [`boto = thing(); boto.delete()`, []],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('clouds from JavaScript', () => {
  for (const [code, expected] of [
    [
      `const {S3Client, DeleteBucketPolicyCommand} = require('@aws-sdk/client-s3'); new S3Client().send(new DeleteBucketPolicyCommand({Bucket: 'b'}))`,
      ['> aws s3api delete-bucket-policy --bucket b'],
    ],
    [
      `import { EC2Client, TerminateInstancesCommand as T } from '@aws-sdk/client-ec2'; await new EC2Client({}).send(new T({ InstanceIds: ['i'] }))`,
      ['> aws ec2 terminate-instances --instance-ids i'],
    ],
    [
      `new (require('aws-sdk').RDS)().deleteDBCluster({ DBClusterIdentifier: 'd' }).promise()`,
      ['> aws rds delete-db-cluster --db-cluster-identifier d'],
    ],
    [
      `const { SecretsManager } = require('@aws-sdk/client-secrets-manager'); new SecretsManager().getSecretValue({ SecretId: 's' }).then(console.log)`,
      ['> aws secretsmanager get-secret-value --secret-id s'],
    ],
    [`const { Octokit } = require('@octokit/rest'); new Octokit().request('DELETE /repos/o/r')`, ['delete cloud:delete DELETE /repos/o/r']],
    [`const { Octokit } = require('@octokit/rest'); new Octokit().rest.repos.get({ owner: 'o' })`, []],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
  for (const [code, expected] of [
    [`Aws::EC2::Client.new.reboot_instances(instance_ids: ['i'])`, ['> aws ec2 reboot-instances --instance-ids i']],
    [`Aws::S3::Resource.new.bucket('b').delete!`, ['delete cloud:delete b']],
  ] as const)
    test(code, () => expect(summary('ruby', code)[0]).toContain(expected[0].slice(0, 20)))
})

describe('databases', () => {
  for (const [code, expected] of [
    [`const { PrismaClient } = require('@prisma/client'); new PrismaClient().user.deleteMany({})`, ['delete sql:delete user']],
    [`const { PrismaClient } = require('@prisma/client'); new PrismaClient().user.findMany()`, []],
    [`const k = require('knex')({}); k.schema.dropTable('t')`, ['delete sql:drop t']],
    [`const k = require('knex')({}); k('t').del()`, ['delete sql:delete t']],
    [`const k = require('knex')({}); k('t').select('*')`, []],
    [`require('redis').createClient().flushAll()`, ['change sql:flush createClient']],
    [`require('redis').createClient().get('k')`, []],
    [`const { MongoClient } = require('mongodb'); new MongoClient('m').db('a').collection('u').drop()`, ['delete sql:drop u']],
    [`const { Sequelize } = require('sequelize'); new Sequelize('u').sync({ force: true })`, ['delete sql:drop u']],
    [`const { Sequelize } = require('sequelize'); new Sequelize('u').sync()`, []],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('programs under another name', () => {
  for (const [language, code, expected] of [
    ['python', `import git; git.Repo('.').git.push('origin', 'main', force=True)`, ['> git push origin main --force']],
    ['python', `import git; git.Repo('.').remotes.origin.push(force=True)`, ['> git push origin --force']],
    ['python', `import git; git.Repo.clone_from('https://x.example/r', 'd')`, ['> git clone https://x.example/r d']],
    [
      'python',
      `import git; r = git.Repo('.'); r.git.reset('--hard'); r.git.filter_branch('-f')`,
      ['> git filter-branch -f', '> git reset --hard'],
    ],
    ['python', `import git; print(git.Repo('.').head.commit.hexsha, git.Repo('.').is_dirty())`, []],
    ['python', `import sh; sh.rm('-rf', '/x')`, ['> rm -rf /x']],
    ['python', `from sh import docker_compose as d; d('down', v=True)`, ['> docker-compose down -v']],
    [
      'python',
      `import docker; docker.from_env().containers.run('a', 'id', volumes={'/': {'bind': '/h'}}, privileged=True)`,
      ['> docker run --privileged -v /:/h a sh -c id'],
    ],
    ['python', `import docker; [v.remove(force=True) for v in docker.from_env().volumes.list()]`, ['> docker volume rm -f ?']],
    ['python', `import docker; docker.from_env().containers.prune()`, ['> docker container prune -f']],
    ['python', `import docker; print(docker.from_env().containers.list())`, []],
    ['node', `require('simple-git')().push(['--force', 'origin'])`, ['> git push --force origin']],
    ['node', `require('simple-git')().clean('fdx')`, ['> git clean -fdx']],
    ['node', `require('simple-git')().reset('hard')`, ['> git reset --hard']],
    ['node', `require('simple-git')().status()`, []],
    ['node', `require('shelljs').rm('-rf', '/x')`, ['> rm -rf /x']],
    ['node', `require('shelljs').which('git')`, []],
    ['node', `new (require('dockerode'))().pruneVolumes()`, ['> docker volume prune -f']],
  ] as const)
    test(code, () => expect(summary(language, code)).toEqual(expected))
})

describe('names', () => {
  for (const [method, expected] of [
    ['TerminateInstancesCommand', 'terminate-instances'],
    ['terminate_instances', 'terminate-instances'],
    ['terminateInstances', 'terminate-instances'],
    ['DBInstanceIdentifier', 'db-instance-identifier'],
    ['delete!', 'delete'],
    ['ACL', 'acl'],
  ] as const)
    test(method, () => expect(operationName(method)).toBe(expected))
  for (const [name, expected] of [
    ['@aws-sdk/client-ec2.EC2Client', 'ec2'],
    ['@aws-sdk/client-secrets-manager.X', 'secretsmanager'],
    ['aws-sdk.S3', 's3'],
    ['Aws.EC2.Client', 'ec2'],
    ['boto3.client', ''],
  ] as const)
    test(name, () => expect(serviceOf(name)).toBe(expected))
  for (const [language, name, expected] of [
    ['python', 'boto3.client', 'aws'],
    ['python', 'google.cloud.storage', 'cloud'],
    ['python', 'google.generativeai', null],
    ['python', 'constructor', null],
    ['node', '__proto__', null],
    ['node', 'docker', null],
    ['lua', 'boto3', null],
  ] as const)
    test(`${language} ${name}`, () => expect(rootOf(language, name)?.how ?? null).toBe(expected))
})

describe('machines and devices, by packages that nothing is known of', () => {
  for (const [code, expected] of [
    [`from plc import C; c = C('10.0.3.4'); c.connect(); c.write_coil(1, True)`, ['change net:act 10.0.3.4']],
    [`import bus.publish as p; p.single('door/open', '1', hostname='bus.example.net')`, ['change net:act bus.example.net']],
    [
      `import lab; r = lab.Manager().open_resource('TCPIP::10.0.3.5::INSTR'); r.write('OUTP ON')`,
      ['change net:act TCPIP::10.0.3.5::INSTR'],
    ],
    [`import serial; s = serial.Serial('/dev/ttyUSB0', 115200); s.write(b'G28')`, ['change net:act /dev/ttyUSB0']],
    [`from drone import connect; v = connect('udp:10.0.7.2:14550'); v.simple_takeoff(20)`, ['change net:act udp:10.0.7.2:14550']],
    [`from plc import C; print(C('10.0.3.4').read_coils(1, 8))`, []],
    [`from plc import C; C('127.0.0.1').write_coil(1, True)`, []],
    [`from plc import C; C('localhost:502').write_coil(1, True)`, []],
    [`import serial; print(serial.Serial('/dev/ttyUSB0').readline())`, []],
    [`import ipaddress; print(ipaddress.ip_network('10.0.0.0/24').subnets(new_prefix=26))`, []],
    [`import re; print(re.sub('x', 'y', '10.0.0.1').upper())`, []],
    [`d = {}; d.setdefault('10.0.0.1', []).append('x')`, []],
    [`import acme; acme.load('https://data.example.org/a.csv').save('a.csv')`, []],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('machines and devices from JavaScript', () => {
  for (const [code, expected] of [
    [
      `const bus = require('bus'); const c = bus.connect('mqtt://10.1.2.2'); c.publish('lift/2', 'hold')`,
      ['change net:act mqtt://10.1.2.2'],
    ],
    [`const Plc = require('plc'); const c = new Plc.Client('10.1.2.3'); c.writeSingleCoil(3, true)`, ['change net:act 10.1.2.3']],
    [`const Plc = require('plc'); console.log(new Plc.Client('10.1.2.3').readCoils(1, 8))`, []],
    [`console.log('10.1.2.3'); ['10.1.2.3'].map((x) => x.trim()); new Map().set('10.1.2.3', 1).delete('a')`, []],
    [`expect(parse('10.1.2.3')).toBe(1); hosts.push('10.1.2.3')`, []],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})
