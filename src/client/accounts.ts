/**
 * Resources of organizations and installations.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */

export type Account = {
  /** The organization that the key belongs to. */
  organization: {
    /** The identifier of the organization. It begins with org_. */
    id: string
    /** What people call the organization. */
    name: string
    /** When the organization was made. ISO 8601, UTC, with milliseconds. */
    createdAt: string
  }
  /** The plan of the organization. */
  plan: {
    /** The identifier of the plan. */
    id: 'free' | 'starter' | 'unlimited'
    /** The name of the plan, for people. */
    name: string
    /** What the plan allows. */
    limits: {
      /** The most bytes of stored originals and extracted texts together; null for no limit. */
      storageBytes: number | null
      /** The most memories; null for no limit. */
      memories: number | null
      /** The most queries of a calendar month; null for no limit. A find, a search and a question count one each. */
      queriesPerMonth: number | null
      /** The most bytes of a file that is added. */
      maxFileBytes: number
      /** The most bytes of a picture whose text is read. */
      maxImageBytes: number
      /** The seconds after which a request that is not answered fails. */
      requestTimeoutSeconds: number
      /** The most bytes of the body of a request. */
      requestBodyBytes: number
    }
  }
  /** What the organization uses now. */
  usage: {
    /** The bytes of stored originals and of extracted texts, as UTF-8, together. */
    storageBytes: number
    /** The memories that exist. */
    memories: number
    /** The documents of all memories, without corrections. */
    documents: number
    /** The queries of this calendar month: finds, searches and questions. */
    queries: number
    /** The calendar month, in UTC, that queries are counted in. */
    period: {
      /** The first moment of the month. ISO 8601, UTC, with milliseconds. */
      start: string
      /** The first moment of the next month, when queries are counted from 0 again. ISO 8601, UTC, with milliseconds. */
      end: string
    }
  }
  /** The key of this request; null where keys are switched off. */
  apiKey: {
    /** The identifier of the key. It begins with key_. */
    id: string
    /** What people call the key. */
    name: string
    /** What the key may do: all of its organization, or one memory. */
    scope: 'organization' | 'memory'
    /** The one memory of a memory-scoped key; null for an organization key. */
    memoryId: string | null
  } | null
}

export type ErrorBody = {
  /** What went wrong. */
  error: {
    /** The name of the error, such as validation_failed. Programs decide by it. */
    code: string
    /** What went wrong, as a sentence for people. */
    message: string
    /** The field that the error is about; null where it is about none. */
    param: string | null
    /** Every wrong field, at most 50; empty where the error is about none. */
    details: Array<{
      /** The path of the field, such as options.limit. */
      param: string
      /** What the field has to be. */
      message: string
    }>
    /** What the caller can do about it. */
    remedy: string
    /** The identifier of the request, as in the header X-Request-Id. */
    requestId: string
  }
}

export type Health = {
  /** The process answers. */
  status: 'healthy'
  /** The version of the service. */
  version: string
  /** The service's time. ISO 8601, UTC, with milliseconds. */
  timestamp: string
}

export type Key = {
  /** The identifier of the key. It begins with key_. */
  id: string
  /** What people call the key. */
  name: string
  /** The first 8 and the last 4 characters of the key. */
  keyPreview: string
  /** What the key may do: all of its organization, or one memory. */
  scope: 'organization' | 'memory'
  /** The one memory of a memory-scoped key; null for an organization key. */
  memoryId: string | null
  /** When the key was made. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the key was last used, to about a minute; null where it never was. */
  lastUsedAt: string | null
  /** When the key stops working; null where it never does. */
  expiresAt: string | null
}

export type NewKey = Key & {
  /** The key itself, as it is sent in a request. It is shown this once: an answer to a repeat under the same Idempotency-Key has null here. */
  key: string | null
}

export type NewOrganization = Organization & {
  /** The identifier of the first key of the organization. */
  keyId: string
  /** The first key of the organization, which may do everything in it. It is shown this once: an answer to a repeat under the same Idempotency-Key has null here. */
  key: string | null
}

export type NewWebhook = Webhook & {
  /** The secret that verifies signatures: whsec_ and base64, as the Standard Webhooks libraries take it. It is shown this once: an answer to a repeat under the same Idempotency-Key has null here. */
  secret: string | null
}

export type Organization = {
  /** The identifier of the organization. It begins with org_. */
  id: string
  /** What people call the organization. */
  name: string
  /** The plan, which sets the limits of storage, memories and queries. */
  plan: 'free' | 'starter' | 'unlimited'
  /** When the organization was made. ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export type Project = {
  /** The identifier of the project. It begins with prj_. */
  id: string
  /** The name of the project. An organization has it once, in whatever case. */
  name: string
  /** The memories of the project. */
  memoryCount: number
  /** When the project was made. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the project was last renamed. ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}

export type Readiness = {
  /** Whether the service can do its work. */
  status: 'ready' | 'degraded'
  /** The version of the service. */
  version: string
  /** The service's time. ISO 8601, UTC, with milliseconds. */
  timestamp: string
  /** What was tried, by name: database, objectStore, and others that are optional. */
  checks: Record<string, {
    /** Whether what was tried works. */
    status: 'up' | 'down'
    /** The time that the check took, in milliseconds. It is present where it is up. */
    latencyMs?: number
    /** What went wrong. It is present where it is down. */
    error?: string
    /** True where the service is ready without it. It is absent otherwise. */
    optional?: boolean
  }>
}

export type Webhook = {
  /** The identifier of the webhook. It begins with whk_. */
  id: string
  /** Where the messages go. */
  url: string
  /** What is sent. */
  events: Array<'job.completed' | 'job.failed' | 'job.partial'>
  /** Whether messages are sent. One that fails for too long is disabled; a test that arrives enables it again. */
  status: 'enabled' | 'disabled'
  /** Why nothing is sent; null while the webhook is enabled. */
  disabledReason: string | null
  /** The attempts in a row that failed. */
  consecutiveFailures: number
  /** When that row began; null where the last attempt arrived. */
  failingSince: string | null
  /** The messages that wait to be sent, or sent again. */
  waiting: number
  /** When the webhook was made. ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export type WebhookDelivery = {
  /** The identifier of the attempt. It begins with dlv_. */
  id: string
  /** The identifier of the message, which is the header webhook-id and the same in every attempt. */
  messageId: string
  /** What the message tells. */
  event: 'job.completed' | 'job.failed' | 'job.partial' | 'webhook.test'
  /** The job that the message tells of; null for a test. */
  jobId: string | null
  /** The number of the attempt, from 1. */
  attempt: number
  /** Whether the receiver took the message. */
  outcome: 'delivered' | 'failed'
  /** The status of the answer; null where there was no answer. */
  statusCode: number | null
  /** The time that the attempt took, in milliseconds. */
  durationMs: number
  /** The first 1,000 characters of the answer; null where there was no answer. */
  response: string | null
  /** Why the attempt failed; null where it did not. */
  error: string | null
  /** When the attempt began. ISO 8601, UTC, with milliseconds. */
  attemptedAt: string
  /** When the message is sent again; null where it is not. */
  nextAttemptAt: string | null
}
