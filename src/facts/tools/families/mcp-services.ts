/** Common MCP servers of services that others see: code hosts, chat, mail, calendars, payments, clusters. */
import type { ToolContext, ToolEffect, ToolFamily } from '../spec.ts'
import { act, byName, type Details, each } from './shapes.ts'

const REPOSITORY = {
  kind: 'repository',
  from: ['repo', 'repository', 'project_id', 'full_name'],
  attributes: { owner: ['owner'], branch: ['branch', 'ref'], number: ['pull_number', 'issue_number', 'number'] },
} as const

/** What only looks at a repository, its issues, its runs. */
const CODE_HOST_READS = [
  'get_file_contents search_repositories search_code search_issues search_users list_commits list_issues get_issue list_branches',
  'get_pull_request list_pull_requests get_pull_request_files get_pull_request_status get_pull_request_comments get_me list_tags',
  'pull_request_read issue_read list_notifications get_commit list_releases get_release_by_tag actions_list actions_get get_job_logs',
  'list_workflows list_workflow_runs get_workflow_run get_workflow_run_logs get_workflow_run_usage list_workflow_jobs',
  'list_workflow_run_artifacts download_workflow_run_artifact get_tag get_latest_release list_gists get_gist get_label',
  'list_code_scanning_alerts get_code_scanning_alert list_dependabot_alerts get_dependabot_alert list_labels',
  'list_discussions get_discussion get_discussion_comments list_discussion_categories get_teams get_team_members',
  'search_pull_requests search_orgs list_issue_types projects_list projects_get get_notification_details',
  'list_starred_repositories list_global_security_advisories get_global_security_advisory get_merge_request_diffs',
  'get_project list_projects list_merge_requests get_merge_request list_pipelines get_repository_tree',
].join(' ')

function codeHost(prefix: 'gh' | 'gl'): ToolFamily['tools'] {
  const on = (verb: ToolEffect['verb'], action: string, details: Details = {}) =>
    act(verb === 'read' ? 'low' : 'medium', `${verb} ${prefix}:${action}`, { ...REPOSITORY, ...details })
  return byName({
    ...each(CODE_HOST_READS, on('read', 'read')),
    'list_secret_scanning_alerts get_secret_scanning_alert': act('high', 'read secret:list', REPOSITORY),
    'create_or_update_file push_files': act('medium', 'publish git:push', REPOSITORY),
    delete_file: on('delete', 'file-delete', { reversible: true }),
    'create_issue issue_write update_issue': on('publish', 'issue'),
    'add_issue_comment create_pull_request_review add_comment_to_pending_review create_note pull_request_review_write': on(
      'publish',
      'comment',
    ),
    'create_pull_request create_merge_request update_pull_request': on('publish', 'pr-create'),
    'merge_pull_request merge_merge_request': on('change', 'pr-merge', { reversible: false }),
    'create_branch fork_repository': on('change', 'branch'),
    create_repository: on('change', 'repo-create', { from: ['name'] }),
    'delete_repository delete_project': { ...on('delete', 'repo-delete', { reversible: false }), tier: 'critical' },
    'delete_branch delete_tag': on('delete', 'branch-delete', { reversible: false }),
    'run_workflow rerun_workflow_run rerun_failed_jobs cancel_workflow_run actions_run_trigger trigger_pipeline create_pipeline retry_pipeline':
      on('change', 'workflow-run'),
    'create_gist update_gist': on('publish', 'gist', { from: ['filename', 'gist_id'], attributes: { public: ['public'] } }),
    'sub_issue_write label_write assign_copilot_to_issue create_label': on('publish', 'issue'),
    'projects_write add_project_item': on('change', 'project'),
    'update_pull_request_branch request_copilot_review reply_to_pull_request_comment': on('publish', 'comment'),
    'delete_issue delete_label delete_workflow_run_logs': on('delete', 'issue-delete', { reversible: false }),
    'star_repository unstar_repository manage_notification_subscription dismiss_notification': on('change', 'project'),
    'manage_repository_notification_subscription mark_all_notifications_read': on('change', 'project'),
    'create_or_update_secret set_secret add_collaborator update_repository create_webhook': {
      ...on('change', 'settings'),
      tier: 'high',
    },
    create_release: on('publish', 'release'),
  })
}

export const github: ToolFamily = { family: 'mcp-github', servers: ['github', 'gh'], tools: codeHost('gh') }
export const gitlab: ToolFamily = { family: 'mcp-gitlab', servers: ['gitlab', 'glab'], tools: codeHost('gl') }

const CHAT = { kind: 'address', from: ['channel_id', 'channel', 'user_id', 'user', 'recipient', 'to'], reversible: false } as const

export const slack: ToolFamily = {
  family: 'mcp-slack',
  servers: ['slack', 'discord', 'teams', 'telegram', 'mattermost', 'chat'],
  tools: byName({
    'slack_post_message slack_reply_to_thread post_message conversations_add_message chat_post_message send_channel_message': act(
      'high',
      'send chat:message',
      CHAT,
    ),
    'send_message send_direct_message reply_to_thread slack_send_message discord_send_message': act('high', 'send chat:message', CHAT),
    'slack_add_reaction add_reaction': act('low', 'change chat:react', CHAT),
    'slack_list_channels slack_get_channel_history slack_get_thread_replies slack_get_users slack_get_user_profile': act(
      'low',
      'read chat:read',
    ),
    'channels_list conversations_history conversations_replies conversations_search_messages': act('low', 'read chat:read'),
    'invite_user_to_slack add_user_to_channel': act('high', 'change access:grant', {
      kind: 'account',
      from: ['user', 'user_email'],
      attributes: { channel: ['channel'] },
    }),
    remove_user_from_slack: act('high', 'change access:revoke', { kind: 'account', from: ['user'] }),
    slack_upload_file: act('high', 'send chat:message', { ...CHAT, fixed: { carries: 'file' } }),
  }),
}

const MAIL = {
  kind: 'address',
  from: ['to', 'recipient', 'recipients', 'email'],
  reversible: false,
  attributes: { subject: ['subject'], cc: ['cc'], bcc: ['bcc'], recipients: ['recipients', 'to'] },
} as const

export const email: ToolFamily = {
  family: 'mcp-email',
  servers: ['gmail', 'email', 'mail', 'outlook', 'smtp', 'resend', 'sendgrid', 'mailgun', 'imap'],
  tools: byName({
    'send_email send_mail reply_to_email forward_email reply_email gmail_send_email send_message reply_all GmailSendEmail send-email': act(
      'high',
      'send mail:send',
      MAIL,
    ),
    'draft_email create_draft update_draft': act('low', 'change mail:draft', MAIL),
    'search_emails read_email list_emails get_message list_messages list_email_labels get_thread search_messages': act(
      'low',
      'read mail:read',
    ),
    'delete_email batch_delete_emails trash_email': act('high', 'delete mail:delete', {
      from: ['email_id', 'messageId', 'id'],
      reversible: false,
    }),
    'create_filter create_filter_from_template delete_filter create_forwarding update_settings create_delegate update_vacation': act(
      'high',
      'change mail:settings',
      { from: ['name', 'id', 'filterId'], reversible: false },
    ),
    'create_label update_label delete_label get_or_create_label modify_email batch_modify_emails mark_as_read archive_email': act(
      'medium',
      'change mail:label',
      { from: ['name', 'messageId', 'id'] },
    ),
    'get_filter list_filters': act('low', 'read mail:read'),
    download_attachment: {
      ...act('low', 'read mail:read', { from: ['filename', 'attachmentId'] }),
      on: {},
      args: { savePath: 'write', save_path: 'write', filename: 'ignore' },
    },
  }),
}

/** Everybody who is named in an event gets mail about it. */
function invites(context: ToolContext): void {
  for (const name of ['attendees', 'participants', 'invitees']) {
    const named = [...context.all(`${name}.*`), ...context.all(`${name}.*.email`), ...context.all(name)].map(({ text }) => text)
    if (named.length === 0) continue
    context.emit('send', context.thing('address', named[0] ?? ''), {
      action: 'calendar:invite',
      reversible: false,
      attributes: { recipients: named },
    })
  }
}

const EVENT = {
  from: ['title', 'summary', 'event_id', 'eventId', 'id'],
  attributes: { recipients: ['participants', 'attendees', 'invitees'] },
} as const

export const calendar: ToolFamily = {
  family: 'mcp-calendar',
  servers: ['calendar', 'google-calendar', 'gcal', 'outlook-calendar', 'cal'],
  tools: byName({
    'create_event create-event create_calendar_event update_event update-event reschedule_calendar_event': {
      ...act('medium', 'change calendar:event', EVENT),
      refine: invites,
    },
    'add_calendar_event_participants invite_attendees respond_to_event respond-to-event': act('high', 'send calendar:invite', {
      ...EVENT,
      reversible: false,
    }),
    'delete_event delete-event cancel_calendar_event': act('high', 'delete calendar:event', { ...EVENT, reversible: false }),
    'list_events list-events get_event search_events list_calendars list-calendars get_freebusy get-freebusy search-events get-event': act(
      'low',
      'read calendar:read',
    ),
  }),
}

const MONEY = {
  kind: 'account',
  from: [...'recipient to payee destination customer account vendor user payment_intent charge invoice capture_id'.split(' ')],
  reversible: false,
  attributes: {
    amount: ['amount', 'total', 'value', 'unit_amount'],
    currency: ['currency', 'asset', 'token'],
    recipient: ['recipient', 'to', 'payee', 'destination', 'vendor', 'user'],
    account: ['account', 'account_id', 'from', 'from_account', 'source', 'source_account', 'debit_account'],
    iban: ['iban', 'payee_iban', 'recipient_iban', 'to_iban'],
  },
} as const

export const payment: ToolFamily = {
  family: 'mcp-payment',
  servers: 'stripe paypal wallet payments payment bank square wise coinbase plaid crypto solana ethereum'.split(' '),
  tools: byName({
    'create_payment create_payment_intent confirm_payment create_charge create_transfer create_payout make_payment pay pay_invoice': act(
      'high',
      'pay payment:transfer',
      MONEY,
    ),
    'send_money transfer transfer_funds send_payment send_tokens send_crypto transfer_sol withdraw withdraw_tokens pay_user swap': act(
      'high',
      'pay payment:transfer',
      MONEY,
    ),
    'schedule_transaction update_scheduled_transaction create_order place_order capture_order pay_order': act(
      'high',
      'pay payment:transfer',
      MONEY,
    ),
    'create_refund refund refund_payment accept_dispute_claim': act('high', 'pay payment:refund', MONEY),
    'create_subscription update_subscription cancel_subscription create_payment_link create_invoice finalize_invoice create_coupon create_promotion_code':
      act('high', 'change payment:billing', { from: ['customer', 'subscription', 'price'], reversible: true }),
    'create_customer create_product create_price update_dispute create_invoice_item create_shipment_tracking': act(
      'medium',
      'change payment:object',
      { from: ['name', 'email', 'product'] },
    ),
    'list_customers list_products list_prices list_invoices list_payment_intents list_subscriptions list_disputes retrieve_balance': act(
      'low',
      'read payment:read',
    ),
    ...each(
      'get_balance get_most_recent_transactions get_scheduled_transactions search_stripe_documentation list_transactions ' +
        'search_documentation list_coupons list_payouts',
      act('low', 'read payment:read'),
    ),
  }),
}

const OBJECT = {
  from: ['name', 'resource', 'pod', 'resourceType', 'kind'],
  attributes: {
    namespace: ['namespace'],
    type: ['resourceType', 'kind', 'resource_type'],
    context: ['context', 'kubeContext'],
    cluster: ['cluster'],
    selector: ['labelSelector', 'label_selector', 'selector'],
    all_namespaces: ['allNamespaces', 'all_namespaces'],
    all: ['all'],
  },
} as const

/** Reading a secret of the cluster is reading a secret. */
function readObjects(context: ToolContext): void {
  const kind = context.text('resourceType', 'resource_type', 'kind', 'resource') ?? ''
  const secret = /^secrets?(?:\/|\.|$)/i.test(kind)
  context.emit('read', context.thing('resource', context.text('name') ?? (kind === '' ? 'k8s:read' : kind)), {
    action: secret ? 'k8s:secret-read' : 'k8s:read',
    attributes: { ...(kind === '' ? {} : { type: kind }) },
  })
}

export const kubernetes: ToolFamily = {
  family: 'mcp-kubernetes',
  servers: ['kubernetes', 'k8s', 'kubectl', 'helm', 'openshift'],
  tools: byName({
    'kubectl_get kubectl_describe list_pods get_pods pods_list resources_list resources_get explain_resource': {
      ...act('low', 'read k8s:read', OBJECT),
      effects: [],
      refine: readObjects,
    },
    'kubectl_logs pods_log pods_get pods_top events_list namespaces_list list_api_resources kubectl_context ping': act(
      'low',
      'read k8s:read',
      OBJECT,
    ),
    node_management: act('high', 'change k8s:drain', { ...OBJECT, from: ['nodeName'], attributes: { operation: ['operation'] } }),
    'kubectl_apply kubectl_create kubectl_patch kubectl_scale kubectl_rollout apply_manifest resources_create_or_update': act(
      'high',
      'change k8s:apply',
      OBJECT,
    ),
    'kubectl_delete delete_pod pods_delete resources_delete delete_namespace cleanup': act('high', 'delete k8s:delete', {
      ...OBJECT,
      reversible: false,
    }),
    'exec_in_pod pods_exec kubectl_exec kubectl_generic pods_run': act('high', 'execute k8s:exec', OBJECT),
    'install_helm_chart upgrade_helm_chart helm_install': act('high', 'change helm:install', OBJECT),
    'uninstall_helm_chart helm_uninstall': act('high', 'delete helm:uninstall', { ...OBJECT, reversible: false }),
    port_forward: act('medium', 'change net:forward', OBJECT),
  }),
}
