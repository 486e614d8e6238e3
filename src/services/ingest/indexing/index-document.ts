import type { Warning } from '../../../api/values.ts'
import type { Chunk } from '../../../engine/chunking/chunk.ts'
import { createChunker } from '../../../engine/chunking/chunker.ts'
import { createEncodedData } from '../../../engine/chunking/encoded-data.ts'
import type { ChunkSizes } from '../../../engine/chunking/packer.ts'
import { createFingerprint, type Fingerprint } from '../../../engine/similarity/fingerprint.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Block, DocumentTitle, PageReport } from '../../../parsers/parse-event.ts'
import { hasVisibleText } from '../../../text/characters.ts'
import type { ReadEvent } from '../../reading/read-event.ts'
import type { ScanFate } from '../../reading/recognition.ts'
import { chooseTitle } from './choose-title.ts'
import { embedChunks, type IndexingTools } from './embed-chunks.ts'
import type { DetectLanguage } from './language-detector.ts'

/** Characters read before language and title are decided. */
const SAMPLE_CHARACTERS = 8_000

/** Dependencies for indexing a document. */
export type DocumentIndexing = IndexingTools & {
  detectLanguage: DetectLanguage
  /** Sizes of the chunks; the default when absent or `null`, and for corrections. */
  chunkSizes?: ChunkSizes | null
}

/** Facts of a document known before reading its text. */
export type DocumentToIndex = {
  id: string
  kind: 'document' | 'correction'
  /** Title from the caller; `null`: see {@link chooseTitle}, with `fallbackTitle` last. */
  title: string | null
  fallbackTitle: string
  /** Indexed with every chunk instead of the title; `null`: the title. */
  heading: string | null
  labels: readonly string[]
  /** Language (ISO 639-1) when detection is uncertain. */
  fallbackLanguage: string
  /** UTF-8 bytes of text within the plan's storage; the rest is cut. `null`: no limit. */
  maxTextBytes: number | null
}

/** Receives the parts of a document during reading. */
type IndexSink = {
  text(piece: string): Promise<void>
  chunks(rows: readonly ChunkRow[]): Promise<void>
  /** Called after each batch of chunks and each page. */
  progress?(done: ReadingProgress): void
}

/** Progress of reading. */
export type ReadingProgress = { characters: number; chunks: number } & Pick<
  PageTracker,
  'pageCount' | 'pages' | 'recognized'
>

/** Facts of a document known after reading. */
export type IndexedDocument = {
  title: string
  language: string
  chunkCount: number
  characterCount: number
  textBytes: number
  /** True when the text has visible characters. */
  hasText: boolean
  /** Pages, sheets or slides; `null` for formats without pages. */
  pageCount: number | null
  /** Page reports; one page for formats without pages. */
  pages: readonly PageReport[]
  failedPages: readonly PageReport[]
  doubts: PageTracker['doubts']
  fallbacks: PageTracker['fallbacks']
  scans: PageTracker['scans']
  warnings: Warning[]
  fingerprint: Fingerprint
  /** True when the text was cut at `maxTextBytes`. */
  truncated: boolean
  /** Reason for an early end of reading, as a sentence; `null` otherwise. */
  cut: string | null
}

/** Far less than a millisecond of work. */
const EVENTS_PER_TURN = 64

/**
 * Reads a document to the end. Chunks and text are passed to the sink as they come, so memory use
 * does not depend on the document's size. Rejects as the parser, the embedder and the sink do.
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
  await indexing.yieldToForeground?.()
  for await (const event of events) {
    seen += 1
    // Short documents continue in the same turn, so that their chunks share one embedding request.
    if (seen % EVENTS_PER_TURN === 0) await indexing.yieldToEventLoop?.()
    ledger.record(event)
    if ('warning' in event) warnings.push({ code: 'document_read_with_losses', message: event.warning, param: null })
    else if ('page' in event || 'pageCount' in event) reading.report()
    else if ('cut' in event) cut = event.cut
    else if ('title' in event) reading.setTitle(event)
    else if ('block' in event && !(await reading.addBlock(event.block))) break
  }
  const { failed: failedPages, doubts, fallbacks, scans } = ledger
  const pageCount = ledger.pageCount ?? (ledger.pages.length === 0 ? null : ledger.pages.length)
  const { dataCharacters, ...read } = await reading.finish()
  const pages = pageCount === null ? [singlePageReport(read)] : ledger.pages
  if (dataCharacters > 0) warnings.push(encodedDataWarning(dataCharacters))
  return { ...read, pageCount, pages, failedPages, doubts, fallbacks, scans, warnings, cut }
}

function encodedDataWarning(characters: number): Warning {
  const size = `${characters.toLocaleString('en')} characters of encoded data (base64)`
  const message = `${size} in the text are not indexed and cannot be found.`
  return { code: 'document_read_with_losses', message, param: null }
}

/** Report of a document without pages, which counts as one page. */
function singlePageReport({
  characterCount,
  hasText,
}: Pick<IndexedDocument, 'characterCount' | 'hasText'>): PageReport {
  const method = hasText ? 'text' : 'empty'
  return { page: 1, method, characters: characterCount, confidence: null, message: null }
}

function createReading(
  indexing: DocumentIndexing,
  document: DocumentToIndex,
  { sink, ledger }: { sink: IndexSink; ledger: PageTracker },
) {
  const identity = createTitleDetection(indexing.detectLanguage, document)
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

type TitleAndLanguage = { title: string; language: string }

/** Decides on title and language once enough text was read, or at the end. */
function createTitleDetection(detectLanguage: DetectLanguage, document: DocumentToIndex) {
  const sample: Block[] = []
  let characters = 0
  let own: DocumentTitle | null = null
  let decided: TitleAndLanguage | null = null

  async function decide(): Promise<TitleAndLanguage> {
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
    /** Returns `null` until enough text was read. */
    async add(block: Block): Promise<TitleAndLanguage | null> {
      if (decided !== null) return decided
      sample.push(block)
      characters += block.text.length
      return characters >= SAMPLE_CHARACTERS ? decide() : null
    },
  }
}

/**
 * Cuts blocks into chunks and writes their rows in the embedder's batch size; `written` is called
 * after each batch.
 */
function createChunkWriting(
  indexing: DocumentIndexing,
  { id: documentId, kind, labels, heading }: DocumentToIndex,
  { write, written }: { write: IndexSink['chunks']; written: () => void },
) {
  const { chunksAtOnce } = indexing.embedder
  const chunker = createChunker(kind === 'correction' ? null : indexing.chunkSizes)
  const data = createEncodedData()
  let waiting: Chunk[] = []
  let count = 0

  function take(chunks: Iterable<Chunk>): void {
    for (const chunk of chunks) if (!data.isData(chunk)) waiting.push(chunk)
  }

  async function writeBatches(least: number, { title, language }: TitleAndLanguage): Promise<void> {
    while (waiting.length >= least && waiting.length > 0) {
      const batch = waiting.slice(0, chunksAtOnce)
      waiting = waiting.slice(chunksAtOnce)
      await indexing.yieldToForeground?.()
      const context = { documentId, kind, labels, language, heading: heading ?? title, firstIndex: count }
      await write(await embedChunks(indexing, batch, context))
      count += batch.length
      written()
    }
  }

  return {
    count: () => count,
    add: (block: Block) => take(chunker.push(block)),
    writeFull: (identity: TitleAndLanguage) => writeBatches(chunksAtOnce, identity),
    async finish(identity: TitleAndLanguage) {
      take(chunker.flush())
      await writeBatches(1, identity)
      return { chunkCount: count, dataCharacters: data.characters() }
    },
  }
}

/** A message about a page, as a sentence. */
type PageNote = { page: number; message: string }

/** State of the pages of a document during reading. */
type PageTracker = {
  /** Page count from the parser; `null` until known. */
  readonly pageCount: number | null
  readonly pages: readonly PageReport[]
  /** Pages that could not be read. */
  readonly failed: readonly PageReport[]
  /** Pages whose recognised text may be wrong or incomplete, with reasons. */
  readonly doubts: readonly PageNote[]
  /** Pages that the vision model did not read, with reasons. */
  readonly fallbacks: readonly PageNote[]
  /** Number of scanned pages by outcome. */
  readonly scans: Readonly<Record<ScanFate, number>>
  /** Number of pages with recognised text. */
  readonly recognized: number
  /** Applies the page facts of an event. */
  record(event: ReadEvent): void
}

function createPageTracker(): PageTracker {
  const pages: PageReport[] = []
  const failed: PageReport[] = []
  const doubts: PageNote[] = []
  const fallbacks: PageNote[] = []
  const scans = { recognized: 0, failed: 0, 'over-limit': 0, off: 0 }
  let pageCount: number | null = null
  let recognized = 0
  return {
    pages,
    failed,
    doubts,
    fallbacks,
    scans,
    get pageCount() {
      return pageCount
    },
    get recognized() {
      return recognized
    },
    record(event) {
      if ('pageCount' in event) pageCount = event.pageCount
      if (!('page' in event)) return
      pages.push(event.page)
      if (event.page.method === 'ocr') recognized++
      const fate = 'fate' in event ? event.fate : null
      if (fate !== null) scans[fate]++
      if ('doubt' in event) doubts.push({ page: event.page.page, message: event.doubt })
      if ('fallback' in event) fallbacks.push({ page: event.page.page, message: event.fallback })
      if (event.page.method === 'failed' && fate !== 'over-limit') failed.push(event.page)
    },
  }
}
