/** Every number of the API document ("Limits" and where noted) and of the contract. */

const MB = 1024 * 1024

/** In bytes. API document, "Limits". */
export const MAX_FILE_BYTES = 100 * MB
export const MAX_IMAGE_BYTES = 20 * MB
export const MAX_REQUEST_BODY_BYTES = 150 * MB
export const MAX_URL_DOWNLOAD_BYTES = 100 * MB
export const MAX_BASE64_PAYLOAD_BYTES = 27 * MB
/**
 * Maximum archive of a memory, our choice: 1,000,000 chunks take about 2 GB, plus the stored
 * originals.
 */
export const MAX_ARCHIVE_BYTES = 20 * 1024 * MB
/**
 * Maximum content of an archive, our choice: text and original of each document, and as many
 * further parts. An import remembers about 300 bytes for each.
 */
export const ARCHIVE_CONTENTS = { documents: 1_000_000, files: 2_000_000 } as const
/**
 * A ZIP archive of documents, our choice: a folder of an office, and the unpacked size that an
 * Office file may have. The settings may change both up to `max`, whose results fit into an answer.
 */
export const ZIP_ARCHIVE = {
  members: { default: 1000, max: 5000 },
  megabytes: { default: 1024, max: 10_240 },
} as const
/** Larger files go to the background worker. API document, "Limits", async threshold. */
export const ASYNC_FILE_BYTES = 2 * MB
/** Scanned PDFs with more image-only pages go to the worker. API document, "Limits". */
export const ASYNC_SCANNED_PAGES = 5
/** API document, "Ingestion options". */
export const OCR_MAX_PAGES = { default: 50, max: 200 } as const
/** API document, "Memory". In code points, like JSON Schema's maxLength. */
export const MEMORY_NAME_CHARACTERS = { min: 1, max: 1000 } as const
export const MEMORY_DESCRIPTION_CHARACTERS = 5000
/**
 * Sizes of chunks that a memory may have, our choice: from two sentences to a page. The overlap is
 * at most half of a chunk.
 */
export const CHUNK_CHARACTERS = { min: 200, max: 4000 } as const
/** Names of projects and keys, our choice: room for a sentence. */
export const NAME_CHARACTERS = { min: 1, max: 200 } as const
/** Contract, "Paging". */
export const PAGE_LIMIT = {
  min: 1,
  max: 100,
  jobs: 20,
  documents: 20,
  chunks: 20,
  corrections: 20,
  memories: 100,
  projects: 100,
  keys: 100,
  organizations: 100,
  webhooks: 100,
  deliveries: 20,
  sources: 20,
} as const
/**
 * Maximum JSON bytes of listed items, our choice. A page, and the hits of a find, end before the
 * item that would exceed it; real answers never come close.
 */
export const LISTED_BYTES = 4 * MB
/** API document, "Find and search result count defaults"; contract: at most 100. */
export const HITS = { default: 10, max: 100 } as const
/** Contract, "Answers": boost is in (0, 10], default 2. */
export const CORRECTION_BOOST = { default: 2, max: 10 } as const
/** Contract, "Rules": an Idempotency-Key has at most 255 characters and is kept 24 h. */
export const IDEMPOTENCY = { maxCharacters: 255, keptMs: 24 * 3600 * 1000 } as const
/**
 * Bytes of responses stored for Idempotency-Keys, our choice. `committed`: for writes; a larger
 * response is stored without its texts. The maximum number of documents with short titles fits.
 * `computed`: for reads, which otherwise run again. `computedOfOrganization`: all such responses of
 * an organization.
 */
export const MAX_STORED_RESPONSE_BYTES = {
  committed: 2 * MB,
  computed: MB / 4,
  computedOfOrganization: 64 * MB,
} as const
/** Bodies of JSON routes without a list. Our choice: all that their fields may contain fits. */
export const JSON_BODY_BYTES = 1 * MB
/**
 * Bodies of find, search and ask. All tags and 100 values of metadata of a filter, with every
 * character escaped as two of `\uXXXX`, take 3 MB.
 */
export const FIND_BODY_BYTES = 4 * MB
/**
 * Memory for all request bodies in progress, our choice.
 *
 * `large`: beside the 1 GB of the first largest body, each further one takes up to two and a half
 * times its size. Its strings are in the heap, which V8 limits to 4 GB. With little memory, one
 * largest body fits.
 *
 * `small`: for the first bytes of each body, so that large bodies never block small ones. A body
 * counts as `leastBytes` before it arrives, for its connection, and as `streamBytes` more if it is
 * written to disk.
 */
export const BODY_BUDGET = {
  firstBytes: 256 * 1024,
  leastBytes: 16 * 1024,
  streamBytes: 128 * 1024,
  small: { memoryShare: 1 / 32, minBytes: 32 * MB, maxBytes: 256 * MB },
  large: { memoryShare: 1 / 16, minBytes: MAX_REQUEST_BODY_BYTES + 10 * MB, maxBytes: 6 * MAX_REQUEST_BODY_BYTES },
} as const
/**
 * Memory for all queries in progress and unread answers, our choice. A find of ten hits takes 0.4
 * MB, so that a single key can run 160 in parallel with the smallest budget. The largest find takes
 * 11 MB. `requestBytes` is the fixed cost of a request. The other values estimate the cost of a
 * query, of each of its characters, and of each passage or item read.
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
 * Connection timeouts in milliseconds: head of a request, idle body or answer, idle connection, and
 * stop. Proxies in front wait 60 s (nginx: keepalive_timeout of upstreams) and must close first.
 * The minimum rate of a body is Kestrel's (MinRequestBodyDataRate), over `idleMs`. `max` is per
 * process: an idle connection takes about 20 KB.
 */
export const CONNECTIONS = {
  headMs: 20_000,
  idleMs: 30_000,
  keptMs: 72_000,
  stopMs: 8000,
  minBodyBytesPerSecond: 240,
  max: 4096,
} as const
/**
 * Maximum nesting of a JSON body. Our choice: real bodies never come close, and hostile ones are
 * refused early.
 */
export const JSON_DEPTH = 64
/**
 * Maximum values in a JSON body. Our choice: a request with the maximum number of documents, tags
 * and metadata has 2.1 million. 49 million empty objects, which fit into 150 MB, blocked the
 * process for 110 s.
 */
export const JSON_VALUES = 2_500_000
/** Fields of a document, our choice: enough for real values, too little for an attack. */
export const DOCUMENT_FIELDS = {
  titleCharacters: 1000,
  tags: 100,
  tagCharacters: 200,
  metadataKeys: 100,
  metadataKeyCharacters: 200,
  metadataCharacters: 2000,
  /** All names and values together: a search holds the metadata of 128 documents. */
  metadataCharactersInAll: 32_768,
  externalIdCharacters: 500,
  perRequest: 10_000,
} as const
/** Recognized text in the result of a job, our choice: some dense pages. Lists have a hundred. */
export const PICTURE_TEXT_CHARACTERS = 32_768
/**
 * Filter of documents, our choice: documents in a list, levels of groups, conditions on metadata,
 * and values in all lists.
 */
export const FILTER = { documents: 1000, depth: 5, conditions: 100, values: 1000 } as const
/** Memories of one search, our choice: each takes as long as a separate search. */
export const SEVERAL_MEMORIES = 20
/** Language hints for an image, our choice: the recogniser uses at most three. */
export const LANGUAGE_HINTS = { perRequest: 20, characters: 100 } as const
/** A query or question, our choice: several pages of text. */
export const QUERY_CHARACTERS = 20_000
/** Messages of a conversation, our choice. */
export const CONVERSATION = { messages: 100, messageCharacters: 20_000 } as const
/**
 * API document, "Ask": the default model and number of chunks. Maximum number and length of the
 * name are our choice.
 */
export const ASK = { model: 'gpt-4', modelCharacters: 200, contextChunks: { min: 1, max: 100, default: 10 } } as const
/** Fields of a correction, our choice. */
export const CORRECTION_FIELDS = {
  statementCharacters: 10_000,
  topics: 50,
  topicCharacters: 200,
  perRequest: 1000,
  /**
   * Maximum outranked passages listed for a correction, and maximum corrections of a request that
   * list them.
   */
  outranked: 5,
  outrankingPerRequest: 20,
} as const

/** An extraction schema, our choice: room for any form; 200 fields are a long form. */
export const EXTRACTION = {
  sections: 100,
  fieldsPerSection: 500,
  fields: 1000,
  nameCharacters: 500,
  contextCharacters: 5000,
} as const

/**
 * An evaluation, our choice. At 0.1 s per search, 500 questions in four modes take three minutes;
 * clients split longer sets. `atOnce` is per process, and leaves room beside an organization at its
 * limit.
 */
export const EVALUATION = {
  questions: 500,
  documentsPerQuestion: 100,
  grade: { min: 1, max: 10 },
  /**
   * Characters shown of a query in the results, which identify it by its position, too, and contain
   * it once per mode.
   */
  shownCharacters: 500,
  atOnce: 8,
  atOnceOfOrganization: 2,
} as const

/**
 * Webhooks. 24 h is from the contract; 15 s is the minimum recommended by the Standard Webhooks
 * specification ("Operational considerations"). The rest is our choice. A receiver that is down
 * from Friday evening to Monday morning is not disabled. Attempts of a month are enough to examine
 * a complaint; 1,000 of 1.5 KB take at most 1.5 MB per webhook.
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
 * Sources of documents, our choice. 100,000 items are the files of a department. A longer run ends
 * with its reason, and the next one continues. Reports list enough problems to see the cause.
 * `visits` limits the downloads of a website whose pages lead to ever further ones.
 */
export const SOURCES = {
  perMemory: 20,
  items: 100_000,
  problems: 100,
  problemCharacters: 500,
  intervalMinutes: { min: 1, max: 44_640 },
  runMs: 12 * 3600 * 1000,
  startUrls: 20,
  prefixes: 20,
  depth: { default: 5, max: 50 },
  pages: { default: 500, max: 10_000 },
  visits: { perPage: 10, least: 1000 },
  pauseMs: { default: 1000, max: 60_000 },
  excluded: 100,
} as const

/**
 * A verification, our choice: of a completely damaged memory, a hundred problems say as much as
 * all. `atOnce` is per process, and counts the running verification and the waiting ones.
 */
export const VERIFICATION = { problems: 100, atOnce: 8, atOnceOfOrganization: 2 } as const

/**
 * Usage by day: days that are kept, days of a request by default, and memories or keys of a
 * response. Our choice: a quarter of a year, and responses below 2 MB.
 */
export const USAGE = { days: 90, defaultDays: 30, groups: 50 } as const

/**
 * Maximum listed documents with failed pages, our choice: a screen of links. Repairing those
 * reveals the rest.
 */
export const MAX_FAILED_DOCUMENTS = 20

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

/**
 * `free` and `starter` are from the API document; `unlimited` is the default of self-hosted
 * installations (contract, "account").
 */
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
 * Disk space that adds and maintenance leave free for deletions, job states and counters. On a
 * completely full disk only deletions have space, once (`objects/disk-space.ts`). Our choice: tens
 * of thousands of such commits, and little of any disk.
 */
export const DISK_RESERVE_BYTES = 8 * MB
