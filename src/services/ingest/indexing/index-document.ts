import type { Warning } from '../../../api/values.ts'
import type { Chunk } from '../../../engine/chunking/chunk.ts'
import { createChunker } from '../../../engine/chunking/chunker.ts'
import { createEncodedData } from '../../../engine/chunking/encoded-data.ts'
import { createFingerprint, type Fingerprint } from '../../../engine/similarity/fingerprint.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Block, DocumentTitle, PageReceipt } from '../../../parsers/parse-event.ts'
import { hasVisibleText } from '../../../text/characters.ts'
import type { ReadEvent } from '../../reading/read-event.ts'
import type { ScanFate } from '../../reading/recognition.ts'
import { chooseTitle } from './choose-title.ts'
import { embedChunks, type Indexing } from './embed-chunks.ts'
import type { DetectLanguage } from './language-detector.ts'

/** Characters read before the language and the title are decided. */
const SAMPLE_CHARACTERS = 8_000

/** What turns a document into chunks that are found. */
export type DocumentIndexing = Indexing & { detectLanguage: DetectLanguage }

/** What has to be known of a document before its text is read. */
export type DocumentToIndex = {
  id: string
  kind: 'document' | 'correction'
  /**
   * The title the caller gave; `null`: what {@link chooseTitle} finds, at the last `fallbackTitle`.
   */
  title: string | null
  fallbackTitle: string
  /** Indexed with every chunk in the title's place; `null`: the title is. */
  heading: string | null
  labels: readonly string[]
  /** Language where none can be told with certainty, ISO 639-1. */
  fallbackLanguage: string
  /** UTF-8 bytes of text that fit in the plan; what comes after is left out. `null`: all fit. */
  maxTextBytes: number | null
}

/** Where the parts of the document go while it is read. */
type IndexSink = {
  text(piece: string): Promise<void>
  chunks(rows: readonly ChunkRow[]): Promise<void>
  /** Called after each batch of chunks and each page. */
  progress?(done: ReadingProgress): void
}

/** What was read so far. */
export type ReadingProgress = { characters: number; chunks: number } & Pick<
  PageTracker,
  'pageCount' | 'pages' | 'recognized'
>

/** What was learned of a document while its text was read and its chunks were stored. */
export type IndexedDocument = {
  title: string
  language: string
  chunkCount: number
  characterCount: number
  textBytes: number
  /** True when some of the text is more than white space. */
  hasText: boolean
  /** Pages, sheets or slides; `null` for what has none. */
  pageCount: number | null
  /** The receipt; one page for a document that has none. */
  pages: readonly PageReceipt[]
  failedPages: readonly PageReceipt[]
  fallbacks: PageTracker['fallbacks']
  scans: PageTracker['scans']
  warnings: Warning[]
  fingerprint: Fingerprint
  /** True when the text was cut at `maxTextBytes`. */
  truncated: boolean
  /** Why reading ended before the document did, a sentence; `null` when it did not. */
  cut: string | null
}

/** Far less than a millisecond of work. */
const EVENTS_A_TURN = 64

/**
 * Reads a document to its end: blocks become chunks, chunks rows, rows and text go to the sink as
 * they come, so that a document of any size takes the same memory. Rejects as the parser, the
 * embedder and the sink do.
 */
export async function indexDocument(
  indexing: DocumentIndexing,
  document: DocumentToIndex,
  { events, sink }: { events: AsyncIterable<ReadEvent> | Iterable<ReadEvent>; sink: IndexSink },
): Promise<IndexedDocument> {
  const ledger = createPageTracker()
  const reading = createReading(indexing, document, { sink, ledger })
  const warnings: Warning[] = []
  let cut: string | null = null
  let seen = 0
  await indexing.giveWay?.()
  for await (const event of events) {
    seen += 1
    // Short documents that come together go on in one turn, so that what is to be embedded of them
    // is one request.
    if (seen % EVENTS_A_TURN === 0) await indexing.shareLoop?.()
    ledger.note(event)
    if ('warning' in event) warnings.push({ code: 'document_read_with_losses', message: event.warning, param: null })
    else if ('page' in event || 'pageCount' in event) reading.report()
    else if ('cut' in event) cut = event.cut
    else if ('title' in event) reading.setTitle(event)
    else if ('block' in event && !(await reading.addBlock(event.block))) break
  }
  const { failed: failedPages, fallbacks, scans } = ledger
  const pageCount = ledger.pageCount ?? (ledger.pages.length === 0 ? null : ledger.pages.length)
  const { dataCharacters, ...read } = await reading.finish()
  const pages = pageCount === null ? [receiptOfAll(read)] : ledger.pages
  if (dataCharacters > 0) warnings.push(warnOfData(dataCharacters))
  return { ...read, pageCount, pages, failedPages, fallbacks, scans, warnings, cut }
}

function warnOfData(characters: number): Warning {
  const size = `${characters.toLocaleString('en')} characters of encoded data (base64)`
  const message = `${size} are in the text and in none of its passages: nothing is found in them.`
  return { code: 'document_read_with_losses', message, param: null }
}

/** What became of a document that has no pages: it counts as one. */
function receiptOfAll({ characterCount, hasText }: Pick<IndexedDocument, 'characterCount' | 'hasText'>): PageReceipt {
  const method = hasText ? 'text' : 'empty'
  return { page: 1, method, characters: characterCount, confidence: null, message: null }
}

function createReading(
  indexing: DocumentIndexing,
  document: DocumentToIndex,
  { sink, ledger }: { sink: IndexSink; ledger: PageTracker },
) {
  const identity = createIdentity(indexing.detectLanguage, document)
  const chunks = createChunkWriting(indexing, document, {
    write: (rows) => sink.chunks(rows),
    written: report,
  })
  const fingerprint = createFingerprint()
  let characterCount = 0
  let textBytes = 0
  let hasText = false
  let truncated = false

  function report(): void {
    const { pageCount, pages, recognized } = ledger
    sink.progress?.({ characters: characterCount, chunks: chunks.count(), pageCount, pages, recognized })
  }

  async function addBlock(block: Block): Promise<boolean> {
    const bytes = Buffer.byteLength(block.text)
    if (document.maxTextBytes !== null && textBytes + bytes > document.maxTextBytes) {
      truncated = true
      return false
    }
    textBytes += bytes
    characterCount += block.text.length
    hasText ||= hasVisibleText(block.text)
    fingerprint.add(block.text)
    await sink.text(block.text)
    const decided = await identity.add(block)
    chunks.add(block)
    if (decided !== null) await chunks.writeFull(decided)
    return true
  }

  async function finish() {
    const { title, language } = await identity.decide()
    const { chunkCount, dataCharacters } = await chunks.finish({ title, language })
    const counts = { chunkCount, characterCount, dataCharacters, textBytes }
    return { title, language, ...counts, hasText, fingerprint: fingerprint.digest(), truncated }
  }

  return { setTitle: identity.setTitle, addBlock, report, finish }
}

type Identity = { title: string; language: string }

/**
 * Decides on the title and the language of a document when enough of it was read, or at its end.
 */
function createIdentity(detectLanguage: DetectLanguage, document: DocumentToIndex) {
  const sample: Block[] = []
  let characters = 0
  let own: DocumentTitle | null = null
  let decided: Identity | null = null

  async function decide(): Promise<Identity> {
    if (decided !== null) return decided
    const text = sample.map((block) => block.text).join('')
    const title = chooseTitle({ given: document.title, own, blocks: sample, fallback: document.fallbackTitle })
    decided = { title, language: (await detectLanguage(text)) ?? document.fallbackLanguage }
    return decided
  }

  return {
    decide,
    setTitle(title: DocumentTitle): void {
      own = title
    },
    /** `null` until enough was read. */
    async add(block: Block): Promise<Identity | null> {
      if (decided !== null) return decided
      sample.push(block)
      characters += block.text.length
      return characters >= SAMPLE_CHARACTERS ? decide() : null
    },
  }
}

/**
 * Cuts blocks into chunks and writes their rows, as many at a time as the embedder takes; `written`
 * is called after each.
 */
function createChunkWriting(
  indexing: DocumentIndexing,
  { id: documentId, kind, labels, heading }: DocumentToIndex,
  { write, written }: { write: IndexSink['chunks']; written: () => void },
) {
  const { chunksAtOnce } = indexing.embedder
  const chunker = createChunker()
  const data = createEncodedData()
  let waiting: Chunk[] = []
  let count = 0

  function take(chunks: Iterable<Chunk>): void {
    for (const chunk of chunks) if (!data.isData(chunk)) waiting.push(chunk)
  }

  async function writeBatches(least: number, { title, language }: Identity): Promise<void> {
    while (waiting.length >= least && waiting.length > 0) {
      const batch = waiting.slice(0, chunksAtOnce)
      waiting = waiting.slice(chunksAtOnce)
      await indexing.giveWay?.()
      const context = { documentId, kind, labels, language, heading: heading ?? title, firstIndex: count }
      await write(await embedChunks(indexing, batch, context))
      count += batch.length
      written()
    }
  }

  return {
    count: () => count,
    add: (block: Block) => take(chunker.push(block)),
    writeFull: (identity: Identity) => writeBatches(chunksAtOnce, identity),
    async finish(identity: Identity) {
      take(chunker.flush())
      await writeBatches(1, identity)
      return { chunkCount: count, dataCharacters: data.characters() }
    },
  }
}

/** Something that has to be said of a page, a sentence. */
type PageNote = { page: number; message: string }

/** What became of the pages of a document, as far as it was read. */
type PageTracker = {
  /** As the parser said before the first; `null` when it did not. */
  readonly pageCount: number | null
  readonly pages: readonly PageReceipt[]
  /** Those that were tried and came to nothing. */
  readonly failed: readonly PageReceipt[]
  /** Those that a model was to read and did not, and why. */
  readonly fallbacks: readonly PageNote[]
  /** How many of the pages that are pictures became what. */
  readonly scans: Readonly<Record<ScanFate, number>>
  /** Pages whose text was recognised. */
  readonly recognized: number
  /** Takes what an event says of pages. */
  note(event: ReadEvent): void
}

/** A ledger without pages. */
function createPageTracker(): PageTracker {
  const pages: PageReceipt[] = []
  const failed: PageReceipt[] = []
  const fallbacks: PageNote[] = []
  const scans = { recognized: 0, failed: 0, 'over-limit': 0, off: 0 }
  let pageCount: number | null = null
  let recognized = 0
  return {
    pages,
    failed,
    fallbacks,
    scans,
    get pageCount() {
      return pageCount
    },
    get recognized() {
      return recognized
    },
    note(event) {
      if ('pageCount' in event) pageCount = event.pageCount
      if (!('page' in event)) return
      pages.push(event.page)
      if (event.page.method === 'ocr') recognized++
      const fate = 'fate' in event ? event.fate : null
      if (fate !== null) scans[fate]++
      if ('fallback' in event) fallbacks.push({ page: event.page.page, message: event.fallback })
      if (event.page.method === 'failed' && fate !== 'over-limit') failed.push(event.page)
    },
  }
}
