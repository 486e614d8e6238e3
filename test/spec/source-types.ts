/**
 * Sources of documents, from the OpenAPI document.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { Warning } from './api-types.ts'

export type BucketSource = {
  bucket: string
  prefix: string
  endpoint: string | null
  region: string
  pathStyle: boolean
  exclude: string[]
  hasCredentials: boolean
}

export type FolderSource = { path: string; exclude: string[] }

export type MemorySource = {
  id: string
  memoryId: string
  name: string
  type: 'website' | 's3' | 'folder'
  website: WebsiteSource | null
  s3: BucketSource | null
  folder: FolderSource | null
  tags: string[]
  metadata: Record<string, string | number | boolean | null>
  storeSource: boolean
  intervalMinutes: number | null
  status: 'queued' | 'running' | 'scheduled' | 'idle' | 'paused'
  nextRunAt: string | null
  documentCount: number
  currentRun: SourceRun | null
  lastRun: SourceRun | null
  createdAt: string
  updatedAt: string
  warnings?: Warning[]
}

export type SourceRun = {
  startedAt: string
  endedAt: string | null
  outcome: 'completed' | 'partial' | 'failed' | 'stopped' | null
  reason: string | null
  added: number
  changed: number
  removed: number
  unchanged: number
  failed: number
  skipped: number
  problems: Array<{ item: string; outcome: 'failed' | 'skipped'; reason: string }>
}

export type WebsiteSource = {
  startUrls: string[]
  sitemapUrl: string | null
  prefixes: string[]
  maxDepth: number
  maxPages: number
  pauseMs: number
  mainContent: boolean
}
