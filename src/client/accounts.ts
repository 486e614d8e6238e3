/**
 * Resources of organizations and installations.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { Memory, Warning } from './resources.ts'

export type Account = {
  /** Organization that owns the API key. */
  organization: {
    /** Unique identifier of the organization. Starts with `org_`. */
    id: string
    /** Display name of the organization. */
    name: string
    /** Time at which the organization was created. ISO 8601, UTC, with milliseconds. */
    createdAt: string
  }
  /** Plan of the organization. */
  plan: {
    /** Identifier of the plan. */
    id: 'free' | 'starter' | 'unlimited'
    /** Display name of the plan. */
    name: string
    /** Limits of the plan. */
    limits: {
      /** Maximum bytes of stored originals plus extracted text. Null if unlimited. */
      storageBytes: number | null
      /** Maximum number of memories. Null if unlimited. */
      memories: number | null
      /**
       * Maximum number of queries per calendar month. Null if unlimited. Each find, search and ask
       * request counts as one query.
       */
      queriesPerMonth: number | null
      /** Maximum size of an added file, in bytes. */
      maxFileBytes: number
      /** Maximum size of an image, in bytes. */
      maxImageBytes: number
      /** Request timeout, in seconds. */
      requestTimeoutSeconds: number
      /** Maximum size of a request body, in bytes. */
      requestBodyBytes: number
    }
  }
  /** Current usage of the organization. */
  usage: {
    /** Bytes of stored originals plus extracted text (UTF-8). */
    storageBytes: number
    /** Number of memories. */
    memories: number
    /** Number of documents in all memories, excluding corrections. */
    documents: number
    /** Number of queries in the current calendar month: find, search and ask requests. */
    queries: number
    /** Calendar month (UTC) over which queries are counted. */
    period: {
      /** Start of the month. ISO 8601, UTC, with milliseconds. */
      start: string
      /**
       * Start of the next month, when the query count resets to 0. ISO 8601, UTC, with
       * milliseconds.
       */
      end: string
    }
  }
  /** API key of the request, or the person who signed in. Null if authentication is disabled. */
  apiKey: OwnKey | null
}

export type ChangedKey = Key & {
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type ChangedMemory = Memory & {
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type ErrorBody = {
  /** Details of the error. */
  error: {
    /** Stable error code, such as `validation_failed`. Use it in your program logic. */
    code: string
    /** Description of the error, for people. */
    message: string
    /** Request field that caused the error. Null if there is none. */
    param: string | null
    /** All invalid fields, up to 50. Empty if the error has no field. */
    details: Array<{
      /** Path of the field, such as `options.limit`. */
      param: string
      /** Requirement that the value does not meet. */
      message: string
    }>
    /** Remedy for the caller. */
    remedy: string
    /** Identifier of the request, as in the `X-Request-Id` header. */
    requestId: string
  }
}

export type Health = {
  /** Always `healthy`. */
  status: 'healthy'
  /** Version of the service. */
  version: string
  /** Current time of the service. ISO 8601, UTC, with milliseconds. */
  timestamp: string
}

export type ImportedMemory = Memory & {
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type Key = {
  /** Unique identifier of the key. Starts with `key_`. */
  id: string
  /** Display name of the key. */
  name: string
  /** First 8 and last 4 characters of the key. */
  keyPreview: string
  /** Scope of the key: the whole organization, or some memories. */
  scope: 'organization' | 'memory'
  /** Role of the key: admins manage keys, writers change data, readers read. */
  role: 'admin' | 'writer' | 'reader'
  /** Memory of a key of one memory. Null for other keys. */
  memoryId: string | null
  /** Memories of a memory-scoped key. Empty for an organization key. */
  memoryIds: string[]
  /** Time at which the key was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Time of the last use, accurate to about a minute. Null if never used. */
  lastUsedAt: string | null
  /** Time at which the key expires. Null if it never expires. */
  expiresAt: string | null
}

export type NewKey = Key & {
  /**
   * The secret API key. Returned only once: a replayed response (same Idempotency-Key) has null
   * here.
   */
  key: string | null
}

export type NewMemory = Memory & {
  /** Unknown fields of the request. Absent if there were none. */
  warnings?: Warning[]
}

export type NewOrganization = Organization & {
  /** Identifier of the organization's first key. */
  keyId: string
  /**
   * Secret of the organization's first key, which has full access to the organization. Returned
   * only once: a replayed response (same Idempotency-Key) has null here.
   */
  key: string | null
}

export type NewWebhook = Webhook & {
  /**
   * Secret for verifying signatures: `whsec_` plus base64, as the Standard Webhooks libraries
   * expect it. Returned only once: a replayed response (same Idempotency-Key) has null here.
   */
  secret: string | null
}

export type Organization = {
  /** Unique identifier of the organization. Starts with `org_`. */
  id: string
  /** Display name of the organization. */
  name: string
  /** Plan of the organization. It sets the limits of storage, memories and queries. */
  plan: 'free' | 'starter' | 'unlimited'
  /** Time at which the organization was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export type OwnKey = {
  /** Unique identifier of the key. Starts with `key_`, for a person who signed in with `usr_`. */
  id: string
  /** Display name of the key, or of the person. */
  name: string
  /** Scope of the key: the whole organization, or some memories. */
  scope: 'organization' | 'memory'
  /** Role of the key: admins manage keys, writers change data, readers read. */
  role: 'admin' | 'writer' | 'reader'
  /** Memory of a key of one memory. Null for other keys. */
  memoryId: string | null
  /** Memories of a memory-scoped key. Empty for an organization key. */
  memoryIds: string[]
}

export type Project = {
  /** Unique identifier of the project. Starts with `prj_`. */
  id: string
  /** Name of the project, unique within the organization (case-insensitive). */
  name: string
  /** Number of memories in the project. */
  memoryCount: number
  /** Time at which the project was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Time at which the project was last renamed. ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}

export type Readiness = {
  /** `ready` if all required dependencies are available. */
  status: 'ready' | 'degraded'
  /** Version of the service. */
  version: string
  /** Current time of the service. ISO 8601, UTC, with milliseconds. */
  timestamp: string
  /** Checks by name: `database`, `objectStore`, and optional dependencies. */
  checks: Record<string, {
    /** Result of the check. */
    status: 'up' | 'down'
    /** Duration of the check, in milliseconds. Present if `status` is `up`. */
    latencyMs?: number
    /** Cause of the failure. Present if `status` is `down`. */
    error?: string
    /** True if the service is ready without this dependency. Absent otherwise. */
    optional?: boolean
  }>
}

export type Usage = {
  /** First day of the range. */
  from: string
  /** Last day of the range. */
  to: string
  /** Every day of the range, earliest first. */
  days: UsageDay[]
  totals: UsageFigures
  /** Grouping of the request. Null without one. */
  groupBy: 'memory' | 'key' | null
  /**
   * The memories or keys with the most requests and added documents, at most 50. Empty if
   * ungrouped.
   */
  groups: UsageGroup[]
  /** Number of further memories or keys. The totals include them. */
  groupsLeftOut: number
  /** Unknown fields of the request. Absent if there were none. */
  warnings?: Warning[]
}

export type UsageDay = UsageFigures & {
  /** Day in UTC, such as `2026-11-28`. */
  day: string
}

export type UsageFigures = {
  /** Answered find and search requests. */
  finds: number
  /** Answered questions, including those without an answer. */
  asks: number
  /** Questions without an answer (`answered` is false). */
  asksDeclined: number
  /** Extractions. */
  extractions: number
  /** Requests of any kind with a status of 500 or more. */
  failedRequests: number
  /** Documents added, excluding corrections and imports. */
  documentsAdded: number
  /** Pages and images of added documents whose text was recognized (OCR). */
  pagesRecognized: number
  /** Pages, sheets and slides of added documents that contain text. */
  pagesWithText: number
  /** Median of the times of finds, in milliseconds, estimated. Null without finds. */
  findP50Ms: number | null
  /** 95th percentile of the times of finds, in milliseconds, estimated. Null without finds. */
  findP95Ms: number | null
  /** Median of the times of asks, in milliseconds, estimated. Null without asks. */
  askP50Ms: number | null
  /** 95th percentile of the times of asks, in milliseconds, estimated. Null without asks. */
  askP95Ms: number | null
  /** Bytes of stored originals plus extracted text at the end. Null if not measured. */
  storageBytes: number | null
  /** Documents at the end, excluding corrections. Null if not measured. */
  documents: number | null
  /** Chunks at the end. Null if not measured. */
  chunks: number | null
}

export type UsageGroup = {
  /**
   * Memory or key. Null for requests of several memories or of none, for people and requests
   * without a key, and for deleted memories and revoked keys.
   */
  id: string | null
  /** Every day of the range, earliest first. */
  days: UsageDay[]
  totals: UsageFigures
}

export type Webhook = {
  /** Unique identifier of the webhook. Starts with `whk_`. */
  id: string
  /** URL to send messages to. */
  url: string
  /** Events to send. */
  events: Array<'job.completed' | 'job.failed' | 'job.partial'>
  /**
   * `enabled` while messages are sent. A webhook is disabled after failing for too long; a
   * successful test message enables it again.
   */
  status: 'enabled' | 'disabled'
  /** Reason why the webhook is disabled. Null if it is enabled. */
  disabledReason: string | null
  /** Number of consecutive failed attempts. */
  consecutiveFailures: number
  /** Time of the first of these failures. Null if the last attempt succeeded. */
  failingSince: string | null
  /** Number of messages waiting for delivery or retry. */
  waiting: number
  /** Time at which the webhook was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export type WebhookDelivery = {
  /** Unique identifier of the attempt. Starts with `dlv_`. */
  id: string
  /**
   * Identifier of the message, sent in the `webhook-id` header. All attempts of a message have the
   * same.
   */
  messageId: string
  /** Event of the message. */
  event: 'job.completed' | 'job.failed' | 'job.partial' | 'webhook.test'
  /** Job of the message. Null for a test. */
  jobId: string | null
  /** Number of the attempt, starting at 1. */
  attempt: number
  /** `delivered` if the receiver accepted the message. */
  outcome: 'delivered' | 'failed'
  /** HTTP status of the response. Null if there was no response. */
  statusCode: number | null
  /** Duration of the attempt, in milliseconds. */
  durationMs: number
  /** First 1,000 characters of the response. Null if there was no response. */
  response: string | null
  /** Cause of the failure. Null if the attempt succeeded. */
  error: string | null
  /** Time at which the attempt started. ISO 8601, UTC, with milliseconds. */
  attemptedAt: string
  /** Time of the next attempt. Null if there is none. */
  nextAttemptAt: string | null
}
