import { describe, expect, test } from 'vitest'
import { operationOf } from './verbs.ts'

describe('the verb in a cloud operation', () => {
  const OPERATIONS: readonly (readonly [string, ReturnType<typeof operationOf>])[] = [
    ['list', 'read'],
    ['describe-instances', 'read'],
    ['get-object', 'read'],
    ['batch-get-item', 'read'],
    ['head-bucket', 'read'],
    ['create', 'create'],
    ['run-instances', 'create'],
    ['put-object', 'create'],
    ['restore-db-instance', 'create'],
    ['update', 'update'],
    ['modify-db-instance', 'update'],
    ['reboot-instances', 'update'],
    ['attach-volume', 'update'],
    ['delete', 'delete'],
    ['terminate-instances', 'delete'],
    ['batch-delete-image', 'delete'],
    ['schedule-key-deletion', 'delete'],
    ['deregister-image', 'delete'],
    ['purge-queue', 'delete'],
    ['frobnicate', null],
    ['frobnicate-instances', null],
    ['', null],
    ['-', null],
    ['constructor', null],
    ['toString-x', null],
  ]
  for (const [word, operation] of OPERATIONS) test(JSON.stringify(word), () => expect(operationOf(word)).toBe(operation))
})
