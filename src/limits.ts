/** Every number of the API document ("Limits" and where noted) and of the contract, in one place. */

const MB = 1024 * 1024

/** Sizes in bytes. API document, "Limits". */
export const MAX_FILE_BYTES = 100 * MB
export const MAX_IMAGE_BYTES = 20 * MB
export const MAX_REQUEST_BODY_BYTES = 150 * MB
export const MAX_URL_DOWNLOAD_BYTES = 100 * MB
export const MAX_BASE64_PAYLOAD_BYTES = 27 * MB
/** An archive of a memory, our choice: 1,000,000 chunks take some 2 GB, and the originals that were kept come to it. */
export const MAX_ARCHIVE_BYTES = 20 * 1024 * MB
/** What one holds at most, our choice: a text or an original of each document and as much again for the other and for parts, of which an import remembers some 300 bytes each. */
export const ARCHIVE_CONTENTS = { documents: 1_000_000, files: 2_000_000 } as const
/** A file larger than this goes to the background worker. API document, "Limits", async threshold. */
export const ASYNC_FILE_BYTES = 2 * MB
/** A scanned PDF with more image-only pages than this goes to the worker. API document, "Limits". */
export const ASYNC_SCANNED_PAGES = 5
/** API document, "Ingestion options". */
export const OCR_MAX_PAGES = { default: 50, max: 200 } as const
/** API document, "Memory". Characters are code points, as JSON Schema's maxLength counts them. */
export const MEMORY_NAME_CHARACTERS = { min: 1, max: 1000 } as const
export const MEMORY_DESCRIPTION_CHARACTERS = 5000
/** Names of projects and keys, our choice: room for a sentence. */
export const NAME_CHARACTERS = { min: 1, max: 200 } as const
/** Contract, "Paging". */
export const PAGE_LIMIT = {
  min: 1,
  max: 100,
  jobs: 20,
  documents: 20,
  corrections: 20,
  memories: 100,
  projects: 100,
  keys: 100,
  organizations: 100,
  webhooks: 100,
  deliveries: 20,
} as const
/** Bytes of JSON in what an answer lists, our choice: a page and the hits of a find end where the next item would be over it, which no honest one nears. */
export const LISTED_BYTES = 4 * MB
/** API document, "Find and search result count defaults"; contract: at most 100. */
export const HITS = { default: 10, max: 100 } as const
/** Contract, "Answers": boost is in (0, 10], 2 when absent. */
export const CORRECTION_BOOST = { default: 2, max: 10 } as const
/** Contract, "Rules": an Idempotency-Key has at most 255 characters and is kept 24 h. */
export const IDEMPOTENCY = { maxCharacters: 255, keptMs: 24 * 3600 * 1000 } as const
/**
 * Bytes of answers kept for Idempotency-Keys, our choice. `committed`: of what stored something, which is kept without its words where it is larger;
 * the most documents of a request, each with a short title, are as large. `computed`: of what only reads, which runs again otherwise;
 * `computedOfOrganization`: of all such answers of an organization.
 */
export const KEPT_ANSWER_BYTES = { committed: 2 * MB, computed: MB / 4, computedOfOrganization: 64 * MB } as const
/** Bodies of JSON routes that carry one thing and no list. Our choice: all that their fields may hold fits. */
export const JSON_BODY_BYTES = 1 * MB
/** The body of find, whose filter may hold more: all its tags and metadata, every character escaped as two of `\uXXXX`, are 3 MB. */
export const FIND_BODY_BYTES = 4 * MB
/**
 * Memory for request bodies under way, of all requests together, our choice. `large`: beside the 1 GB that the first of the largest bodies takes, each
 * further one is held in up to two and a half times its size, and its strings lie in the heap, which V8 ends at 4 GB. With little memory one of the
 * largest fits. `small` is for the first bytes of each body, so that large bodies never keep small ones out. A body counts as `leastBytes` before it comes, as its
 * connection takes some, and one that goes to the disk as `streamBytes` more.
 */
export const BODY_BUDGET = {
  firstBytes: 256 * 1024,
  leastBytes: 16 * 1024,
  streamBytes: 128 * 1024,
  small: { memoryShare: 1 / 32, minBytes: 32 * MB, maxBytes: 256 * MB },
  large: { memoryShare: 1 / 16, minBytes: MAX_REQUEST_BODY_BYTES + 10 * MB, maxBytes: 6 * MAX_REQUEST_BODY_BYTES },
} as const
/**
 * Memory for queries under way and answers that are not read yet, of all requests together. Our choice: a find of ten hits takes 0.4 MB of it, so that a
 * key alone has 160 at a time where there is least, and the largest one 11 MB. `requestBytes` is what every request takes, and what a query, each character
 * of it and each passage or item that it reads take is estimated.
 */
export const QUERY_BUDGET = {
  memoryShare: 1 / 16,
  minBytes: 128 * MB,
  maxBytes: 512 * MB,
  retryAfterSeconds: 1,
  requestBytes: 16 * 1024,
  queryBytes: MB / 4,
  characterBytes: 64,
  itemBytes: { plain: 16 * 1024, explained: 96 * 1024 },
} as const
/**
 * Connections, in milliseconds: for the head of a request, without a byte of a body or an answer, between two requests, and for what a stop finds
 * unfinished. Our choice: servers in front wait 60 s (nginx: keepalive_timeout of upstreams), and have to be the first to close. The least rate of a
 * body is Kestrel's (MinRequestBodyDataRate), over `idleMs`. `max`, of a process: an idle one takes some 20 KB.
 */
export const CONNECTIONS = {
  headMs: 20_000,
  idleMs: 30_000,
  keptMs: 72_000,
  stopMs: 8000,
  minBodyBytesPerSecond: 240,
  max: 4096,
} as const
/** Levels of arrays and objects in a JSON body. Our choice: no honest body nears it, a hostile one is refused early. */
export const JSON_DEPTH = 64
/**
 * Values in a JSON body. Our choice: the most documents of a request with all their tags and metadata have 2.1 million;
 * 49 million empty objects, which fit into a body of 150 MB, held the process up for 110 s.
 */
export const JSON_VALUES = 2_500_000
/** A document's fields, our choice: room for any honest value, none for a flood. */
export const DOCUMENT_FIELDS = {
  titleCharacters: 1000,
  tags: 100,
  tagCharacters: 200,
  metadataKeys: 100,
  metadataKeyCharacters: 200,
  metadataCharacters: 2000,
  /** Names and values together: a search holds those of 128 documents. */
  metadataCharactersInAll: 32_768,
  externalIdCharacters: 500,
  perRequest: 10_000,
} as const
/** Hints of languages for a picture, our choice: the recogniser uses three at most. */
export const LANGUAGE_HINTS = { perRequest: 20, characters: 100 } as const
/** A query or question, our choice: several pages of text. */
export const QUERY_CHARACTERS = 20_000
/** API document, "Ask": the default model and number of chunks. The largest number and the length of a name are our choice. */
export const ASK = { model: 'gpt-4', modelCharacters: 200, contextChunks: { min: 1, max: 100, default: 10 } } as const
/** A correction's fields, our choice. */
export const CORRECTION_FIELDS = {
  statementCharacters: 10_000,
  topics: 50,
  topicCharacters: 200,
  perRequest: 1000,
  /** Passages that a correction is said to outrank, and corrections of a request of which that is said. */
  outranked: 5,
  outrankingPerRequest: 20,
} as const

/** An extraction schema, our choice: room for any form, of which 200 fields are a long one. */
export const EXTRACTION = {
  sections: 100,
  fieldsPerSection: 500,
  fields: 1000,
  nameCharacters: 500,
  contextCharacters: 5000,
} as const

/**
 * An evaluation, our choice: at 0.1 s a search, 500 questions in four modes take three minutes; longer sets are sent in parts. `atOnce` is
 * for a process, and leaves room for others beside an organization that takes all it may.
 */
export const EVALUATION = {
  questions: 500,
  documentsPerQuestion: 100,
  grade: { min: 1, max: 10 },
  /** Of a query, where its figures are told: it is named by its place as well, and stands there once for each mode. */
  shownCharacters: 500,
  atOnce: 8,
  atOnceOfOrganization: 2,
} as const

/**
 * Webhooks. 24 h is the contract's; 15 s is the least that the Standard Webhooks specification recommends ("Operational
 * considerations"). The rest is our choice: a receiver that is down from Friday evening to Monday morning is not disabled; the attempts
 * of a month are enough to look into a complaint, and 1,000 of 1.5 KB are 1.5 MB at most for a webhook.
 */
export const WEBHOOKS = {
  perOrganization: 20,
  timeoutMs: 15_000,
  triedForMs: 24 * 3600 * 1000,
  disabledAfter: { failures: 10, ms: 72 * 3600 * 1000 },
  answerCharacters: 1000,
  deliveriesKept: 1000,
  deliveriesKeptMs: 30 * 24 * 3600 * 1000,
} as const

/**
 * A verification, our choice: of a memory in which everything is wrong, a hundred problems say as much as all. `atOnce`, for a process, are
 * the one that runs and those that wait for it.
 */
export const VERIFICATION = { problems: 100, atOnce: 8, atOnceOfOrganization: 2 } as const

/** Documents named of those of which pages failed, our choice: a screen of links, and the rest is found when these are mended. */
export const MOST_FAILED_DOCUMENTS = 20

/** Limits of a plan; `null` is unlimited. API document, "Limits". */
export type PlanLimits = {
  storageBytes: number | null
  memories: number | null
  queriesPerMonth: number | null
  maxFileBytes: number
  maxImageBytes: number
  requestTimeoutSeconds: number
  requestBodyBytes: number
}

export type PlanId = 'free' | 'starter' | 'unlimited'
export type Plan = { id: PlanId; name: string; limits: PlanLimits }

const SIZES = { maxFileBytes: MAX_FILE_BYTES, maxImageBytes: MAX_IMAGE_BYTES, requestBodyBytes: MAX_REQUEST_BODY_BYTES }

/** `free` and `starter` are the API document's; `unlimited` is the self-hoster's default (contract, "account"). */
export const PLANS: Readonly<Record<PlanId, Plan>> = {
  free: {
    id: 'free',
    name: 'Free',
    limits: { storageBytes: 50 * MB, memories: 1, queriesPerMonth: null, requestTimeoutSeconds: 300, ...SIZES },
  },
  starter: {
    id: 'starter',
    name: 'Starter',
    limits: {
      storageBytes: 25 * 1024 * MB,
      memories: 5,
      queriesPerMonth: 250_000,
      requestTimeoutSeconds: 600,
      ...SIZES,
    },
  },
  unlimited: {
    id: 'unlimited',
    name: 'Unlimited',
    limits: { storageBytes: null, memories: null, queriesPerMonth: null, requestTimeoutSeconds: 600, ...SIZES },
  },
}
/**
 * Left free on a disk by adding and by upkeep, for deletions, jobs' states and counts: on one that is full to the last byte only deletions have room, once
 * (`objects/disk-space.ts`). Our choice: ten thousands of such commits, and little of any disk.
 */
export const DISK_RESERVE_BYTES = 8 * MB
