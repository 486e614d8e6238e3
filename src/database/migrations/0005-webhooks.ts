import type { Migration } from './migration.ts'

/**
 * Webhooks, what waits to be sent to them, and how the attempts went.
 *
 * There is no foreign key from messages and deliveries to webhooks: the end of a job must not fail since a webhook is being
 * deleted at that moment. What is left over belongs to nothing, is never sent, and is purged.
 */
export const webhooks: Migration = {
  name: '0005-webhooks',
  statements: (dialect) => {
    const text = dialect === 'sqlite' ? 'text' : 'text collate "C"'
    return [
      `create table webhooks (
        id ${text} not null primary key,
        organization_id ${text} not null references organizations (id),
        url ${text} not null,
        events ${text} not null,
        secret ${text} not null,
        status ${text} not null,
        disabled_reason ${text},
        failures integer not null,
        failing_since ${text},
        created_at ${text} not null)`,
      'create index webhooks_of_organization on webhooks (organization_id, id)',
      `create table webhook_messages (
        id ${text} not null primary key,
        webhook_id ${text} not null,
        organization_id ${text} not null,
        event ${text} not null,
        job_id ${text} not null,
        job ${text} not null,
        attempts integer not null,
        next_attempt_at ${text} not null,
        lease_token ${text},
        lease_expires_at ${text},
        created_at ${text} not null)`,
      `create index webhook_messages_waiting on webhook_messages (webhook_id, next_attempt_at, id)
        where lease_token is null`,
      `create index webhook_messages_sending on webhook_messages (organization_id, webhook_id)
        where lease_token is not null`,
      `create table webhook_deliveries (
        id ${text} not null primary key,
        webhook_id ${text} not null,
        message_id ${text} not null,
        event ${text} not null,
        job_id ${text},
        attempt integer not null,
        outcome ${text} not null,
        status_code integer,
        duration_ms integer not null,
        response ${text},
        error ${text},
        attempted_at ${text} not null,
        next_attempt_at ${text})`,
      'create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, attempted_at, id)',
      'create index webhook_deliveries_by_age on webhook_deliveries (attempted_at)',
    ]
  },
}
