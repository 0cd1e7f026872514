import { describe, expect, test } from 'vitest'
import { familyTool, findTool } from './registry.ts'

/** What common servers are asked to look at is known; what they change is not taken for it. */

describe('tools that only read', () => {
  for (const [server, name] of [
    ['hubspot', 'search_crm_objects'],
    ['asana', 'asana_get_task'],
    ['azure-devops', 'wit_get_work_item'],
    ['terraform', 'search_providers'],
    ['exa', 'get_code_context_exa'],
    ['obsidian', 'obsidian_get_file_contents'],
    ['gmail', 'search_gmail_messages'],
  ] as const)
    test(`${server}/${name}`, () => expect(familyTool(server, name)).toMatchObject({ riskTier: 'low', irreversible: false }))

  for (const [server, name] of [
    ['hubspot', 'manage_crm_objects'],
    ['salesforce', 'salesforce_dml_records'],
    ['jenkins', 'triggerBuild'],
    ['monday', 'delete_item'],
    ['launchdarkly', 'update-feature-flag'],
    ['evil', 'search_crm_objects'],
  ] as const)
    test(`not known: ${server}/${name}`, () => expect(familyTool(server, name)).toBeNull())

  test('a file of this machine is read as one', () => {
    expect(findTool('gdrive', 'read_file')?.spec.on).toEqual({ path: 'read' })
    expect(findTool('serena', 'read_file')?.spec.on).toEqual({ path: 'read' })
  })
})
