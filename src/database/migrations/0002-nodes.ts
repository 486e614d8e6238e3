import type { Migration } from './migration.ts'

/** What several processes on one database need to know of each other. */
export const nodes: Migration = {
  name: '0002-nodes',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    // What is counted for a minute may be lost with a crash of the server, and need not be forced to its disk.
    const passing = dialect === 'sqlite' ? 'table' : 'unlogged table'
    return [
      `create table nodes (id ${text} not null primary key, seen_at ${text} not null)`,
      `create table leases (name ${text} not null primary key, owner ${text} not null, expires_at ${text} not null)`,
      `create ${passing} rate_windows (
        name ${text} not null primary key, ends_at ${text} not null, requests integer not null)`,
      `create table installation (
        one integer not null primary key check (one = 1), objects_id ${text} not null)`,
      `create index idempotency_running on idempotency (owner) where state = 'running'`,
    ]
  },
}
