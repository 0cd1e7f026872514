/** The part of `pg` that tests use; the package brings no types. */
declare module 'pg' {
  export class Client {
    constructor(options: { readonly connectionString: string })
    connect(): Promise<unknown>
    query(sql: string): Promise<{ readonly rows: readonly unknown[] }>
    on(event: 'error', listener: () => void): unknown
    end(): Promise<unknown>
  }
}
