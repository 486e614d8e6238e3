import { UNTITLED } from '../../api/fields.ts'
import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import { DOCUMENT_DEFAULTS } from '../../api/ingest.ts'
import { ASYNC_FILE_BYTES, ASYNC_SCANNED_PAGES } from '../../limits.ts'
import { isReadInChild } from '../../parsers/formats.ts'
import type { ParseEvent, SniffedType } from '../../parsers/parse-event.ts'
import { documentObject } from '../document-objects.ts'
import type { ReadOptions, RecognizeOptions } from '../reading/document-reader.ts'
import { createInlineBudget, type InlineBudget, InlineBudgetSpent } from '../reading/inline-budget.ts'
import type { ReadEvent } from '../reading/read-event.ts'
import type { RecognitionPlan } from '../reading/recognition.ts'
import { requireGoing } from '../request-work.ts'
import { acceptJob } from './accept-job.ts'
import type { Entry } from './add-now.ts'
import { type Add, type AddDeps, addEntries, commonFacts, toAccept } from './begin-add.ts'
import type { UploadedFile } from './ingest.ts'
import type { InlineReading } from './ingest-deps.ts'
import type { DocumentFacts } from './storing/document-row.ts'

/**
 * Characters of text that a file may unpack to and still be added within its request, which holds
 * them with their vectors. Our choice: some 5 s and 130 MB; 30 million, which fit into a zip of 60
 * kB, took 15 s and 400 MB.
 */
const ASYNC_TEXT_CHARACTERS = 10_000_000

/**
 * What a file may take within its request; then a job goes on, so that no request holds a child for
 * long. Our choice: an ordinary file takes a tenth of a second, and one of 2 MB seldom more than
 * three. Recognition of the 5 pages that are promised takes some ten.
 */
const INLINE_READING: InlineReading = {
  parse: { maxWorkMs: 8_000, maxWaitMs: 10_000 },
  recognize: { maxWorkMs: 60_000, maxWaitMs: 15_000 },
}

/** A file on the local disk, wherever it came from: an upload, a download, a picture. */
export type FileToAdd = {
  file: UploadedFile
  /** What `sniff` said of it. */
  type: SniffedType
  sourceType: 'file' | 'url' | 'ocr'
  /** Where it was downloaded from; `null` for what was sent. */
  url: string | null
  /** The document's title; `null`: its own heading, or its name without the extension. */
  title: string | null
  /** The title where the document has no heading and no name; `Untitled` when absent. */
  namelessTitle?: string
  recognition: RecognitionPlan
  /**
   * True: a file without any text adds nothing, and the answer says 0 documents. Otherwise it is
   * refused.
   */
  mayBeEmpty?: boolean
  /**
   * Hears of each page that is recognised, in page order, with its picture's size; of a file that a
   * job takes over then, too: what was heard is void.
   */
  onRecognized?: NonNullable<RecognizeOptions['onRecognized']>
}

/**
 * Adds a file: within the request, or by a job where it is larger than 2 MB, unpacks to too much
 * text, takes too long, has more than 5 pages that are pictures, or the caller asked for it. The
 * file itself is left where it is, unless the object store has taken it. Rejects with what is wrong
 * with the file (`unprocessable_document`, `image_unreadable`) and as adding does
 * (`storage_quota_exceeded`, `request_timeout`, `queue_full`, …).
 */
export async function addFile(deps: AddDeps, add: Add, given: FileToAdd): Promise<AddedDocuments | AcceptedDocuments> {
  requireGoing(add.signal)
  await deps.reader.requireReadable(given.file, add.caller)
  if (add.options.async) return acceptFile(deps, add, { given, reason: 'async_requested' })
  if (given.file.bytes > ASYNC_FILE_BYTES) return acceptFile(deps, add, { given, reason: 'file_over_sync_threshold' })
  if (!isReadInChild(given.type.format)) return addEntries(deps, add, [toEntry(deps, add, { given, parsed: null })])
  try {
    const parsed = await parseSmall(deps, add, given)
    if (typeof parsed === 'string') return await acceptFile(deps, add, { given, reason: parsed })
    return await addEntries(deps, add, [toEntry(deps, add, { given, parsed })])
  } catch (error) {
    if (!(error instanceof InlineBudgetSpent)) throw error
    return acceptFile(deps, add, { given, reason: 'file_over_sync_threshold' })
  }
}

/**
 * The file's events; or, as soon as it shows to be too much for a request, why. Such a file has few
 * bytes, but not always few pages or little text.
 */
async function parseSmall(
  deps: AddDeps,
  add: Add,
  { file, type }: FileToAdd,
): Promise<ParseEvent[] | AcceptedDocuments['reason']> {
  const events: ParseEvent[] = []
  let scans = 0
  let characters = 0
  const onRestart = () => {
    events.length = 0
    scans = 0
    characters = 0
  }
  const options = { ...readWithin(createInlineBudget((deps.inlineReading ?? INLINE_READING).parse), add), onRestart }
  for await (const event of deps.reader.parse(file, type, options)) {
    if ('scan' in event) scans++
    if ('block' in event) characters += event.block.text.length
    if (scans > ASYNC_SCANNED_PAGES) return 'scanned_pages'
    if (characters > ASYNC_TEXT_CHARACTERS) return 'file_over_sync_threshold'
    events.push(event)
  }
  return events
}

/** `parsed`: its events, where it was parsed already. */
function toEntry(
  deps: AddDeps,
  add: Add,
  { given, parsed }: { given: FileToAdd; parsed: readonly ParseEvent[] | null },
): Entry {
  const { file, type, title, mayBeEmpty = false } = given
  return {
    facts: toFacts(add, given),
    title,
    heading: null,
    kind: 'document',
    mayBeEmpty,
    events: () => readEvents(deps, add, { given, events: parsed ?? deps.reader.parse(file, type, readFor(add)) }),
    isAtHand: false,
    original: () => file,
  }
}

function readFor({ caller, signal }: Add): ReadOptions {
  return { owner: caller, signal }
}

function readWithin({ signal, meter }: InlineBudget, add: Add): ReadOptions {
  return { ...readFor(add), signal: AbortSignal.any([add.signal, signal]), meter }
}

function readEvents(
  deps: AddDeps,
  add: Add,
  {
    given: { file, type, recognition, onRecognized },
    events,
  }: { given: FileToAdd; events: Iterable<ParseEvent> | AsyncIterable<ParseEvent> },
): AsyncIterable<ReadEvent> {
  const listener = onRecognized === undefined ? {} : { onRecognized }
  const budget = createInlineBudget((deps.inlineReading ?? INLINE_READING).recognize)
  return deps.reader.recognize(events, { source: file, type }, { recognition, ...readWithin(budget, add), ...listener })
}

async function acceptFile(
  deps: AddDeps,
  add: Add,
  { given, reason }: { given: FileToAdd; reason: AcceptedDocuments['reason'] },
): Promise<AcceptedDocuments> {
  const { file, type, recognition } = given
  const facts = toFacts(add, given)
  const { bytes, filename, declaredType } = file
  return acceptJob(deps, {
    ...toAccept(add, [facts], { reason, file: { bytes, filename, declaredType, type, recognition } }),
    stage: async () => {
      await deps.blobs.putFile(documentObject(add.memory.id, facts.id, 'upload'), file.path)
      return new Map()
    },
  })
}

function toFacts(add: Add, given: FileToAdd): DocumentFacts {
  const { file, type, sourceType, url, title, namelessTitle = UNTITLED } = given
  const { filename, bytes: sizeBytes } = file
  const named = (filename ?? '').replace(/\.[^.]{1,8}$/, '')
  const origin = { filename, mimeType: type.mimeType, sourceType, url, sizeBytes }
  return { ...commonFacts(add), ...DOCUMENT_DEFAULTS, ...origin, title: (title ?? named) || namelessTitle }
}
