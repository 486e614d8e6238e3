/**
 * Parameters and result of every operation.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type {
  Account,
  Health,
  Key,
  NewKey,
  NewOrganization,
  NewWebhook,
  Organization,
  Project,
  Readiness,
  Webhook,
  WebhookDelivery,
} from './accounts.ts'
import type { AskOnceAnswer } from './answers.ts'
import type { MemoryOperations } from './memory-operations.ts'
import type { Job } from './resources.ts'

/** Every operation, by its identifier. */
export type Operations = MemoryOperations & {
  /** Whether the process answers. `GET /health` */
  getHealth: { answer: Health }
  /** Whether database and object store work. `GET /health/ready` */
  getReadiness: { answer: Readiness }
  /** List the keys. `GET /v1/keys` */
  listKeys: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** The items of this page, newest first. */
      keys: Key[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Make a key, shown this once. `POST /v1/keys` */
  createKey: {
    body: {
      /** What people call the key. */
      name?: string
      /** What the key may do; memory where memoryId is given, organization otherwise. */
      scope?: 'organization' | 'memory'
      /** Makes a memory-scoped key for this memory. */
      memoryId?: string
      /** When the key stops working; never where it is left out. */
      expiresAt?: string
    }
    answer: NewKey
  }
  /** Revoke a key. `DELETE /v1/keys/{id}` */
  revokeKey: {
    path: { id: string }
    answer: null
  }
  /** List the organizations of the installation; needs its admin key. `GET /v1/organizations` */
  listOrganizations: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** The items of this page, newest first. */
      organizations: Organization[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Make an organization and its first key, shown this once; needs the admin key of the installation. `POST /v1/organizations` */
  createOrganization: {
    body: {
      /** What people call the organization. */
      name: string
      /** The plan, which sets the limits of storage, memories and queries; that of the installation where it is left out. */
      plan?: 'free' | 'starter' | 'unlimited'
    }
    answer: NewOrganization
  }
  /** Organization, plan, limits and usage. `GET /v1/account` */
  getAccount: { answer: Account }
  /** Answer a question over a text of the request; nothing of it is kept. `POST /v1/ask-once` */
  askOnce: {
    body: {
      /** What is asked. */
      question: string
      /** The text to answer over. It is not kept. */
      content: string
      /** A wish: the configured model answers, and model of the answer says which it was. */
      model?: string
      /** How to answer. */
      options?: {
        /** The most passages that the answer is made of. */
        maxContextChunks?: number
        /** Whether the answer gives these passages as sources. */
        includeSources?: boolean
      }
    }
    answer: AskOnceAnswer
  }
  /** List the jobs. `GET /v1/jobs` */
  listJobs: {
    query: { limit?: number; cursor?: string; status?: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'; memoryId?: string }
    answer: {
      /** The items of this page, newest first. */
      jobs: Job[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Read a job, at once or when it has ended. `GET /v1/jobs/{id}` */
  getJob: {
    path: { id: string }
    query: { wait?: number }
    answer: Job
  }
  /** Follow a job as server-sent events. `GET /v1/jobs/{id}/events` */
  watchJob: {
    path: { id: string }
    answer: Response
  }
  /** Cancel a pending or processing job. `POST /v1/jobs/{id}/cancel` */
  cancelJob: {
    path: { id: string }
    answer: Job
  }
  /** Do what a failed or partial job is missing. `POST /v1/jobs/{id}/retry` */
  retryJob: {
    path: { id: string }
    answer: Job
  }
  /** List the projects. `GET /v1/projects` */
  listProjects: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** The items of this page, newest first. */
      projects: Project[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Create a project. `POST /v1/projects` */
  createProject: {
    body: {
      /** The name of the project, which no other project of the organization has. */
      name: string
    }
    answer: Project
  }
  /** Read a project. `GET /v1/projects/{id}` */
  getProject: {
    path: { id: string }
    answer: Project
  }
  /** Rename a project. `PUT /v1/projects/{id}` */
  updateProject: {
    path: { id: string }
    body: {
      /** The name of the project, which no other project of the organization has. */
      name: string
    }
    answer: Project
  }
  /** Delete a project; its memories stay. `DELETE /v1/projects/{id}` */
  deleteProject: {
    path: { id: string }
    answer: null
  }
  /** List the webhooks. `GET /v1/webhooks` */
  listWebhooks: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** The items of this page, newest first. */
      webhooks: Webhook[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Make a webhook; its secret is shown this once. `POST /v1/webhooks` */
  createWebhook: {
    body: {
      /** Where the messages go: an http or https URL, and public. */
      url: string
      /** What is sent; everything where it is left out. */
      events?: Array<'job.completed' | 'job.failed' | 'job.partial'>
    }
    answer: NewWebhook
  }
  /** Read a webhook. `GET /v1/webhooks/{id}` */
  getWebhook: {
    path: { id: string }
    answer: Webhook
  }
  /** Delete a webhook with what waits for it. `DELETE /v1/webhooks/{id}` */
  deleteWebhook: {
    path: { id: string }
    answer: null
  }
  /** Send a test message now, and enable the webhook where it arrives. `POST /v1/webhooks/{id}/test` */
  testWebhook: {
    path: { id: string }
    answer: WebhookDelivery
  }
  /** List the attempts to deliver. `GET /v1/webhooks/{id}/deliveries` */
  listWebhookDeliveries: {
    path: { id: string }
    query: { limit?: number; cursor?: string }
    answer: {
      /** The items of this page, newest first. */
      deliveries: WebhookDelivery[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** What this is and where to go on. `GET /` */
  getService: { answer: {
      /** The name of the service. */
      service: string
      /** The version of the service. */
      version: string
      /** Where to go on, by name. */
      links: Record<string, string>
    } }
  /** This document. `GET /openapi.json` */
  getOpenapi: { answer: Record<string, unknown> }
  /** What this process counts, as Prometheus reads it. `GET /metrics` */
  getMetrics: { answer: Response }
}
