import { describe, expect, test } from 'vitest'
import { target } from '../effect.ts'
import { analyseSql, changesGraph } from './index.ts'

const SPAN = { pointer: '/query', start: 0, end: 0 }

/** `delete sql:delete!where=false`, other targets by name. */
function shown(text: string): string {
  return analyseSql(text, { span: SPAN, database: target('database', 'db') })
    .map(({ verb, action, target: { kind, value }, reversible, attributes: { where } }) =>
      [verb, action ?? '', kind === 'database' ? '' : value, reversible ? '' : '!', where === undefined ? '' : `where=${String(where)}`]
        .filter((part) => part !== '')
        .join(' '),
    )
    .join(' | ')
}

const CASES = {
  cypher: [
    ['MATCH (n) RETURN count(n)', 'read sql:select'],
    ['match (n:Deleted) return n.delete_reason', 'read sql:select'],
    ["MATCH (n {name: 'DELETE ME'}) RETURN n", 'read sql:select'],
    ['MATCH (n) DETACH DELETE n', 'delete sql:delete ! where=false'],
    ['MATCH (o:Order) DELETE o', 'delete sql:delete ! where=false'],
    ['MATCH (o:Order {id: 7}) DETACH DELETE o', 'delete sql:delete ! where=true'],
    ['MATCH (o:Order) WHERE o.id = 7 DETACH DELETE o', 'delete sql:delete ! where=true'],
    ["MATCH (c:Customer) SET c.tier = 'gold'", 'write sql:update'],
    ["CREATE (a:Person {name: 'Ann'})", 'write sql:insert'],
    ['// all of it\nMATCH (n) /* DETACH */ DELETE n', 'delete sql:delete ! where=false'],
    [
      "LOAD CSV FROM 'https://x.example/a.csv' AS row CREATE (:A {b: row[0]})",
      'fetch sql:read-file https://x.example/a.csv | write sql:insert',
    ],
    ['MATCH (n) RETURN n; MATCH (m) DETACH DELETE m;', 'read sql:select | delete sql:delete ! where=false'],
  ],
  sparql: [
    ['CLEAR ALL', 'delete sql:drop !'],
    ['DROP GRAPH <https://acme.example/orders>', 'delete sql:drop !'],
    ['DELETE WHERE { ?s ?p ?o }', 'delete sql:delete ! where=false'],
    ['DELETE WHERE { ?s <https://acme.example/old> ?o }', 'delete sql:delete ! where=true'],
    ['PREFIX a: <https://acme.example/>\nINSERT DATA { a:b a:c a:d }', 'write sql:insert'],
  ],
  gremlin: [
    ["g.V().hasLabel('order').count()", 'read sql:select'],
    ['g.V().drop()', 'delete sql:delete ! where=false'],
    ["g.V().has('order', 'id', 7).drop().iterate()", 'delete sql:delete ! where=true'],
    ["g.addV('person').property('name', 'ann')", 'write sql:insert'],
  ],
  'what is SQL stays SQL': [
    ["SELECT a FROM t WHERE MATCH (a) AGAINST ('x')", 'read sql:select'],
    ['DROP TABLE orders', 'delete sql:drop !'],
  ],
} as const

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  for (const [text, expected] of cases) test(text, () => expect(shown(text)).toBe(expected))
})

test('what a procedure of the server runs is not told', () => {
  expect(shown("CALL apoc.cypher.runFile('https://x.example/a.cypher')")).toMatch(/opaque/)
})

describe('texts that are none', () => {
  for (const text of [
    'Match the (old) price',
    'Please delete where it hurts',
    'copy that',
    'g.example.net',
    'add graph to the page',
    'return it',
  ])
    test(text, () => expect(changesGraph(text)).toBe(false))
})
