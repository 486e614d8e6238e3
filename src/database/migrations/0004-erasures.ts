import type { Migration } from './migration.ts'

/** What is known of memory files that hold what was deleted, and of kept answers that may name it. */
export const erasures: Migration = {
  name: '0004-erasures',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [
      `create table erasures (
        memory_id ${text} not null,
        version bigint not null,
        first_at ${text} not null,
        last_at ${text} not null,
        erased_at ${text},
        primary key (memory_id, version))`,
      `alter table idempotency add column memory_id ${text}`,
      'alter table idempotency add column commits integer not null default 0',
      `create index idempotency_of_memory on idempotency (memory_id, commits, key_id, idempotency_key)
        where memory_id is not null`,
    ]
  },
}
