import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UNTITLED } from '../../api/fields.ts'
import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import { ASYNC_FILE_BYTES, ASYNC_SCANNED_PAGES } from '../../limits.ts'
import { isReadInChild } from '../../parsers/formats.ts'
import type { ParseEvent, SniffedType } from '../../parsers/parse-event.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { FetchedResource } from '../../url-fetch/url-fetcher.ts'
import { documentObject } from '../document-objects.ts'
import type { ReadOptions, RecognizeOptions } from '../reading/document-reader.ts'
import { createInlineBudget, type InlineBudget, InlineBudgetSpent } from '../reading/inline-budget.ts'
import type { ReadEvent } from '../reading/read-event.ts'
import type { RecognitionPlan } from '../reading/recognition.ts'
import { requireGoing } from '../request-work.ts'
import { type AddContext, type AddDeps, addDocuments, sharedFacts, toAcceptCommand } from './add-context.ts'
import { enqueueIngestion } from './enqueue-ingestion.ts'
import { cleanFields, type FileFields, NO_FILE_FIELDS } from './given-fields.ts'
import type { UploadedFile } from './ingest.ts'
import type { InlineReading } from './ingest-deps.ts'
import type { DocumentToAdd } from './ingest-inline.ts'
import type { DocumentFacts } from './storing/document-row.ts'

/**
 * Maximum extracted characters of a file added within its request, which holds text and vectors in
 * memory. Our choice: about 5 s and 130 MB; 30 million characters, which fit into a zip of 60 kB,
 * took 15 s and 400 MB.
 */
const ASYNC_TEXT_CHARACTERS = 10_000_000

/**
 * Time limits for reading a file within its request; a job continues beyond, so that no request
 * blocks a child process. Our choice: an ordinary file takes a tenth of a second, and 2 MB seldom
 * more than three. Recognition of the promised 5 pages takes about ten.
 */
const INLINE_READING: InlineReading = {
  parse: { maxWorkMs: 8_000, maxWaitMs: 10_000 },
  recognize: { maxWorkMs: 60_000, maxWaitMs: 15_000 },
}

/** A file on the local disk: an upload, a download or an image. */
export type FileToAdd = {
  file: UploadedFile
  /** Result of `sniff`. */
  type: SniffedType
  sourceType: 'file' | 'url' | 'ocr'
  /** Source of a download; `null` for an upload. */
  url: string | null
  /** Without a title: the document's first heading, or the file name without extension. */
  fields?: FileFields | undefined
  /** Title of a document without heading and name; `Untitled` when absent. */
  namelessTitle?: string
  recognition: RecognitionPlan
  /**
   * True: a file without text adds nothing, and the answer reports 0 documents. False: such a file
   * is rejected.
   */
  mayBeEmpty?: boolean
  /**
   * Called for each recognised page in page order. Discard the results when a job takes over the
   * file.
   */
  onRecognized?: NonNullable<RecognizeOptions['onRecognized']>
}

/**
 * Adds a file within the request. A job takes over files of over 2 MB, with too much text, too slow
 * reading or more than 5 scanned pages, and on request. The file stays in place unless moved into
 * the object store.
 *
 * Rejects with errors of the file (`unprocessable_document`, `image_unreadable`) and of adding
 * (`storage_quota_exceeded`, `request_timeout`, `queue_full`, …).
 */
export async function addFile(
  deps: AddDeps,
  add: AddContext,
  file: FileToAdd,
): Promise<AddedDocuments | AcceptedDocuments> {
  requireGoing(add.signal)
  await deps.reader.requireReadable(file.file, add.caller)
  if (add.options.async) return enqueueFile(deps, add, { given: file, reason: 'async_requested' })
  if (file.file.bytes > ASYNC_FILE_BYTES)
    return enqueueFile(deps, add, { given: file, reason: 'file_over_sync_threshold' })
  if (!isReadInChild(file.type.format))
    return addDocuments(deps, add, [toDocument(deps, add, { given: file, parsed: null })])
  try {
    const parsed = await parseInline(deps, add, { ...file, extent: createInlineExtent(deps) })
    if (typeof parsed === 'string') return await enqueueFile(deps, add, { given: file, reason: parsed })
    return await addDocuments(deps, add, [toDocument(deps, add, { given: file, parsed })])
  } catch (error) {
    if (!(error instanceof InlineBudgetSpent)) throw error
    return enqueueFile(deps, add, { given: file, reason: 'file_over_sync_threshold' })
  }
}

/** Amounts that the files of a request have taken so far, and the rest of its budget. */
type InlineExtent = { scans: number; characters: number; budget: InlineBudget }

/** The extent of a request before its first file. */
export function createInlineExtent({ inlineReading = INLINE_READING }: Pick<AddDeps, 'inlineReading'>): InlineExtent {
  return { scans: 0, characters: 0, budget: createInlineBudget(inlineReading.parse) }
}

/**
 * The file's events, or the reason for a job as soon as a limit is exceeded. A file under 2 MB may
 * still have many pages or much text. Adds to `extent`.
 */
export async function parseInline(
  deps: AddDeps,
  add: AddContext,
  { file, type, extent }: Pick<FileToAdd, 'file' | 'type'> & { extent: InlineExtent },
): Promise<ParseEvent[] | AcceptedDocuments['reason']> {
  const events: ParseEvent[] = []
  const { scans, characters } = extent
  const onRestart = () => {
    events.length = 0
    Object.assign(extent, { scans, characters })
  }
  for await (const event of deps.reader.parse(file, type, { ...budgetedReadOptions(extent.budget, add), onRestart })) {
    if ('scan' in event) extent.scans++
    if ('block' in event) extent.characters += event.block.text.length
    if (extent.scans > ASYNC_SCANNED_PAGES) return 'scanned_pages'
    if (extent.characters > ASYNC_TEXT_CHARACTERS) return 'file_over_sync_threshold'
    events.push(event)
  }
  return events
}

/** `parsed`: events of the file, if already parsed. */
export function toDocument(
  deps: AddDeps,
  add: AddContext,
  { given, parsed }: { given: FileToAdd; parsed: readonly ParseEvent[] | null },
): DocumentToAdd {
  const { file, type, mayBeEmpty = false } = given
  const facts = toFacts(add, given)
  return {
    facts,
    title: facts.hasGivenTitle ? facts.title : null,
    heading: null,
    kind: 'document',
    mayBeEmpty,
    events: () => readEvents(deps, add, { given, events: parsed ?? deps.reader.parse(file, type, readOptionsOf(add)) }),
    isInMemory: false,
    original: () => file,
  }
}

function readOptionsOf({ caller, signal }: AddContext): ReadOptions {
  return { owner: caller, signal }
}

function budgetedReadOptions({ signal, meter }: InlineBudget, add: AddContext): ReadOptions {
  return { ...readOptionsOf(add), signal: AbortSignal.any([add.signal, signal]), meter }
}

function readEvents(
  deps: AddDeps,
  add: AddContext,
  {
    given: { file, type, recognition, onRecognized },
    events,
  }: { given: FileToAdd; events: Iterable<ParseEvent> | AsyncIterable<ParseEvent> },
): AsyncIterable<ReadEvent> {
  const listener = onRecognized === undefined ? {} : { onRecognized }
  const budget = createInlineBudget((deps.inlineReading ?? INLINE_READING).recognize)
  return deps.reader.recognize(
    events,
    { source: file, type },
    { recognition, ...budgetedReadOptions(budget, add), ...listener },
  )
}

async function enqueueFile(
  deps: AddDeps,
  add: AddContext,
  { given, reason }: { given: FileToAdd; reason: AcceptedDocuments['reason'] },
): Promise<AcceptedDocuments> {
  const { file, type, recognition } = given
  const facts = toFacts(add, given)
  const { bytes, filename, declaredType } = file
  return enqueueIngestion(deps, {
    ...toAcceptCommand(add, [facts], { reason, file: { bytes, filename, declaredType, type, recognition } }),
    stage: async () => {
      await deps.blobs.putFile(documentObject(add.memory.id, facts.id, 'upload'), file.path)
      return new Map()
    },
  })
}

/** Until the download. */
const NO_FILE: Pick<FileToAdd, 'file' | 'type'> = {
  file: { path: '', bytes: 0, filename: null, declaredType: null },
  type: { format: '', mimeType: 'application/octet-stream', encoding: null },
}

/** Enqueues a job that downloads the URL first; the document has no file until then. */
export function enqueueDownload(
  deps: AddDeps,
  add: AddContext,
  given: Omit<FileToAdd, 'file' | 'type'>,
): Promise<AcceptedDocuments> {
  const facts = toFacts(add, { ...given, ...NO_FILE })
  const download = { recognition: given.recognition }
  return enqueueIngestion(deps, {
    ...toAcceptCommand(add, [facts], { reason: 'async_requested', file: null, download }),
    stage: async () => new Map(),
  })
}

/** Facts of the document of a file. */
export function toFacts(add: AddContext, given: FileToAdd): DocumentFacts {
  const { file, type, sourceType, url, namelessTitle = UNTITLED } = given
  const { title, ...fields } = cleanFields(given.fields ?? NO_FILE_FIELDS)
  const { filename, bytes: sizeBytes } = file
  const origin = { filename, mimeType: type.mimeType, sourceType, url, sizeBytes }
  const hasGivenTitle = title !== null
  return {
    ...sharedFacts(add),
    ...fields,
    ...origin,
    hasGivenTitle,
    title: (title ?? titleFromName(filename)) || namelessTitle,
  }
}

/** File name without folder and extension; empty without one. Members of archives have a path. */
export function titleFromName(filename: string | null): string {
  return (filename ?? '').replace(/^.*\//, '').replace(/\.[^.]{1,8}$/, '')
}

/**
 * Downloads a URL to a temporary file for `use`, and removes the file at the end. Rejects with
 * `validation_failed`, `url_not_allowed`, `url_fetch_failed`, `url_too_large`,
 * `unsupported_file_type`, the signal's reason, and as `use` does.
 */
export async function withDownload<Result>(
  { fetcher, temporaryDirectory }: Pick<AddDeps, 'fetcher' | 'temporaryDirectory'>,
  { url, signal }: { url: string; signal: AbortSignal },
  use: (download: Pick<FileToAdd, 'file' | 'type'>) => Promise<Result>,
): Promise<Result> {
  const path = join(temporaryDirectory, `download-${randomUUID()}`)
  try {
    const file = toFile(await fetcher.fetchToFile(url, path, signal), path)
    // Code hosts serve an HTML page under the path of a README.md: trust the content type, not the
    // name.
    const type = await sniff(isPage(file) ? { ...file, filename: null } : file)
    return await use({ file, type })
  } finally {
    await rm(path, { force: true })
  }
}

function isPage({ declaredType }: UploadedFile): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/.test(declaredType ?? '')
}

function toFile({ bytes, filename, contentType, charset }: FetchedResource, path: string): UploadedFile {
  const declaredType = contentType === null || charset === null ? contentType : `${contentType}; charset=${charset}`
  return { path, bytes, filename, declaredType }
}
