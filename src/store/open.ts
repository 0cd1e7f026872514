/** Where a store comes from. Today there is one: the SQLite file of a state directory. */
export { type EmbeddedStore, openStore, type StoreOptions } from './sqlite/open.ts'
