/** Tables of the outside world: receivers of messages, and sources of documents. */

/**
 * Webhook endpoints. `failures` counts consecutive failed attempts, `failing_since` is the first of
 * them.
 */
export type WebhookTable = {
  id: string
  organization_id: string
  url: string
  /** JSON array of event names. */
  events: string
  /** `whsec_` and base64, stored in plain text, because it signs messages. */
  secret: string
  status: 'enabled' | 'disabled'
  disabled_reason: string | null
  failures: number
  failing_since: string | null
  created_at: string
}

/**
 * Messages to send, written by the transaction that ends the job, and deleted after delivery or the
 * last attempt. A lease marks a message in flight.
 */
export type WebhookMessageTable = {
  id: string
  webhook_id: string
  organization_id: string
  event: string
  job_id: string
  /** JSON object: the job's row at its end, without the payload. */
  job: string
  attempts: number
  next_attempt_at: string
  lease_token: string | null
  lease_expires_at: string | null
  created_at: string
}

/** A delivery attempt. */
export type WebhookDeliveryTable = {
  id: string
  webhook_id: string
  message_id: string
  event: string
  /** `null` for a test. */
  job_id: string | null
  attempt: number
  outcome: 'delivered' | 'failed'
  status_code: number | null
  duration_ms: number
  /** Response body, truncated. */
  response: string | null
  error: string | null
  attempted_at: string
  next_attempt_at: string | null
}

/**
 * Sources of documents. A run is due when `next_run_at` has passed, holds a lease, and leaves
 * `next_run_at` unchanged until its end. So an interrupted run is due again.
 */
export type SourceTable = {
  id: string
  organization_id: string
  memory_id: string
  name: string
  type: 'website' | 's3' | 'folder'
  /** JSON object of the type. */
  settings: string
  /** Output of `encryptSecret`; `null` without credentials. */
  credentials: string | null
  /** JSON object of the fields of its documents: tags, metadata, storeSource. */
  fields: string
  interval_minutes: number | null
  paused: number
  next_run_at: string | null
  lease_token: string | null
  lease_expires_at: string | null
  /** Begins of the current run, which a crash may interrupt. */
  attempts: number
  /** JSON object of the run in progress and of the last one (`SourceRunResource`). */
  current_run: string | null
  last_run: string | null
  created_at: string
  updated_at: string
}

/**
 * An item of a source: a URL, an object key or a path. The row is written before the document.
 * `fingerprint` identifies the content, and is `null` until the document is added. `problem` is the
 * reason for content without a document.
 */
export type SourceItemTable = {
  source_id: string
  key: string
  memory_id: string
  document_id: string | null
  job_id: string | null
  fingerprint: string | null
  problem: string | null
}
