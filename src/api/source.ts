/** Sources of documents: websites, buckets and folders that a memory follows. */
import { type Static, Type } from 'typebox'
import { DOCUMENT_FIELDS, NAME_CHARACTERS, SOURCES } from '../limits.ts'
import { EARLIER, IDS, LATER } from './example-data.ts'
import { MetadataSchema, NON_BLANK, Scalar, TagsSchema, URL_CHARACTERS } from './fields.ts'
import { Count, Flag, List, Nullable, NullableTimestamp, OneOf, Text, Timestamp, WarningsSchema } from './values.ts'

/** Types of sources. */
const SOURCE_TYPES = ['website', 's3', 'folder'] as const

const Url = Type.String({ minLength: 1, maxLength: URL_CHARACTERS })
const EXCLUDE = List(
  Type.String({ ...NON_BLANK, maxLength: 1000 }),
  'Patterns of files to leave out, in the syntax of .gitignore.',
  {
    maxItems: SOURCES.excluded,
  },
)

const WEBSITE_FIELDS = {
  startUrls: List(Url, 'URLs at which each run starts. May be empty if there is a sitemap.', {
    maxItems: SOURCES.startUrls,
  }),
  sitemapUrl: Nullable(Url, 'Sitemap or sitemap index with further URLs. Null: no sitemap is read.'),
  prefixes: List(
    Url,
    'Only URLs that begin with one of these are read. Empty: the folders of the start URLs, or the host of the ' +
      'sitemap.',
    { maxItems: SOURCES.prefixes },
  ),
  maxDepth: Type.Integer({
    minimum: 0,
    maximum: SOURCES.depth.max,
    description: 'Maximum number of links from a start URL to a page. 0: only the given URLs.',
  }),
  maxPages: Type.Integer({
    minimum: 1,
    maximum: SOURCES.pages.max,
    description: 'Maximum number of documents of the source.',
  }),
  pauseMs: Type.Integer({
    minimum: 0,
    maximum: SOURCES.pauseMs.max,
    description: 'Pause between two requests, in milliseconds. A longer Crawl-delay of robots.txt is respected.',
  }),
  mainContent: Flag('If true, navigation, headers, footers and sidebars of pages are left out.'),
}

const WebsiteSchema = Type.Object(WEBSITE_FIELDS, { $id: 'WebsiteSource', description: 'Settings of a website.' })

/** Settings of a website. */
export type WebsiteSettings = Static<typeof WebsiteSchema>

const S3_FIELDS = {
  bucket: Type.String({
    minLength: 3,
    maxLength: 63,
    description: 'Name of the bucket.',
  }),
  prefix: Type.String({ maxLength: 1000, description: 'Prefix of the keys to read. Empty: the whole bucket.' }),
  endpoint: Nullable(Url, 'Address of the store, such as https://minio.example.com. Null: AWS.'),
  region: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Region of the bucket.',
  }),
  pathStyle: Flag('If true, the bucket is part of the path, not of the host name. Usual for stores other than AWS.'),
  exclude: EXCLUDE,
}

const S3Schema = Type.Object(
  {
    ...S3_FIELDS,
    hasCredentials: Flag('True if credentials are stored. They are encrypted and never returned.'),
  },
  { $id: 'BucketSource', description: 'Settings of a bucket.' },
)

/** Settings of a bucket, without its credentials. */
export type S3Settings = Omit<Static<typeof S3Schema>, 'hasCredentials'>

const CredentialsSchema = Type.Object(
  {
    accessKeyId: Type.String({ ...NON_BLANK, maxLength: 200, description: 'ID of the access key.' }),
    secretAccessKey: Type.String({ ...NON_BLANK, maxLength: 1000, description: 'The secret of the access key.' }),
    sessionToken: Type.Optional(Type.String({ maxLength: 5000, description: 'Token of a temporary access key.' })),
  },
  { description: 'Credentials of the bucket. They are stored encrypted.' },
)

/** Credentials of a bucket. */
export type S3Credentials = Static<typeof CredentialsSchema>

const FOLDER_FIELDS = {
  path: Type.String({
    ...NON_BLANK,
    maxLength: 4000,
    description:
      'Absolute path of the folder on the machine of the service. It must be below RECOLLECT_SOURCE_FOLDERS.',
  }),
  exclude: EXCLUDE,
}

const FolderSchema = Type.Object(FOLDER_FIELDS, { $id: 'FolderSource', description: 'Settings of a folder.' })

/** Settings of a folder. */
export type FolderSettings = Static<typeof FolderSchema>

const NAME = { ...NON_BLANK, maxLength: NAME_CHARACTERS.max } as const
const INTERVAL = Type.Integer({ minimum: SOURCES.intervalMinutes.min, maximum: SOURCES.intervalMinutes.max })

/** Fields that a caller sets when creating and changing a source. */
const SENT_FIELDS = {
  intervalMinutes: Type.Optional(
    Nullable(INTERVAL, 'Minutes from the end of a run to the next run. Null: runs only on request.'),
  ),
  tags: Type.Optional(TagsSchema),
  metadata: Type.Optional(MetadataSchema),
  storeSource: Type.Optional(Type.Boolean({ description: 'If true, stores the originals for GET …/source.' })),
  website: Type.Optional(Type.Partial(Type.Object(WEBSITE_FIELDS), { description: 'Settings of a website.' })),
  s3: Type.Optional(
    Type.Object(
      { ...Type.Partial(Type.Object(S3_FIELDS)).properties, credentials: Type.Optional(CredentialsSchema) },
      { description: 'Settings of a bucket. Without credentials, requests are anonymous.' },
    ),
  ),
  folder: Type.Optional(Type.Partial(Type.Object(FOLDER_FIELDS), { description: 'Settings of a folder.' })),
}

/** Request body of POST /v1/memories/{id}/sources. */
export const CreateSourceBody = Type.Object({
  type: OneOf(SOURCE_TYPES, 'Type of the source. The settings are in the field of the same name.'),
  name: Type.Optional(Type.String({ ...NAME, description: 'Name of the source. Default: its address.' })),
  paused: Type.Optional(
    Type.Boolean({ default: false, description: 'If true, no run starts before the source is resumed.' }),
  ),
  ...SENT_FIELDS,
})

/** Request body of PATCH /v1/memories/{id}/sources/{sourceId}. */
export const ChangeSourceBody = Type.Object({
  name: Type.Optional(Type.String({ ...NAME, description: 'New name of the source.' })),
  ...SENT_FIELDS,
})

/** Request body of a new source, or the changed fields of one. */
export type SentSource = Static<typeof ChangeSourceBody>

const ProblemSchema = Type.Object({
  item: Text('URL, object key or path of the item.'),
  outcome: OneOf(['failed', 'skipped'], '`skipped` if the item is none that the service reads.'),
  reason: Text('Reason, for people.'),
})

/** Report of a run. */
const SourceRunSchema = Type.Object(
  {
    startedAt: Timestamp('Time at which the run started.'),
    endedAt: NullableTimestamp('Time at which the run ended. Null while it runs.'),
    outcome: Nullable(
      OneOf(['completed', 'partial', 'failed', 'stopped']),
      '`completed`: everything was read. `partial`: items failed or were left out. `failed`: the run was given up. ' +
        '`stopped`: the source was paused. Null during the run.',
    ),
    reason: Nullable(Type.String(), 'Reason of an outcome other than `completed`. Null otherwise.'),
    added: Count('Number of new documents.'),
    changed: Count('Number of replaced documents.'),
    removed: Count('Number of removed documents.'),
    unchanged: Count('Number of unchanged items, which were not read again.'),
    failed: Count('Number of items that could not be read. Their documents are kept.'),
    skipped: Count('Number of items that the service does not read.'),
    problems: List(ProblemSchema, `The first ${SOURCES.problems} failed and skipped items.`),
  },
  { $id: 'SourceRun', description: 'What a run of a source changed.' },
)

/** Report of a run. */
export type SourceRunResource = Static<typeof SourceRunSchema>

/** A source in a response. */
export const SourceSchema = Type.Object(
  {
    id: Text('Unique identifier of the source. Starts with `src_`.'),
    memoryId: Text('Memory that receives the documents.'),
    name: Text('Name of the source.'),
    type: OneOf(SOURCE_TYPES, 'Type of the source.'),
    website: Nullable(WebsiteSchema, 'Settings of a website. Null for other types.'),
    s3: Nullable(S3Schema, 'Settings of a bucket. Null for other types.'),
    folder: Nullable(FolderSchema, 'Settings of a folder. Null for other types.'),
    tags: List(Type.String({ maxLength: DOCUMENT_FIELDS.tagCharacters }), 'Tags of its documents.'),
    metadata: Type.Record(Type.String(), Scalar, {
      description: 'Metadata of its documents, which also have the key `sourceId`.',
    }),
    storeSource: Flag('True if originals are stored.'),
    intervalMinutes: Nullable(Type.Integer(), 'Minutes between runs. Null: runs only on request.'),
    status: OneOf(
      ['queued', 'running', 'scheduled', 'idle', 'paused'],
      '`queued` if a run is due; `running` during a run; `scheduled` until `nextRunAt`; `idle` if runs start only on ' +
        'request; `paused` until it is resumed.',
    ),
    nextRunAt: NullableTimestamp('Time of the next run. Null without one.'),
    documentCount: Count('Number of documents of the source.'),
    currentRun: Nullable(SourceRunSchema, 'The run in progress. Null without one.'),
    lastRun: Nullable(SourceRunSchema, 'Report of the last ended run. Null before the first one.'),
    createdAt: Timestamp('Time at which the source was created.'),
    updatedAt: Timestamp('Time of the last change of its settings.'),
    warnings: Type.Optional(WarningsSchema),
  },
  { $id: 'MemorySource', description: 'A website, bucket or folder whose documents the memory follows.' },
)

/** A source in a response. */
export type SourceResource = Static<typeof SourceSchema>

const SOURCE: SourceResource = {
  id: IDS.source,
  memoryId: IDS.memory,
  name: 'https://help.example.com/guide/',
  type: 'website',
  website: {
    startUrls: ['https://help.example.com/guide/'],
    sitemapUrl: null,
    prefixes: [],
    maxDepth: SOURCES.depth.default,
    maxPages: SOURCES.pages.default,
    pauseMs: SOURCES.pauseMs.default,
    mainContent: true,
  },
  s3: null,
  folder: null,
  tags: ['website'],
  metadata: {},
  storeSource: false,
  intervalMinutes: 1440,
  status: 'scheduled',
  nextRunAt: '2026-11-22T09:46:42.829Z',
  documentCount: 42,
  currentRun: null,
  lastRun: {
    startedAt: EARLIER,
    endedAt: LATER,
    outcome: 'partial',
    reason: '1 item could not be read.',
    added: 2,
    changed: 1,
    removed: 1,
    unchanged: 38,
    failed: 1,
    skipped: 0,
    problems: [
      {
        item: 'https://help.example.com/guide/prices',
        outcome: 'failed',
        reason: 'The resource could not be downloaded: the server answered 500.',
      },
    ],
  },
  createdAt: EARLIER,
  updatedAt: EARLIER,
}

const QUEUED: SourceResource = { ...SOURCE, status: 'queued', nextRunAt: EARLIER, documentCount: 0, lastRun: null }

/** Examples of the operations of sources. */
export const SOURCE_EXAMPLES = {
  source: SOURCE,
  queued: { ...SOURCE, status: 'queued', nextRunAt: LATER },
  paused: { ...SOURCE, status: 'paused' },
  created: {
    body: {
      type: 'website',
      website: { startUrls: ['https://help.example.com/guide/'] },
      intervalMinutes: 1440,
      tags: ['website'],
    },
    answers: { 201: { ...QUEUED, warnings: [] } },
  },
  changed: {
    body: { intervalMinutes: 60 },
    answers: { 200: { ...SOURCE, intervalMinutes: 60, warnings: [] } },
  },
} as const satisfies Record<string, object>
