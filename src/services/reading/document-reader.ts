import { ApiError } from '../../errors.ts'
import type { VisionReader } from '../../models/vision/vision-reader.ts'
import type { TaskOwner } from '../../parsers/child/fair-queue.ts'
import type { ParserPool, TaskLimits } from '../../parsers/child/parser-pool.ts'
import { isReadInChild } from '../../parsers/formats.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../../parsers/parse-event.ts'
import { parsePlainText } from '../../parsers/plain-text.ts'
import { createGivenUpFiles, type GivenUpFiles } from './given-up-files.ts'
import type { DrawPageInput } from './page-picture.ts'
import type { ReadEvent } from './read-event.ts'
import type { RecognitionPlan, RecognizedPage, RecognizedPages } from './recognition.ts'
import { recognizePageIn } from './recognize-page.ts'
import { recognizeScans } from './recognize-scans.ts'

/** For whom a file is read, and when that ends. */
export type ReadOptions = Pick<TaskLimits, 'isBackground' | 'meter' | 'onRestart'> & {
  owner: TaskOwner
  signal: AbortSignal
}

/** How the scans of a file are treated, and who hears of it. */
export type RecognizeOptions = Omit<ReadOptions, 'onRestart'> & {
  recognition: RecognitionPlan
  /** What need not be recognised again; none where absent. */
  recognized?: RecognizedPages
  /** Hears of each page as it is recognised, in page order. */
  onRecognized?: (page: number, recognized: RecognizedPage) => void
}

/** Reads files of every supported format, pictures of text included. */
export type DocumentReader = {
  /** The file as its parser gives it, scans not yet recognised. */
  parse(source: SourceFile, type: SniffedType, options: ReadOptions): AsyncIterable<ParseEvent>
  /** Throws `unprocessable_document` for a file that was given up lately for its time or memory, and has the same owner's organization. */
  requireReadable(source: SourceFile, owner: TaskOwner): Promise<void>
  /** Turns the scans among the events of that file into blocks and receipts, several pages at a time, in page order. */
  recognize(
    events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
    file: { source: SourceFile; type: SniffedType },
    options: RecognizeOptions,
  ): AsyncIterable<ReadEvent>
  /** Both. */
  read(source: SourceFile, type: SniffedType, options: RecognizeOptions): AsyncIterable<ReadEvent>
  /** A page as PNG with a passage marked; `null` where there is no such page. Throws as reading the file does. */
  draw(page: Omit<DrawPageInput, 'languages'>, options: Omit<ReadOptions, 'onRestart'>): Promise<Buffer | null>
  /** From now on keeps a child that parses ahead of need. */
  warm(): void
  /** Ends all children; whatever is being read then rejects with `service_unavailable`. */
  close(): Promise<void>
}

/** What a reader is made of. */
type DocumentReaderDeps = {
  /** Children that parse. */
  parsing: ParserPool
  /** Children that recognise, others than those that parse: a parse that waits for its pages would keep them from being recognised. */
  recognition: ParserPool
  /** Children that draw pages for people who look at them: neither uploads nor jobs hold them up, nor they those. */
  drawing: ParserPool
  /** Pages of one document that are recognised at a time: as many as `recognition` has children. */
  pagesAtOnce: number
  /** What is recognised where a plan names no languages. */
  languages: readonly string[]
  /** A model that sees; `null` where none is configured. */
  vision: VisionReader | null
  /** Files that were given up lately; its own where absent. */
  givenUp?: GivenUpFiles
}

/** What a page may take to be drawn: an ordinary one takes a third of a second, one that has to be recognised again some seconds. */
const DRAWING_TIMEOUT_MS = 15_000

/** Reads text formats in this process, everything else in children of the pools. */
export function createDocumentReader(parts: DocumentReaderDeps): DocumentReader {
  const { parsing, recognition, drawing, pagesAtOnce, languages, vision, givenUp = createGivenUpFiles() } = parts
  const closing = new AbortController()
  const orClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal])

  const reader: DocumentReader = {
    parse(source, type, options) {
      if (!isReadInChild(type.format)) return parsePlainText(source, type)
      return givenUp.watch(source, options.owner, (onGivenUp) =>
        parsing.parse(source, type, { ...options, signal: orClosed(options.signal), onGivenUp }),
      )
    },
    requireReadable: (source, owner) => givenUp.requireReadable(source, owner),
    recognize(events, { source, type }, { recognition: plan, signal, recognized, onRecognized, ...task }) {
      const file = { source, type, plan, languages, vision, task, givenUp }
      const recognize = recognizePageIn(recognition, file)
      const listeners = { ...(recognized && { recognized }), ...(onRecognized && { onRecognized }) }
      return recognizeScans(events, { plan, recognize, pagesAtOnce, signal: orClosed(signal), ...listeners })
    },
    read(source, type, options) {
      return reader.recognize(reader.parse(source, type, options), { source, type }, options)
    },
    async draw(page, options) {
      const input: DrawPageInput = { ...page, languages }
      const limits = { ...options, timeoutMs: DRAWING_TIMEOUT_MS, signal: orClosed(options.signal) }
      const png = await drawing.run('draw-marked-page', input, limits)
      return png === null ? null : Buffer.from(png as Uint8Array)
    },
    warm: () => parsing.warm(),
    async close() {
      closing.abort(new ApiError('service_unavailable', { message: 'The service is stopping.' }))
      await Promise.all([parsing, recognition, drawing].map((pool) => pool.close()))
    },
  }
  return reader
}
