import { Type } from 'typebox'
import { Count, Nullable, OneOf, shownOnce, Timestamp } from './values.ts'

/** What a webhook may hear of. */
export const WEBHOOK_EVENTS = ['job.completed', 'job.failed', 'job.partial'] as const

/** Longest URL that is read; that of documents has the same limit. */
const URL_CHARACTERS = 8192

/** The body of POST /v1/webhooks. */
export const CreateWebhookBody = Type.Object({
  url: Type.String({ minLength: 1, maxLength: URL_CHARACTERS, description: 'http or https, and public.' }),
  events: Type.Optional(
    Type.Array(OneOf(WEBHOOK_EVENTS), {
      minItems: 1,
      maxItems: WEBHOOK_EVENTS.length,
      default: [...WEBHOOK_EVENTS],
      description: 'What is sent; everything when absent.',
    }),
  ),
})

const WEBHOOK_FIELDS = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(OneOf(WEBHOOK_EVENTS)),
  status: OneOf(['enabled', 'disabled']),
  disabledReason: Nullable(Type.String({ description: 'Why nothing is sent. A test that arrives enables it again.' })),
  consecutiveFailures: Type.Integer({ minimum: 0, description: 'Attempts in a row that failed.' }),
  failingSince: Nullable(Timestamp),
  waiting: Type.Integer({ minimum: 0, description: 'Messages that wait to be sent, or sent again.' }),
  createdAt: Timestamp,
}

/** A webhook without its secret. */
export const WebhookSchema = Type.Object(WEBHOOK_FIELDS, { $id: 'Webhook' })

/** A webhook as it is shown once, when it is made. */
export const NewWebhookSchema = Type.Object(
  {
    ...WEBHOOK_FIELDS,
    secret: shownOnce('Verifies signatures: whsec_ and base64, as the Standard Webhooks libraries take it.'),
  },
  { $id: 'NewWebhook' },
)

/** One attempt to deliver a message. */
export const WebhookDeliverySchema = Type.Object(
  {
    id: Type.String(),
    messageId: Type.String({ description: 'webhook-id: the same in every attempt.' }),
    event: OneOf([...WEBHOOK_EVENTS, 'webhook.test']),
    jobId: Nullable(Type.String()),
    attempt: Type.Integer({ minimum: 1 }),
    outcome: OneOf(['delivered', 'failed']),
    statusCode: Nullable(Type.Integer({ description: 'null where there was no answer.' })),
    durationMs: Count,
    response: Nullable(Type.String({ description: 'The first 1,000 characters of the answer.' })),
    error: Nullable(Type.String()),
    attemptedAt: Timestamp,
    nextAttemptAt: Nullable(Timestamp),
  },
  { $id: 'WebhookDelivery' },
)
