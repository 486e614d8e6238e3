/**
 * Organizations and installations, from the OpenAPI document.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { Memory, Warning } from './api-types.ts'

export type Account = {
  organization: { id: string; name: string; createdAt: string }
  plan: {
    id: 'free' | 'starter' | 'unlimited'
    name: string
    limits: {
      storageBytes: number | null
      memories: number | null
      queriesPerMonth: number | null
      maxFileBytes: number
      maxImageBytes: number
      requestTimeoutSeconds: number
      requestBodyBytes: number
    }
  }
  usage: {
    storageBytes: number
    memories: number
    documents: number
    queries: number
    period: { start: string; end: string }
  }
  apiKey: OwnKey | null
}

export type ChangedKey = Key & { warnings: Warning[] }

export type ChangedMemory = Memory & { warnings: Warning[] }

export type ErrorBody = {
  error: {
    code: string
    message: string
    param: string | null
    details: Array<{ param: string; message: string }>
    remedy: string
    requestId: string
  }
}

export type Health = { status: 'healthy'; version: string; timestamp: string }

export type ImportedMemory = Memory & { warnings: Warning[] }

export type Key = OwnKey & { keyPreview: string; createdAt: string; lastUsedAt: string | null; expiresAt: string | null }

export type NewKey = Key & { key: string | null }

export type NewMemory = Memory & { warnings?: Warning[] }

export type NewOrganization = Organization & { keyId: string; key: string | null }

export type NewWebhook = Webhook & { secret: string | null }

export type Organization = { id: string; name: string; plan: 'free' | 'starter' | 'unlimited'; createdAt: string }

export type OwnKey = {
  id: string
  name: string
  scope: 'organization' | 'memory'
  role: 'admin' | 'writer' | 'reader'
  memoryId: string | null
  memoryIds: string[]
}

export type Project = { id: string; name: string; memoryCount: number; createdAt: string; updatedAt: string }

export type Readiness = {
  status: 'ready' | 'degraded'
  version: string
  timestamp: string
  checks: Record<string, { status: 'up' | 'down'; latencyMs?: number; error?: string; optional?: boolean }>
}

export type Usage = {
  from: string
  to: string
  days: UsageDay[]
  totals: UsageFigures
  groupBy: 'memory' | 'key' | null
  groups: UsageGroup[]
  groupsLeftOut: number
  warnings?: Warning[]
}

export type UsageDay = UsageFigures & { day: string }

export type UsageFigures = {
  finds: number
  asks: number
  asksDeclined: number
  extractions: number
  failedRequests: number
  documentsAdded: number
  pagesRecognized: number
  pagesWithText: number
  findP50Ms: number | null
  findP95Ms: number | null
  askP50Ms: number | null
  askP95Ms: number | null
  storageBytes: number | null
  documents: number | null
  chunks: number | null
}

export type UsageGroup = { id: string | null; days: UsageDay[]; totals: UsageFigures }

export type Webhook = {
  id: string
  url: string
  events: Array<'job.completed' | 'job.failed' | 'job.partial'>
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  consecutiveFailures: number
  failingSince: string | null
  waiting: number
  createdAt: string
}

export type WebhookDelivery = {
  id: string
  messageId: string
  event: 'job.completed' | 'job.failed' | 'job.partial' | 'webhook.test'
  jobId: string | null
  attempt: number
  outcome: 'delivered' | 'failed'
  statusCode: number | null
  durationMs: number
  response: string | null
  error: string | null
  attemptedAt: string
  nextAttemptAt: string | null
}
