import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { linesOf } from './tool-harness.ts'

/** Tools of servers of operations: hosting, dashboards, containers, customers, editors. */

describe('operations', () => {
  for (const [server, tool, args, expected] of [
    ['cloudflare', 'workers_list', {}, ['read resource:read resource service']],
    ['cloudflare', 'kv_namespace_delete', { namespace_id: 'x' }, ['delete cloud:delete resource x !']],
    ['vercel', 'list_deployments', { projectId: 'p' }, ['read resource:read resource service']],
    ['vercel', 'deploy_to_vercel', {}, ['publish cloud:deploy resource cloud:deploy !']],
    ['supabase', 'get_logs', { service: 'api' }, ['read resource:read resource service']],
    ['supabase', 'get_service_role_key', { project_id: 'p' }, ['read secret:read resource p']],
    ['supabase', 'pause_project', { project_id: 'p' }, ['change cloud:update resource p']],
    ['grafana', 'query_prometheus', { expr: 'up' }, ['read resource:read resource service']],
    ['pagerduty', 'manage_incidents', { id: '1' }, ['change cloud:update resource 1']],
    ['docker', 'list_containers', {}, ['read resource:read resource service']],
    ['docker', 'remove_container', { id: 'c' }, ['delete container:remove resource c !']],
    ['hubspot', 'hubspot-list-objects', { id: 'x' }, ['read resource:read resource x']],
    ['hubspot', 'hubspot-batch-update-objects', { id: 'x' }, ['change cloud:update resource x']],
    ['home-assistant', 'call_service', { name: 'lock' }, ['change cloud:update resource lock']],
    ['figma', 'get_code', { id: '1' }, ['read resource:read resource 1']],
    ['serena', 'find_symbol', { name: 'f' }, ['read resource:read resource f']],
    // Names of every day belong to nobody without the server's name.
    ['acme', 'get_logs', { id: '1' }, ['likely read resource 1']],
  ] as const) {
    test(`${server} ${tool}`, () => expect(linesOf(tool, args as JsonObject, { server })).toEqual(expected))
  }
})

describe('git', () => {
  for (const [tool, args, expected] of [
    ['git_reset', { mode: 'hard' }, true],
    ['git_reset', { mode: 'mixed' }, false],
    ['git_reset', {}, false],
    ['git_clean', {}, true],
    ['git_status', {}, false],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)} throws work away: ${expected}`, () =>
      expect(linesOf(tool, args as JsonObject, { server: 'git' }).some((line) => line.includes('git:discard'))).toBe(expected))
  }
})

describe('what a customer is charged', () => {
  for (const [tool, expected] of [
    ['create_coupon', ['change payment:billing resource c']],
    ['search_documentation', ['read payment:read resource payment:read']],
  ] as const) {
    test(tool, () => expect(linesOf(tool, { price: 'c' }, { server: 'stripe' })).toEqual(expected))
  }
})
