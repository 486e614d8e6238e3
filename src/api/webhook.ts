/** Webhooks of an organization for job events. */
import { type Static, Type } from 'typebox'
import { EARLIER, IDS } from './example-data.ts'
import { URL_CHARACTERS } from './fields.ts'
import { Count, List, Nullable, NullableTimestamp, OneOf, ShownOnce, Text, Timestamp } from './values.ts'

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = ['job.completed', 'job.failed', 'job.partial'] as const

/** Event that a webhook can subscribe to. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Request body of POST /v1/webhooks. */
export const CreateWebhookBody = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: URL_CHARACTERS,
    description: 'URL to send messages to: a public HTTP or HTTPS URL.',
  }),
  events: Type.Optional(
    Type.Array(OneOf(WEBHOOK_EVENTS), {
      minItems: 1,
      maxItems: WEBHOOK_EVENTS.length,
      default: [...WEBHOOK_EVENTS],
      description: 'Events to send. Defaults to all events.',
    }),
  ),
})

const WEBHOOK_FIELDS = {
  id: Text('Unique identifier of the webhook. Starts with `whk_`.'),
  url: Text('URL to send messages to.'),
  events: List(OneOf(WEBHOOK_EVENTS), 'Events to send.'),
  status: OneOf(
    ['enabled', 'disabled'],
    '`enabled` while messages are sent. A webhook is disabled after failing for too long; a successful test ' +
      'message enables it again.',
  ),
  disabledReason: Nullable(Type.String(), 'Reason why the webhook is disabled. Null if it is enabled.'),
  consecutiveFailures: Count('Number of consecutive failed attempts.'),
  failingSince: NullableTimestamp('Time of the first of these failures. Null if the last attempt succeeded.'),
  waiting: Count('Number of messages waiting for delivery or retry.'),
  createdAt: Timestamp('Time at which the webhook was created.'),
}

/** A webhook without its secret. */
export const WebhookSchema = Type.Object(WEBHOOK_FIELDS, {
  $id: 'Webhook',
  description: 'A URL that receives messages about the jobs of an organization.',
})

/** A webhook without its secret. */
export type WebhookResource = Static<typeof WebhookSchema>

/** A new webhook with its secret. */
export const NewWebhookSchema = Type.Object(
  {
    ...WEBHOOK_FIELDS,
    secret: ShownOnce(
      'Secret for verifying signatures: `whsec_` plus base64, as the Standard Webhooks libraries expect it.',
    ),
  },
  { $id: 'NewWebhook', description: 'A new webhook, with its secret.' },
)

/** A new webhook with its secret. */
export type NewWebhookResource = Static<typeof NewWebhookSchema>

/** An attempt to deliver a message. */
export const WebhookDeliverySchema = Type.Object(
  {
    id: Text('Unique identifier of the attempt. Starts with `dlv_`.'),
    messageId: Text(
      'Identifier of the message, sent in the `webhook-id` header. All attempts of a message have the same.',
    ),
    event: OneOf([...WEBHOOK_EVENTS, 'webhook.test'], 'Event of the message.'),
    jobId: Nullable(Type.String(), 'Job of the message. Null for a test.'),
    attempt: Type.Integer({ minimum: 1, description: 'Number of the attempt, starting at 1.' }),
    outcome: OneOf(['delivered', 'failed'], '`delivered` if the receiver accepted the message.'),
    statusCode: Nullable(Type.Integer(), 'HTTP status of the response. Null if there was no response.'),
    durationMs: Count('Duration of the attempt, in milliseconds.'),
    response: Nullable(Type.String(), 'First 1,000 characters of the response. Null if there was no response.'),
    error: Nullable(Type.String(), 'Cause of the failure. Null if the attempt succeeded.'),
    attemptedAt: Timestamp('Time at which the attempt started.'),
    nextAttemptAt: NullableTimestamp('Time of the next attempt. Null if there is none.'),
  },
  { $id: 'WebhookDelivery', description: 'An attempt to deliver a message.' },
)

/** An attempt to deliver a message. */
export type WebhookDeliveryResource = Static<typeof WebhookDeliverySchema>

/** Example webhook. */
export const WEBHOOK_EXAMPLE: WebhookResource = {
  id: IDS.webhook,
  url: 'https://hooks.example.com/recollect',
  events: ['job.completed', 'job.failed', 'job.partial'],
  status: 'enabled',
  disabledReason: null,
  consecutiveFailures: 0,
  failingSince: null,
  waiting: 0,
  createdAt: EARLIER,
}

/** Example of a successful delivery. */
export const DELIVERY_EXAMPLE: WebhookDeliveryResource = {
  id: IDS.delivery,
  messageId: IDS.message,
  event: 'job.completed',
  jobId: IDS.job,
  attempt: 1,
  outcome: 'delivered',
  statusCode: 204,
  durationMs: 38,
  response: '',
  error: null,
  attemptedAt: '2026-11-21T09:46:51.640Z',
  nextAttemptAt: null,
}
