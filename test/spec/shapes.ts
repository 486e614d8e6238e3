/**
 * The resources of the OpenAPI document under the names used in tests, which assert these fields.
 */
import type * as accounts from './account-types.ts'
import type * as api from './api-types.ts'
import type { MemorySource } from './source-types.ts'

export type Warning = api.Warning

export type List<Name extends string, Item> = { [key in Name]: Item[] } & {
  nextCursor: string | null
  hasMore: boolean
  total: number
}

export type Memory = api.Memory
export type Project = accounts.Project

export type Source = MemorySource

export type Webhook = accounts.Webhook
/** The response to a creation, with the secret. */
export type NewWebhook = Webhook & { secret: string }
export type Delivery = accounts.WebhookDelivery

export type Key = accounts.Key & { key: string }
/** An account with keys switched on, as in all tests except those of that setting. */
export type Account = accounts.Account & { apiKey: NonNullable<accounts.Account['apiKey']> }

export type Document = api.MemoryDocument
export type DocumentWithPages = api.DocumentWithPages

export type Added = api.AddedDocuments
export type Accepted = api.AcceptedDocuments
/** A job of an existing memory. */
export type Job = api.Job & { memoryId: string }

export type Hit = api.Hit
export type Found = api.FindAnswer
export type ExplainedHit = Hit
export type Explained = Found

export type Correction = api.Correction
export type CorrectionBatch = { corrections: Correction[]; ids: string[]; count: number }

export type RecognizedImage = api.RecognizedImage

export type Asked = api.AskAnswer
export type AskedOnce = api.AskOnceAnswer
export type AskCitation = api.Citation

export type Evaluation = api.Evaluation

export type Usage = accounts.Usage
