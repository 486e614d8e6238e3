/**
 * Parameters and result of every operation.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type {
  Account,
  ChangedKey,
  Health,
  Key,
  NewKey,
  NewOrganization,
  NewWebhook,
  Organization,
  OwnKey,
  Project,
  Readiness,
  Usage,
  Webhook,
  WebhookDelivery,
} from './accounts.ts'
import type { AskAnswer, AskOnceAnswer, FindAnswer } from './answers.ts'
import type { DocumentOperations } from './document-operations.ts'
import type { MemoryOperations } from './memory-operations.ts'
import type { Filter } from './requests.ts'
import type { Job, Warning } from './resources.ts'
import type { SourceOperations } from './sources.ts'

/** Every operation, by its identifier. */
export type Operations = DocumentOperations & MemoryOperations & SourceOperations & {
  /** Liveness check. `GET /health` */
  getHealth: { answer: Health }
  /** Readiness check. `GET /health/ready` */
  getReadiness: { answer: Readiness }
  /** List API keys. `GET /v1/keys` */
  listKeys: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      keys: Key[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Create an API key. `POST /v1/keys` */
  createKey: {
    body: {
      /** Display name of the key. */
      name?: string
      /**
       * Scope of the key. Defaults to `memory` if memories are given, otherwise to `organization`.
       */
      scope?: 'organization' | 'memory'
      /**
       * Role of the key. Defaults to `admin` for an organization key, otherwise to `writer`. A
       * memory-scoped key is never an `admin`.
       */
      role?: 'admin' | 'writer' | 'reader'
      /** Memory that the key is limited to. */
      memoryId?: string
      /** Memories that the key is limited to, instead of `memoryId`. */
      memoryIds?: string[]
      /** Time at which the key expires. Without it, the key never expires. */
      expiresAt?: string
    }
    answer: NewKey
  }
  /** Get the key of the request. `GET /v1/keys/self` */
  getOwnKey: { answer: OwnKey }
  /** Rename an API key. `PATCH /v1/keys/{id}` */
  renameKey: {
    path: { id: string }
    body: {
      /** New display name of the key. */
      name: string
    }
    answer: ChangedKey
  }
  /** Revoke an API key. `DELETE /v1/keys/{id}` */
  revokeKey: {
    path: { id: string }
    query: { force?: boolean }
    answer: null
  }
  /** List organizations. `GET /v1/organizations` */
  listOrganizations: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      organizations: Organization[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Create an organization. `POST /v1/organizations` */
  createOrganization: {
    body: {
      /** Display name of the organization. */
      name: string
      /**
       * Plan of the organization. It sets the limits of storage, memories and queries. Defaults to
       * the plan of the installation.
       */
      plan?: 'free' | 'starter' | 'unlimited'
    }
    answer: NewOrganization
  }
  /** Get the account. `GET /v1/account` */
  getAccount: { answer: Account }
  /** Get the usage by day. `GET /v1/usage` */
  getUsage: {
    query: { from?: string; to?: string; memoryId?: string; keyId?: string; groupBy?: 'memory' | 'key' }
    answer: Usage
  }
  /** Find passages in several memories. `POST /v1/find` */
  findAcross: {
    body: {
      /** Query: keywords or a question. */
      query: string
      /** Maximum number of hits. */
      topK?: number
      /** Memories to search. Required unless projectId is given. */
      memoryIds?: string[]
      /** Project whose memories are searched, at most 20. */
      projectId?: string
      /** Search options. `limit` takes precedence over `topK`. */
      options?: {
        /**
         * Search mode: lexical (keywords), semantic (vectors) or hybrid (both). Defaults to `auto`,
         * which chooses one.
         */
        mode?: 'hybrid' | 'semantic' | 'lexical' | 'auto'
        /** Maximum number of hits. */
        limit?: number
        /** If true, wraps matches in `snippet` in `<mark>` tags. */
        highlight?: boolean
        /**
         * Documents with a lower score are not returned or counted. Does not apply to corrections.
         */
        minScore?: number
        /** If true, passages with the same text are one hit with the number of its `duplicates`. */
        collapseDuplicates?: boolean
        /** If true, explains the score of each hit. */
        explain?: boolean
        filter?: Filter
      }
    }
    answer: FindAnswer
  }
  /** Answer a question from several memories. `POST /v1/ask` */
  askAcross: {
    body: {
      /** Question to answer. Required unless `messages` is given. */
      question?: string
      /**
       * Conversation, oldest message first, instead of `question`. The last message is the question
       * of the user. A question that needs the messages before it is rewritten, and returned in
       * `rewrittenQuestion`.
       */
      messages?: Array<{
        /** Author of the message. */
        role: 'user' | 'assistant'
        /** Text of the message. */
        content: string
      }>
      /** Options of the answer. */
      options?: {
        /**
         * Ignored. The configured model always answers; the response returns its name in `model`.
         */
        model?: string
        /** Maximum number of passages used to answer. */
        maxContextChunks?: number
        /**
         * Minimum confidence of an answer; an answer below it is declined. The default, about 0.5,
         * declines answers that are likelier wrong than right; a lower value returns them. Ignored
         * if `confidence` is null.
         */
        minConfidence?: number
        /** If true, returns the retrieved passages in `sources`. */
        includeSources?: boolean
        filter?: Filter
      }
      /** Memories to search. Required unless projectId is given. */
      memoryIds?: string[]
      /** Project whose memories are searched, at most 20. */
      projectId?: string
    }
    answer: AskAnswer
  }
  /** Answer a question about a text in the request. `POST /v1/ask-once` */
  askOnce: {
    body: {
      /** Question to answer. */
      question: string
      /** Text to answer from. It is not stored. */
      content: string
      /** Ignored. The configured model always answers; the response returns its name in `model`. */
      model?: string
      /** Options of the answer. */
      options?: {
        /** Maximum number of passages used to answer. */
        maxContextChunks?: number
        /**
         * Minimum confidence of an answer; an answer below it is declined. The default, about 0.5,
         * declines answers that are likelier wrong than right; a lower value returns them. Ignored
         * if `confidence` is null.
         */
        minConfidence?: number
        /** If true, returns the retrieved passages in `sources`. */
        includeSources?: boolean
      }
    }
    answer: AskOnceAnswer
  }
  /** List jobs. `GET /v1/jobs` */
  listJobs: {
    query: {
      limit?: number
      cursor?: string
      status?: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'
      memoryId?: string
      jobType?: string
      createdAfter?: string
      createdBefore?: string
      sort?: '-createdAt' | 'createdAt'
    }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      jobs: Job[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Get a job. `GET /v1/jobs/{id}` */
  getJob: {
    path: { id: string }
    query: { wait?: number }
    answer: Job
  }
  /** Stream job events. `GET /v1/jobs/{id}/events` */
  watchJob: {
    path: { id: string }
    answer: Response
  }
  /** Cancel a job. `POST /v1/jobs/{id}/cancel` */
  cancelJob: {
    path: { id: string }
    answer: Job
  }
  /** Retry a job. `POST /v1/jobs/{id}/retry` */
  retryJob: {
    path: { id: string }
    answer: Job
  }
  /** List projects. `GET /v1/projects` */
  listProjects: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      projects: Project[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Create a project. `POST /v1/projects` */
  createProject: {
    body: {
      /** Name of the project, unique within the organization (case-insensitive). */
      name: string
    }
    answer: Project
  }
  /** Get a project. `GET /v1/projects/{id}` */
  getProject: {
    path: { id: string }
    answer: Project
  }
  /** Rename a project. `PUT /v1/projects/{id}` */
  updateProject: {
    path: { id: string }
    body: {
      /** Name of the project, unique within the organization (case-insensitive). */
      name: string
    }
    answer: Project
  }
  /** Delete a project. `DELETE /v1/projects/{id}` */
  deleteProject: {
    path: { id: string }
    answer: null
  }
  /** List webhooks. `GET /v1/webhooks` */
  listWebhooks: {
    query: { limit?: number; cursor?: string }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      webhooks: Webhook[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Create a webhook. `POST /v1/webhooks` */
  createWebhook: {
    body: {
      /** URL to send messages to: a public HTTP or HTTPS URL. */
      url: string
      /** Events to send. Defaults to all events. */
      events?: Array<'job.completed' | 'job.failed' | 'job.partial'>
    }
    answer: NewWebhook
  }
  /** Get a webhook. `GET /v1/webhooks/{id}` */
  getWebhook: {
    path: { id: string }
    answer: Webhook
  }
  /** Delete a webhook. `DELETE /v1/webhooks/{id}` */
  deleteWebhook: {
    path: { id: string }
    answer: null
  }
  /** Send a test message. `POST /v1/webhooks/{id}/test` */
  testWebhook: {
    path: { id: string }
    answer: WebhookDelivery
  }
  /** List delivery attempts. `GET /v1/webhooks/{id}/deliveries` */
  listWebhookDeliveries: {
    path: { id: string }
    query: { limit?: number; cursor?: string }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      deliveries: WebhookDelivery[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Service information. `GET /` */
  getService: { answer: {
      /** Name of the service. */
      service: string
      /** Version of the service. */
      version: string
      /** Links to other endpoints, by name. */
      links: Record<string, string>
    } }
  /** OpenAPI document. `GET /openapi.json` */
  getOpenapi: { answer: Record<string, unknown> }
  /** Prometheus metrics. `GET /metrics` */
  getMetrics: { answer: Response }
}
