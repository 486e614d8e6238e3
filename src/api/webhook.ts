/** Where an organization wants to hear of its jobs. */
import { type Static, Type } from 'typebox'
import { URL_CHARACTERS } from './fields.ts'
import { EARLIER, IDS } from './story.ts'
import { Count, List, Nullable, NullableTimestamp, OneOf, ShownOnce, Text, Timestamp } from './values.ts'

/** What a webhook may hear of. */
export const WEBHOOK_EVENTS = ['job.completed', 'job.failed', 'job.partial'] as const

/** What a webhook hears of. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The body of POST /v1/webhooks. */
export const CreateWebhookBody = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: URL_CHARACTERS,
    description: 'Where the messages go: an http or https URL, and public.',
  }),
  events: Type.Optional(
    Type.Array(OneOf(WEBHOOK_EVENTS), {
      minItems: 1,
      maxItems: WEBHOOK_EVENTS.length,
      default: [...WEBHOOK_EVENTS],
      description: 'What is sent; everything where it is left out.',
    }),
  ),
})

const WEBHOOK_FIELDS = {
  id: Text('The identifier of the webhook. It begins with whk_.'),
  url: Text('Where the messages go.'),
  events: List(OneOf(WEBHOOK_EVENTS), 'What is sent.'),
  status: OneOf(
    ['enabled', 'disabled'],
    'Whether messages are sent. One that fails for too long is disabled; a test that arrives enables it again.',
  ),
  disabledReason: Nullable(Type.String(), 'Why nothing is sent; null while the webhook is enabled.'),
  consecutiveFailures: Count('The attempts in a row that failed.'),
  failingSince: NullableTimestamp('When that row began; null where the last attempt arrived.'),
  waiting: Count('The messages that wait to be sent, or sent again.'),
  createdAt: Timestamp('When the webhook was made.'),
}

/** A webhook without its secret. */
export const WebhookSchema = Type.Object(WEBHOOK_FIELDS, {
  $id: 'Webhook',
  description: 'A place that is told of the jobs of an organization.',
})

/** A webhook without its secret. */
export type WebhookResource = Static<typeof WebhookSchema>

/** A webhook as it is shown once, when it is made. */
export const NewWebhookSchema = Type.Object(
  {
    ...WEBHOOK_FIELDS,
    secret: ShownOnce(
      'The secret that verifies signatures: whsec_ and base64, as the Standard Webhooks libraries take it.',
    ),
  },
  { $id: 'NewWebhook', description: 'A webhook that was just made, with its secret.' },
)

/** A webhook as it is shown once, when it is made. */
export type NewWebhookResource = Static<typeof NewWebhookSchema>

/** One attempt to deliver a message. */
export const WebhookDeliverySchema = Type.Object(
  {
    id: Text('The identifier of the attempt. It begins with dlv_.'),
    messageId: Text('The identifier of the message, which is the header webhook-id and the same in every attempt.'),
    event: OneOf([...WEBHOOK_EVENTS, 'webhook.test'], 'What the message tells.'),
    jobId: Nullable(Type.String(), 'The job that the message tells of; null for a test.'),
    attempt: Type.Integer({ minimum: 1, description: 'The number of the attempt, from 1.' }),
    outcome: OneOf(['delivered', 'failed'], 'Whether the receiver took the message.'),
    statusCode: Nullable(Type.Integer(), 'The status of the answer; null where there was no answer.'),
    durationMs: Count('The time that the attempt took, in milliseconds.'),
    response: Nullable(Type.String(), 'The first 1,000 characters of the answer; null where there was no answer.'),
    error: Nullable(Type.String(), 'Why the attempt failed; null where it did not.'),
    attemptedAt: Timestamp('When the attempt began.'),
    nextAttemptAt: NullableTimestamp('When the message is sent again; null where it is not.'),
  },
  { $id: 'WebhookDelivery', description: 'An attempt to deliver a message.' },
)

/** One attempt to deliver a message. */
export type WebhookDeliveryResource = Static<typeof WebhookDeliverySchema>

/** A webhook of the help desk. */
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

/** The attempt that told it of the job. */
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
