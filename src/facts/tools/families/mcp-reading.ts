/** What common MCP servers are asked to look at. Whatever else they can do is known by its name, or asked. */
import type { ToolFamily } from '../spec.ts'
import { each, FIND_FILES, LIST_FILES, READ_FILE, reads, SEARCH_FILES, WEB_SEARCH } from './shapes.ts'

const FAMILY = 'mcp-reading'

/** Servers of which only reading is told: `names` of the tools, by blanks. */
function reading(servers: string, ...names: readonly string[]): ToolFamily {
  return { family: FAMILY, servers: servers.split(' '), exact: true, tools: Object.assign({}, ...names.map((list) => reads(list))) }
}

export const READING: readonly ToolFamily[] = [
  reading(
    'hubspot salesforce airtable intercom shopify posthog amplitude mixpanel launchdarkly',
    'search_crm_objects get_crm_objects get_user_details search_properties get_properties search_owners search_contacts list_contacts',
    'salesforce_query_records salesforce_search_objects salesforce_describe_object salesforce_search_all salesforce_aggregate_query',
    'list_records search_records get_record list_bases list_tables describe_table get_contact get_conversation search_contacts',
    'search_docs_chunks fetch_full_docs learn_shopify_api introspect_graphql_schema search_dev_docs',
    'insights-get-all insight-get dashboards-get-all dashboard-get docs-search feature-flag-get-all error-details list-errors projects-get',
    'list-feature-flags get-feature-flag get_events get_funnels get_retention search get_charts get_dashboard',
  ),
  reading(
    'asana trello clickup monday todoist linear youtrack shortcut azure-devops ado bitbucket gitlab',
    'asana_search_tasks asana_get_task asana_list_workspaces asana_search_projects asana_get_project asana_get_task_stories asana_get_user',
    'get_lists get_cards_by_list_id get_my_cards get_board get_boards list_boards get_card get_card_comments get_recent_activity',
    'get_task get_tasks search_tasks get_workspace_hierarchy get_task_comments list_tasks get_projects find_tasks get_list get_folder',
    'get_board_items_by_name get_board_schema get_board_info get_users_by_name get_board_items_page list_workspaces list_users_and_teams',
    'list_initiatives get_initiative list_milestones get_milestone list_documents get_document list_cycles list_customers',
    'wit_get_work_item wit_my_work_items wit_get_work_items_batch_by_ids wit_list_work_item_comments repo_list_repos_by_project core_list_projects',
    'repo_list_pull_requests_by_repo repo_get_pull_request_by_id repo_list_pull_request_threads build_get_log build_get_status build_list',
    'getPullRequest getPullRequests listPullRequests getRepository listRepositories getPullRequestDiff getPullRequestComments',
    'get_pipeline_job_output mr_discussions list_pipeline_jobs get_merge_request_diffs get_issue_link list_merge_request_diffs',
  ),
  reading(
    'jenkins circleci buildkite sonarqube semgrep snyk terraform xcodebuild datadog cloudflare netlify',
    'getBuildLog getBuild getJob getJobs getStatus getJobScm searchBuildLog',
    'get_build_failure_logs get_latest_pipeline_status get_job_test_results list_followed_projects find_flaky_tests list_artifacts',
    'list_builds get_build get_build_test_engine_runs get_job_logs list_pipelines get_pipeline search_logs tail_logs read_logs',
    'search_sonar_issues_in_projects get_project_quality_gate_status show_rule list_quality_gates search_my_sonarqube_projects',
    'semgrep_rule_schema get_supported_languages semgrep_findings get_abstract_syntax_tree',
    'search_providers get_provider_details get_provider_capabilities search_modules get_module_details get_latest_provider_version search_policies',
    'list_sims list_devices list_schemes show_build_settings list_schems_proj discover_projs',
    'search_datadog_logs get_datadog_metric search_datadog_metrics search_datadog_spans get_datadog_trace search_datadog_monitors',
    'search_datadog_dashboards search_datadog_incidents get_datadog_incident search_datadog_hosts search_datadog_services',
    'zones_list zone_details dns_records_list get-project get-projects get-deploy get-user get-team',
  ),
  reading(
    'postgres postgresql snowflake bigquery qdrant chroma pinecone elasticsearch kafka sqlite',
    'analyze_db_health get_top_queries analyze_workload_indexes list_databases list_schemas describe_object',
    'qdrant-find chroma_query_documents chroma_get_documents chroma_list_collections chroma_get_collection_info chroma_peek_collection',
    'search-records list-indexes describe-index describe-index-stats cascading-search list_topics describe_topic list_consumer_groups',
  ),
  reading(
    'stripe paypal square quickbooks xero',
    'get_stripe_account_info search_stripe_resources fetch_stripe_resources retrieve_balance list_payment_links list_disputes',
    'get_order get_invoice list_disputes get_dispute list_transactions show_subscription_details list_subscription_plans get_refund',
    'get_service_info get_type_info list-invoices list-accounts list-contacts list-payments get_merchant_insights',
  ),
  reading(
    'gmail google-calendar google-drive gdrive microsoft365 ms365 outlook office365 box dropbox',
    'search_gmail_messages get_gmail_message_content get_gmail_thread_content list_gmail_labels get_thread search_threads list_labels',
    'get-current-time get_current_time list-colors list_gcal_calendars find_free_time list_calendars get_events suggest_time',
    'listFolder list_folder get_file_metadata read_file_content list_recent_files search_files get_file_permissions',
    'list-mail-messages get-mail-message list-mail-folders list-calendar-events get-calendar-event list-calendars list-todo-tasks get-current-user',
    'search_files_keyword list_folder_content_by_folder_id get_file_details who_am_i box_search_tool',
  ),
  reading(
    'obsidian youtube spotify arxiv weather shadcn magic huggingface figma zapier kagi wikipedia pubmed',
    'obsidian_list_files_in_vault obsidian_list_files_in_dir obsidian_get_file_contents obsidian_simple_search obsidian_complex_search',
    'obsidian_batch_get_file_contents obsidian_get_recent_changes obsidian_get_periodic_note search_notes read_note list_notes',
    'get_transcript get_video_info search search_papers read_paper list_papers get_forecast get_alerts get_current_weather',
    'search_items_in_registries view_items_in_registries get_project_registries list_items_in_registries get_item_examples_from_registries',
    'get_add_command_for_items get_audit_checklist 21st_magic_component_inspiration logo_search',
    'hf_doc_search hf_doc_fetch model_search dataset_search space_search paper_search hf_whoami hub_repo_details hub_repo_search',
    'get_design_context get_figjam',
    'google_sheets_lookup_spreadsheet_row gmail_find_email google_calendar_find_event list_enabled_zapier_actions summary get_article',
  ),
  { family: FAMILY, servers: ['google-drive', 'gdrive', 'box', 'dropbox'], exact: true, tools: { read_file: READ_FILE } },
  {
    family: FAMILY,
    servers: ['exa', 'perplexity'],
    exact: true,
    tools: each('get_code_context_exa perplexity_ask perplexity_search perplexity_research perplexity_reason', WEB_SEARCH),
  },
  {
    family: FAMILY,
    servers: ['serena'],
    exact: true,
    tools: { read_file: READ_FILE, list_dir: LIST_FILES, find_file: FIND_FILES, search_for_pattern: SEARCH_FILES },
  },
]
