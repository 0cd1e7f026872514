/** Common MCP servers of operations: hosting, containers, dashboards, customers, automations, homes, editors. */
import type { ToolFamily, ToolSpec } from '../spec.ts'
import { act, byName, reads } from './shapes.ts'

const NAMED = { from: ['name', 'id', 'project_id', 'projectId', 'namespace_id', 'database_id', 'bucket_name', 'scriptName'] } as const

const changes = (action = 'cloud:update'): ToolSpec => act('high', `change ${action}`, NAMED)
const deletes = (action = 'cloud:delete'): ToolSpec => act('high', `delete ${action}`, { ...NAMED, reversible: false })
const QUERY: ToolSpec = { tier: 'medium', args: { sql: 'sql', query: 'sql', 'params.*': 'ignore' } }

export const hosting: ToolFamily = {
  family: 'mcp-hosting',
  servers: ['cloudflare', 'cloudflare-bindings', 'vercel', 'netlify', 'supabase', 'neon', 'railway', 'render', 'fly', 'heroku'],
  exact: true,
  tools: byName({
    ...reads('workers_list workers_get_worker workers_get_worker_code kv_namespaces_list kv_namespace_get r2_buckets_list r2_bucket_get'),
    ...reads(
      'd1_databases_list d1_database_get hyperdrive_configs_list hyperdrive_config_get accounts_list search_cloudflare_documentation',
    ),
    ...reads('list_deployments get_deployment get_deployment_build_logs get_deployment_events list_projects get_project list_teams'),
    ...reads('list_organizations get_organization list_branches list_edge_functions get_edge_function list_extensions list_migrations'),
    ...reads(
      'list_tables get_advisors get_logs get_cost get_project_url search_docs search_vercel_documentation generate_typescript_types',
    ),
    ...reads('describe_project describe_branch describe_table_schema get_database_tables list_slow_queries list_services get_service'),
    ...reads('get_metrics list_logs list_apps get_app_info get_app_logs list_addons ps_list'),
    'get_publishable_keys get_anon_key': act('medium', 'read secret:list', NAMED),
    'get_service_role_key get_connection_string list_env_vars get_env_vars': act('high', 'read secret:read', NAMED),
    'execute_sql run_sql run_sql_transaction d1_database_query explain_sql_statement': QUERY,
    apply_migration: {
      ...QUERY,
      effects: [{ verb: 'change', action: 'sql:migrate', kind: 'database', ...NAMED, value: 'database' }],
    },
    'kv_namespace_create kv_namespace_update r2_bucket_create d1_database_create hyperdrive_config_edit worker_put': changes(),
    'create_project create_branch pause_project restore_project merge_branch rebase_branch update_env_vars scale_app': changes(),
    'deploy_to_vercel deploy_edge_function deploy_site deploy_app promote_deployment': act('high', 'publish cloud:deploy', NAMED),
    'kv_namespace_delete r2_bucket_delete d1_database_delete hyperdrive_config_delete worker_delete': deletes(),
    'delete_project delete_branch reset_branch reset_from_parent delete_service delete_app': deletes(),
  }),
}

export const observing: ToolFamily = {
  family: 'mcp-observing',
  servers: ['grafana', 'datadog', 'newrelic', 'prometheus', 'pagerduty', 'honeycomb', 'axiom', 'dynatrace', 'loki', 'elasticsearch'],
  exact: true,
  tools: byName({
    ...reads('query_prometheus list_prometheus_metric_names list_prometheus_label_names list_prometheus_label_values query_loki_logs'),
    ...reads('list_loki_label_names list_loki_label_values query_loki_stats search_dashboards get_dashboard_by_uid get_dashboard_summary'),
    ...reads(
      'list_datasources get_datasource_by_uid list_alert_rules get_alert_rule_by_uid list_contact_points list_incidents get_incident',
    ),
    ...reads(
      'list_oncall_schedules get_current_oncall_users list_teams list_services get_service list_oncalls list_schedules get_schedule',
    ),
    ...reads('get_logs query_metrics get_metrics list_dashboards get_dashboard list_hosts list_monitors get_monitor list_traces get_trace'),
    ...reads('execute_query get_targets list_metrics get_metric_metadata list_indices get_mappings search get_shards'),
    'update_dashboard create_incident add_activity_to_incident create_alert_rule update_alert_rule create_annotation': changes(),
    'manage_incidents add_note_to_incident add_responders create_schedule_override mute_host unmute_host schedule_downtime': changes(),
    'delete_dashboard delete_alert_rule delete_monitor cancel_downtime delete_incident': deletes(),
  }),
}

export const containerServers: ToolFamily = {
  family: 'mcp-containers',
  servers: ['docker', 'podman', 'portainer'],
  exact: true,
  tools: byName({
    ...reads('list_containers list_images list_networks list_volumes inspect_container fetch_container_logs container_logs docker_version'),
    'create_container run_container start_container stop_container recreate_container restart_container': act(
      'high',
      'change container:run',
      NAMED,
    ),
    remove_container: act('high', 'delete container:remove', { ...NAMED, reversible: false }),
    'remove_volume prune_volumes': act('high', 'delete volume:remove', { ...NAMED, reversible: false }),
    'prune prune_images prune_containers': act('high', 'delete container:prune', { ...NAMED, reversible: false }),
    push_image: act('high', 'publish docker:push', { from: ['repository', 'image', 'name'], reversible: false }),
  }),
}

export const customers: ToolFamily = {
  family: 'mcp-customers',
  servers: ['hubspot', 'salesforce', 'shopify', 'zendesk', 'intercom', 'n8n', 'zapier', 'make', 'home-assistant', 'homeassistant', 'figma'],
  exact: true,
  tools: byName({
    ...reads('hubspot-list-objects hubspot-search-objects hubspot-batch-read-objects hubspot-get-user-details hubspot-list-associations'),
    ...reads(
      'hubspot-get-schemas hubspot-list-properties hubspot-get-property hubspot-list-workflows hubspot-get-workflow hubspot-get-engagement',
    ),
    ...reads(
      'get_products get_product_by_id get_orders get_order_by_id get_customers get_tickets get_ticket list_tickets search_conversations',
    ),
    ...reads(
      'list_workflows get_workflow list_executions get_execution get_state get_states list_entities get_entity list_automations get_history',
    ),
    ...reads(
      'get_file get_file_nodes get_code get_figma_data get_variable_defs get_code_connect_map get_metadata get_screenshot get_comments get_image',
    ),
    'hubspot-batch-create-objects hubspot-batch-update-objects hubspot-create-engagement hubspot-update-engagement': changes(),
    'update_product create_product update_customer create_draft_order update_order create_ticket update_ticket': changes(),
    'create_workflow update_workflow activate_workflow deactivate_workflow execute_workflow trigger_automation call_service': changes(),
    'post_comment reply_to_comment': act('medium', 'publish resource:publish', { ...NAMED, reversible: false }),
    'delete_workflow delete_product delete_ticket': deletes(),
  }),
}

export const codeEyes: ToolFamily = {
  family: 'mcp-code',
  servers: ['ide', 'serena', 'vscode', 'jetbrains', 'lsp'],
  exact: true,
  tools: {
    getDiagnostics: { tier: 'low', on: { url: 'read', path: 'read' } },
    ...reads('find_symbol get_symbols_overview find_referencing_symbols list_memories think_about_collected_information'),
    ...reads('get_current_config check_onboarding_performed initial_instructions get_open_files get_file_problems'),
  },
}
