/** Common MCP servers of stores and clouds without SQL, and of small things that touch nothing. */
import { isJsonObject, type Json } from '../../../core/json.ts'
import type { ToolContext, ToolFamily, ToolSpec } from '../spec.ts'
import { act, byName, FETCH_URL, quiet, reads } from './shapes.ts'

const PLACE = {
  kind: 'database',
  from: ['database', 'db', 'projectId'],
  value: 'database',
  attributes: { table: ['collection', 'key', 'name'] },
} as const

const change = (action: string) => act('medium', `change ${action}`, PLACE)
const write = (action: string) => act('medium', `write ${action}`, PLACE)
const destroy = (action: string) => act('high', `delete ${action}`, { ...PLACE, reversible: false })

const isEmpty = (filter: Json | undefined) =>
  filter === undefined || filter === null || (isJsonObject(filter) && Object.keys(filter).length === 0)

/** A change of many documents is limited by its filter, or by nothing. */
function filtered(verb: 'write' | 'delete', action: string): ToolSpec {
  return {
    ...act('medium', `${verb} ${action}`, PLACE),
    effects: [],
    refine: (context) => {
      const limited = !isEmpty(context.value('filter'))
      const collection = context.text('collection')
      context.emit(verb, context.thing('database', context.text('database', 'db') ?? 'database'), {
        action,
        reversible: verb === 'write' && limited,
        attributes: { ...(collection === null ? {} : { table: collection }), where: limited },
      })
    },
  }
}

/** `$out` and `$merge` write, wherever the pipeline is read from. */
function aggregate(context: ToolContext): void {
  const stages = context.value('pipeline')
  for (const stage of Array.isArray(stages) ? stages : []) {
    if (isJsonObject(stage) && (Object.hasOwn(stage, '$out') || Object.hasOwn(stage, '$merge')))
      context.emit('write', context.thing('database', context.text('database', 'db') ?? 'database'), {
        action: 'sql:replace',
        reversible: false,
      })
  }
}

const READ_STORE = act('low', 'read sql:select', PLACE)

export const mongodb: ToolFamily = {
  family: 'mcp-mongodb',
  servers: ['mongodb', 'mongo', 'atlas'],
  exact: true,
  tools: byName({
    'find count list-databases list-collections collection-indexes collection-schema collection-storage-size db-stats': READ_STORE,
    'explain mongodb-logs list-knowledge-sources search-knowledge atlas-list-orgs atlas-list-projects atlas-list-clusters': READ_STORE,
    'atlas-inspect-cluster atlas-inspect-access-list atlas-list-db-users atlas-list-alerts atlas-get-performance-advisor': READ_STORE,
    aggregate: { ...READ_STORE, refine: aggregate },
    'insert-one insert-many create-collection': write('sql:insert'),
    'update-one': write('sql:update'),
    'update-many': filtered('write', 'sql:update'),
    'delete-many': filtered('delete', 'sql:delete'),
    'delete-one': act('medium', 'delete sql:delete', { ...PLACE, fixed: { where: true }, reversible: false }),
    'create-index rename-collection': change('sql:alter'),
    'drop-collection drop-database': destroy('sql:drop'),
    'drop-index': act('medium', 'change sql:alter', PLACE),
    export: { ...READ_STORE, on: { path: 'write' } },
    'connect switch-connection atlas-connect-cluster atlas-local-connect-deployment': {
      ...act('medium', 'change db:connect', PLACE),
      on: {},
      args: { connectionString: 'ignore' },
    },
    'atlas-create-project atlas-create-free-cluster atlas-local-create-deployment': change('cloud:create'),
    'atlas-create-access-list atlas-create-db-user': change('cloud:iam'),
    'atlas-local-delete-deployment': destroy('cloud:delete'),
  }),
}

export const redis: ToolFamily = {
  family: 'mcp-redis',
  servers: ['redis', 'valkey', 'upstash'],
  exact: true,
  tools: byName({
    'get hget hgetall hexists llen lrange smembers zrange xrange json_get dbsize info client_list type get_indexes': READ_STORE,
    'get_index_info get_indexed_keys_number get_vector_from_hash vector_search_hash scan_keys scan_all_keys list search_redis_documents':
      READ_STORE,
    'set hset set_vector_in_hash lpush rpush sadd zadd xadd json_set expire create_vector_index_hash': write('sql:insert'),
    'hdel lpop rpop srem zrem xdel json_del delete': act('medium', 'delete sql:delete', {
      ...PLACE,
      fixed: { where: true },
      reversible: false,
    }),
    rename: change('sql:alter'),
    'flushall flushdb flush_all flush_db': destroy('sql:flush'),
    publish: act('medium', 'send message:send', { from: ['channel'], reversible: false }),
    'subscribe unsubscribe': READ_STORE,
  }),
}

export const aws: ToolFamily = {
  family: 'mcp-aws',
  servers: ['aws', 'aws-api', 'awslabs', 'aws-mcp'],
  exact: true,
  tools: {
    call_aws: { tier: 'medium', args: { cli_command: 'shell' } },
    ...quiet('suggest_aws_commands recommend'),
    ...reads('search_documentation read_documentation get_resource list_resources get_resource_request_status get_available_services'),
    create_resource: act('high', 'change cloud:create', { from: ['resource_type', 'identifier'] }),
    update_resource: act('high', 'change cloud:update', { from: ['resource_type', 'identifier'] }),
    delete_resource: act('high', 'delete cloud:delete', { from: ['identifier', 'resource_type'], reversible: false }),
  },
}

/** Thinking, clocks and manuals. */
export const aids: ToolFamily = {
  family: 'mcp-aids',
  servers: ['sequential-thinking', 'time', 'context7', 'deepwiki', 'microsoft-docs', 'calculator'],
  exact: true,
  tools: {
    ...quiet('sequentialthinking get_current_time convert_time calculate'),
    ...reads('resolve-library-id get-library-docs query-docs read_wiki_structure read_wiki_contents ask_question microsoft_docs_search'),
    microsoft_docs_fetch: FETCH_URL,
  },
}
