/**
 * Sources of documents, and every operation on them.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { Warning } from './resources.ts'

export type BucketSource = {
  /** Name of the bucket. */
  bucket: string
  /** Prefix of the keys to read. Empty: the whole bucket. */
  prefix: string
  /** Address of the store, such as https://minio.example.com. Null: AWS. */
  endpoint: string | null
  /** Region of the bucket. */
  region: string
  /**
   * If true, the bucket is part of the path, not of the host name. Usual for stores other than AWS.
   */
  pathStyle: boolean
  /** Patterns of files to leave out, in the syntax of .gitignore. */
  exclude: string[]
  /** True if credentials are stored. They are encrypted and never returned. */
  hasCredentials: boolean
}

export type FolderSource = {
  /**
   * Absolute path of the folder on the machine of the service. It must be below
   * RECOLLECT_SOURCE_FOLDERS.
   */
  path: string
  /** Patterns of files to leave out, in the syntax of .gitignore. */
  exclude: string[]
}

export type MemorySource = {
  /** Unique identifier of the source. Starts with `src_`. */
  id: string
  /** Memory that receives the documents. */
  memoryId: string
  /** Name of the source. */
  name: string
  /** Type of the source. */
  type: 'website' | 's3' | 'folder'
  /** Settings of a website. Null for other types. */
  website: WebsiteSource | null
  /** Settings of a bucket. Null for other types. */
  s3: BucketSource | null
  /** Settings of a folder. Null for other types. */
  folder: FolderSource | null
  /** Tags of its documents. */
  tags: string[]
  /** Metadata of its documents, which also have the key `sourceId`. */
  metadata: Record<string, string | number | boolean | null>
  /** True if originals are stored. */
  storeSource: boolean
  /** Minutes between runs. Null: runs only on request. */
  intervalMinutes: number | null
  /**
   * `queued` if a run is due; `running` during a run; `scheduled` until `nextRunAt`; `idle` if runs
   * start only on request; `paused` until it is resumed.
   */
  status: 'queued' | 'running' | 'scheduled' | 'idle' | 'paused'
  /** Time of the next run. Null without one. */
  nextRunAt: string | null
  /** Number of documents of the source. */
  documentCount: number
  /** The run in progress. Null without one. */
  currentRun: SourceRun | null
  /** Report of the last ended run. Null before the first one. */
  lastRun: SourceRun | null
  /** Time at which the source was created. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Time of the last change of its settings. ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** Problems that did not stop the request. Empty if there were none. */
  warnings?: Warning[]
}

export type SourceRun = {
  /** Time at which the run started. ISO 8601, UTC, with milliseconds. */
  startedAt: string
  /** Time at which the run ended. Null while it runs. */
  endedAt: string | null
  /**
   * `completed`: everything was read. `partial`: items failed or were left out. `failed`: the run
   * was given up. `stopped`: the source was paused. Null during the run.
   */
  outcome: 'completed' | 'partial' | 'failed' | 'stopped' | null
  /** Reason of an outcome other than `completed`. Null otherwise. */
  reason: string | null
  /** Number of new documents. */
  added: number
  /** Number of replaced documents. */
  changed: number
  /** Number of removed documents. */
  removed: number
  /** Number of unchanged items, which were not read again. */
  unchanged: number
  /** Number of items that could not be read. Their documents are kept. */
  failed: number
  /** Number of items that the service does not read. */
  skipped: number
  /** The first 100 failed and skipped items. */
  problems: Array<{
    /** URL, object key or path of the item. */
    item: string
    /** `skipped` if the item is none that the service reads. */
    outcome: 'failed' | 'skipped'
    /** Reason, for people. */
    reason: string
  }>
}

export type WebsiteSource = {
  /** URLs at which each run starts. May be empty if there is a sitemap. */
  startUrls: string[]
  /** Sitemap or sitemap index with further URLs. Null: no sitemap is read. */
  sitemapUrl: string | null
  /**
   * Only URLs that begin with one of these are read. Empty: the folders of the start URLs, or the
   * host of the sitemap.
   */
  prefixes: string[]
  /** Maximum number of links from a start URL to a page. 0: only the given URLs. */
  maxDepth: number
  /** Maximum number of documents of the source. */
  maxPages: number
  /**
   * Pause between two requests, in milliseconds. A longer Crawl-delay of robots.txt is respected.
   */
  pauseMs: number
  /** If true, navigation, headers, footers and sidebars of pages are left out. */
  mainContent: boolean
}

/** Every operation on sources, by its identifier. */
export type SourceOperations = {
  /** List sources. `GET /v1/memories/{id}/sources` */
  listSources: {
    path: { id: string }
    query: { limit?: number; cursor?: string }
    answer: {
      /** Items of this page, newest first. */
      sources: MemorySource[]
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
  /** Create a source. `POST /v1/memories/{id}/sources` */
  createSource: {
    path: { id: string }
    body: {
      /** Type of the source. The settings are in the field of the same name. */
      type: 'website' | 's3' | 'folder'
      /** Name of the source. Default: its address. */
      name?: string
      /** If true, no run starts before the source is resumed. */
      paused?: boolean
      /** Minutes from the end of a run to the next run. Null: runs only on request. */
      intervalMinutes?: number | null
      /** Tags of the document. Searches and lists can filter by tag. */
      tags?: string[]
      /** Key-value pairs for the document. Values are strings, numbers, booleans or null. */
      metadata?: Record<string, string | number | boolean | null>
      /** If true, stores the originals for GET …/source. */
      storeSource?: boolean
      /** Settings of a website. */
      website?: {
        /** URLs at which each run starts. May be empty if there is a sitemap. */
        startUrls?: string[]
        /** Sitemap or sitemap index with further URLs. Null: no sitemap is read. */
        sitemapUrl?: string | null
        /**
         * Only URLs that begin with one of these are read. Empty: the folders of the start URLs, or
         * the host of the sitemap.
         */
        prefixes?: string[]
        /** Maximum number of links from a start URL to a page. 0: only the given URLs. */
        maxDepth?: number
        /** Maximum number of documents of the source. */
        maxPages?: number
        /**
         * Pause between two requests, in milliseconds. A longer Crawl-delay of robots.txt is
         * respected.
         */
        pauseMs?: number
        /** If true, navigation, headers, footers and sidebars of pages are left out. */
        mainContent?: boolean
      }
      /** Settings of a bucket. Without credentials, requests are anonymous. */
      s3?: {
        /** Name of the bucket. */
        bucket?: string
        /** Prefix of the keys to read. Empty: the whole bucket. */
        prefix?: string
        /** Address of the store, such as https://minio.example.com. Null: AWS. */
        endpoint?: string | null
        /** Region of the bucket. */
        region?: string
        /**
         * If true, the bucket is part of the path, not of the host name. Usual for stores other
         * than AWS.
         */
        pathStyle?: boolean
        /** Patterns of files to leave out, in the syntax of .gitignore. */
        exclude?: string[]
        /** Credentials of the bucket. They are stored encrypted. */
        credentials?: {
          /** ID of the access key. */
          accessKeyId: string
          /** The secret of the access key. */
          secretAccessKey: string
          /** Token of a temporary access key. */
          sessionToken?: string
        }
      }
      /** Settings of a folder. */
      folder?: {
        /**
         * Absolute path of the folder on the machine of the service. It must be below
         * RECOLLECT_SOURCE_FOLDERS.
         */
        path?: string
        /** Patterns of files to leave out, in the syntax of .gitignore. */
        exclude?: string[]
      }
    }
    answer: MemorySource
  }
  /** Get a source. `GET /v1/memories/{id}/sources/{sourceId}` */
  getSource: {
    path: { id: string; sourceId: string }
    answer: MemorySource
  }
  /** Change a source. `PATCH /v1/memories/{id}/sources/{sourceId}` */
  changeSource: {
    path: { id: string; sourceId: string }
    body: {
      /** New name of the source. */
      name?: string
      /** Minutes from the end of a run to the next run. Null: runs only on request. */
      intervalMinutes?: number | null
      /** Tags of the document. Searches and lists can filter by tag. */
      tags?: string[]
      /** Key-value pairs for the document. Values are strings, numbers, booleans or null. */
      metadata?: Record<string, string | number | boolean | null>
      /** If true, stores the originals for GET …/source. */
      storeSource?: boolean
      /** Settings of a website. */
      website?: {
        /** URLs at which each run starts. May be empty if there is a sitemap. */
        startUrls?: string[]
        /** Sitemap or sitemap index with further URLs. Null: no sitemap is read. */
        sitemapUrl?: string | null
        /**
         * Only URLs that begin with one of these are read. Empty: the folders of the start URLs, or
         * the host of the sitemap.
         */
        prefixes?: string[]
        /** Maximum number of links from a start URL to a page. 0: only the given URLs. */
        maxDepth?: number
        /** Maximum number of documents of the source. */
        maxPages?: number
        /**
         * Pause between two requests, in milliseconds. A longer Crawl-delay of robots.txt is
         * respected.
         */
        pauseMs?: number
        /** If true, navigation, headers, footers and sidebars of pages are left out. */
        mainContent?: boolean
      }
      /** Settings of a bucket. Without credentials, requests are anonymous. */
      s3?: {
        /** Name of the bucket. */
        bucket?: string
        /** Prefix of the keys to read. Empty: the whole bucket. */
        prefix?: string
        /** Address of the store, such as https://minio.example.com. Null: AWS. */
        endpoint?: string | null
        /** Region of the bucket. */
        region?: string
        /**
         * If true, the bucket is part of the path, not of the host name. Usual for stores other
         * than AWS.
         */
        pathStyle?: boolean
        /** Patterns of files to leave out, in the syntax of .gitignore. */
        exclude?: string[]
        /** Credentials of the bucket. They are stored encrypted. */
        credentials?: {
          /** ID of the access key. */
          accessKeyId: string
          /** The secret of the access key. */
          secretAccessKey: string
          /** Token of a temporary access key. */
          sessionToken?: string
        }
      }
      /** Settings of a folder. */
      folder?: {
        /**
         * Absolute path of the folder on the machine of the service. It must be below
         * RECOLLECT_SOURCE_FOLDERS.
         */
        path?: string
        /** Patterns of files to leave out, in the syntax of .gitignore. */
        exclude?: string[]
      }
    }
    answer: MemorySource
  }
  /** Delete a source. `DELETE /v1/memories/{id}/sources/{sourceId}` */
  deleteSource: {
    path: { id: string; sourceId: string }
    query: { documents?: 'keep' | 'delete' }
    answer: null
  }
  /** Run a source now. `POST /v1/memories/{id}/sources/{sourceId}/run` */
  runSource: {
    path: { id: string; sourceId: string }
    answer: MemorySource
  }
  /** Pause a source. `POST /v1/memories/{id}/sources/{sourceId}/pause` */
  pauseSource: {
    path: { id: string; sourceId: string }
    answer: MemorySource
  }
  /** Resume a source. `POST /v1/memories/{id}/sources/{sourceId}/resume` */
  resumeSource: {
    path: { id: string; sourceId: string }
    answer: MemorySource
  }
}
