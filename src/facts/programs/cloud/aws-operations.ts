import { list } from '../tool.ts'
import type { Operation } from './verbs.ts'

/** Operations of AWS that their verb alone does not tell. */

/** Operations that hand out credentials or the values of secrets. */
export const SECRETS: ReadonlySet<string> = new Set([
  'secretsmanager get-secret-value',
  'secretsmanager batch-get-secret-value',
  'kms decrypt',
  'ec2 get-password-data',
  'ec2-instance-connect send-ssh-public-key',
  'ecr get-login-password',
  'ecr get-login',
  'ecr get-authorization-token',
  'ecr-public get-login-password',
  'codeartifact get-authorization-token',
  'codeartifact login',
  'eks get-token',
  'rds generate-db-auth-token',
  'redshift get-cluster-credentials',
  'sts assume-role',
  'sts assume-role-with-saml',
  'sts assume-role-with-web-identity',
  'sts get-session-token',
  'sts get-federation-token',
  'sso get-role-credentials',
  'configure export-credentials',
  'cognito-idp describe-user-pool-client',
  'iam create-service-specific-credential',
  'iot create-keys-and-certificate',
  'lightsail download-default-key-pair',
  'lightsail get-instance-access-details',
  'iam create-access-key',
  'iam create-service-specific-credential',
])

/** Operations that switch off what would notice an attack. */
export const WATCHES: ReadonlySet<string> = new Set([
  'cloudtrail stop-logging',
  'cloudtrail delete-trail',
  'cloudtrail put-event-selectors',
  'guardduty delete-detector',
  'guardduty disassociate-members',
  'configservice stop-configuration-recorder',
  'configservice delete-configuration-recorder',
  'securityhub disable-security-hub',
  'inspector2 disable',
  'macie2 disable-macie',
  'ec2 delete-flow-logs',
])

/** Services that say who may do what. */
export const IDENTITY = list('iam organizations sso-admin identitystore account ram')
/** Operations elsewhere that do. */
export const PERMISSIONS =
  /(?:^|-)(?:policy|permission|permissions|acl|access-block|security-group-ingress|security-group-egress|grant|role|principal)(?:-|$)/

/** Messages that reach people. */
export const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['sns publish', 'message:send'],
  ['sns publish-batch', 'message:send'],
  ['ses send-email', 'mail:send'],
  ['ses send-raw-email', 'mail:send'],
  ['ses send-templated-email', 'mail:send'],
  ['ses send-bulk-templated-email', 'mail:send'],
  ['sesv2 send-email', 'mail:send'],
  ['sesv2 send-bulk-email', 'mail:send'],
  ['pinpoint send-messages', 'message:send'],
  ['pinpoint-sms-voice-v2 send-text-message', 'sms:send'],
])

/** Operations whose first word says something else than what they do. */
export const EXCEPTIONS: ReadonlyMap<string, Operation> = new Map([
  ['athena start-query-execution', 'update'],
  ['logs start-query', 'read'],
  ['logs stop-query', 'read'],
  ['logs start-live-tail', 'read'],
  ['dynamodb execute-statement', 'update'],
  ['dynamodb batch-execute-statement', 'update'],
  ['dynamodb batch-write-item', 'update'],
  ['dynamodb transact-write-items', 'update'],
  ['dynamodb transact-get-items', 'read'],
  ['rds-data execute-statement', 'update'],
  ['redshift-data execute-statement', 'update'],
  ['sqs receive-message', 'read'],
  ['sqs purge-queue', 'delete'],
  ['cloudformation detect-stack-drift', 'read'],
  ['cloudformation package', 'create'],
  ['cloudformation continue-update-rollback', 'update'],
  ['kms schedule-key-deletion', 'delete'],
  ['kms encrypt', 'read'],
  ['kms sign', 'read'],
  ['sts decode-authorization-message', 'read'],
  ['eks update-kubeconfig', 'read'],
  ['lambda invoke', 'update'],
  ['route53 change-resource-record-sets', 'update'],
  ['s3api head-object', 'read'],
  ['s3api head-bucket', 'read'],
  ['ce get-cost-and-usage', 'read'],
  ['acm resend-validation-email', 'update'],
])
