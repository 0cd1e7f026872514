/** Common MCP servers of services that a team shares: issue trackers, error trackers, documents, drives. */
import type { ToolFamily } from '../spec.ts'
import { act, byName, reads } from './shapes.ts'

const ISSUE = {
  from: ['issue_key', 'issueIdOrKey', 'issueId', 'id', 'projectKey', 'project_key', 'project', 'team', 'title', 'summary'],
  attributes: { title: ['title', 'summary'], status: ['status', 'state'] },
} as const
const PAGE = {
  from: ['page_id', 'pageId', 'block_id', 'database_id', 'fileId', 'file_id', 'spaceId', 'space_key', 'title', 'name'],
  attributes: { title: ['title', 'name'] },
} as const

/** Others are told of it. */
const speak = (details: typeof ISSUE | typeof PAGE) => act('medium', 'publish resource:publish', { ...details, reversible: false })
const remove = (details: typeof ISSUE | typeof PAGE) => act('high', 'delete resource:delete', { ...details, reversible: false })

export const trackers: ToolFamily = {
  family: 'mcp-tracker',
  servers: ['jira', 'confluence', 'atlassian', 'linear', 'sentry', 'asana', 'trello', 'clickup', 'monday', 'shortcut', 'youtrack'],
  exact: true,
  tools: byName({
    ...reads(
      'jira_get_issue jira_search jira_get_project_issues jira_get_all_projects jira_search_projects jira_get_transitions jira_get_worklog',
    ),
    ...reads('jira_search_fields jira_get_field_options jira_get_agile_boards jira_get_board_issues jira_get_sprints_from_board'),
    ...reads('jira_get_sprint_issues jira_get_link_types jira_get_user_profile jira_batch_get_changelogs jira_get_issue_watchers'),
    ...reads('confluence_search confluence_get_page confluence_get_page_children confluence_get_comments confluence_get_labels'),
    ...reads('confluence_search_user confluence_get_page_history confluence_get_attachments confluence_get_space_page_tree'),
    ...reads('getJiraIssue searchJiraIssuesUsingJql getVisibleJiraProjects getTransitionsForJiraIssue getJiraIssueRemoteIssueLinks'),
    ...reads('getJiraProjectIssueTypesMetadata getJiraIssueTypeMetaWithFields lookupJiraAccountId atlassianUserInfo search fetch'),
    ...reads('getAccessibleAtlassianResources getConfluencePage getConfluenceSpaces getPagesInConfluenceSpace searchConfluenceUsingCql'),
    ...reads('getConfluencePageFooterComments getConfluencePageInlineComments getConfluencePageDescendants'),
    ...reads(
      'list_issues get_issue list_my_issues list_comments list_cycles list_documents get_document list_projects get_project list_teams',
    ),
    ...reads(
      'get_team list_users get_user list_issue_statuses get_issue_status list_issue_labels list_project_labels search_documentation',
    ),
    ...reads('whoami find_organizations find_teams find_projects find_releases find_dsns get_issue_details search_issues search_events'),
    ...reads('get_trace_details get_event_attachment search_docs get_doc analyze_issue_with_seer search_issue_events get_replay_details'),
    'jira_create_issue jira_update_issue jira_assign_issue jira_batch_create_issues jira_add_comment jira_edit_comment': speak(ISSUE),
    'jira_transition_issue jira_move_issue jira_create_issue_link jira_link_to_epic jira_add_worklog jira_create_sprint': speak(ISSUE),
    'jira_update_sprint jira_create_version jira_create_remote_issue_link jira_create_customer_request jira_add_watcher': speak(ISSUE),
    'createJiraIssue editJiraIssue transitionJiraIssue addCommentToJiraIssue addWorklogToJiraIssue createIssueLink': speak(ISSUE),
    'save_issue create_issue update_issue save_comment create_comment save_project create_project update_project': speak(ISSUE),
    'save_document create_document update_document create_issue_label save_milestone create_attachment': speak(ISSUE),
    'create_team create_dsn update_dsn add_issue_note': speak(ISSUE),
    'confluence_create_page confluence_update_page confluence_update_page_section confluence_add_comment': speak(PAGE),
    'confluence_reply_to_comment confluence_add_label confluence_move_page confluence_copy_page': speak(PAGE),
    'createConfluencePage updateConfluencePage createConfluenceFooterComment createConfluenceInlineComment': speak(PAGE),
    confluence_set_page_restrictions: act('high', 'change access:grant', PAGE),
    'confluence_upload_attachment confluence_upload_attachments': act('high', 'send file:share', { ...PAGE, reversible: false }),
    'jira_delete_issue jira_remove_issue_link delete_comment delete_issue delete_project delete_document delete_attachment': remove(ISSUE),
    'confluence_delete_page confluence_delete_attachment': remove(PAGE),
  }),
}

export const documents: ToolFamily = {
  family: 'mcp-documents',
  servers: 'notion google-drive gdrive drive google-docs google-sheets onedrive sharepoint dropbox box airtable'.split(' '),
  exact: true,
  tools: byName({
    ...reads(
      'notion-search notion-fetch notion-get-comments notion-get-users notion-get-teams notion-get-self notion-get-user search fetch',
    ),
    ...reads(
      'API-post-search API-retrieve-a-page API-retrieve-a-block API-get-block-children API-retrieve-a-database API-post-database-query',
    ),
    ...reads('API-retrieve-a-page-property API-retrieve-a-comment API-get-users API-get-self API-get-user API-query-data-source'),
    ...reads('API-retrieve-a-data-source API-list-data-source-templates'),
    ...reads(
      'search_files list_recent_files get_file_metadata get_file_permissions read_file_content gdrive_search gdrive_read_file gsheets_read',
    ),
    ...reads('list_records search_records list_bases list_tables describe_table get_record list_comments'),
    'notion-create-pages notion-update-page notion-move-pages notion-duplicate-page notion-create-database': act(
      'medium',
      'publish resource:publish',
      { ...PAGE, reversible: false },
    ),
    'notion-update-database notion-update-data-source notion-create-comment notion-create-view notion-update-view': speak(PAGE),
    'API-post-page API-patch-page API-patch-block-children API-update-a-block API-create-a-database': speak(PAGE),
    'API-update-a-database API-create-a-comment API-create-a-data-source API-update-a-data-source API-move-page': speak(PAGE),
    'API-delete-a-block': remove(PAGE),
    'create_file copy_file gsheets_update_cell create_record update_records create_table update_table create_comment': speak(PAGE),
    upload_file: act('high', 'send file:share', { ...PAGE, reversible: false }),
    'share_file create_permission add_permission': act('high', 'change access:grant', {
      ...PAGE,
      attributes: { account: ['email', 'emailAddress', 'role'] },
    }),
    'delete_file delete_records delete_record trash_file': remove(PAGE),
  }),
}
