import { ApiError } from '../../errors.ts'
import type { ParserPool } from '../../parsers/child/parser-pool.ts'
import { isReadInChild } from '../../parsers/formats.ts'
import { parse } from '../../parsers/parse.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../../parsers/parse-event.ts'
import type { VisionReader } from '../../providers/vision/vision-reader.ts'
import type { DrawPageInput } from './page-picture.ts'
import type { ReadEvent } from './read-event.ts'
import type { RecognitionPlan, RecognizedPage, RecognizedPages } from './recognition.ts'
import { recognizePageIn } from './recognize-page-in.ts'
import { recognizeScans } from './recognize-scans.ts'

/** How the scans of a file are treated, and who hears of it. */
export type RecognizeOptions = {
  recognition: RecognitionPlan
  signal: AbortSignal
  /** What need not be recognised again; none where absent. */
  recognized?: RecognizedPages
  /** Hears of each page as it is recognised, in page order. */
  onRecognized?: (page: number, recognized: RecognizedPage) => void
}

/** Reads files of every supported format, pictures of text included. */
export type DocumentReader = {
  /** The file as its parser gives it, scans not yet recognised. */
  parse(source: SourceFile, type: SniffedType, signal: AbortSignal): AsyncIterable<ParseEvent>
  /** Turns the scans among the events of that file into blocks and receipts, several pages at a time, in page order. */
  recognize(
    events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
    file: { source: SourceFile; type: SniffedType },
    options: RecognizeOptions,
  ): AsyncIterable<ReadEvent>
  /** Both. */
  read(source: SourceFile, type: SniffedType, options: RecognizeOptions): AsyncIterable<ReadEvent>
  /** A page as PNG with a passage marked; `null` where there is no such page. Throws as reading the file does. */
  draw(page: Omit<DrawPageInput, 'languages'>, signal: AbortSignal): Promise<Buffer | null>
  /** From now on keeps a child that parses ahead of need. */
  warm(): void
  /** Ends all children; whatever is being read then rejects with `service_unavailable`. */
  close(): Promise<void>
}

/** What a reader is made of. */
export type DocumentReaderParts = {
  /** Children that parse. */
  parsing: ParserPool
  /** Children that recognise, others than those that parse: a parse that waits for its pages would keep them from being recognised. */
  recognition: ParserPool
  /** Pages of one document that are recognised at a time: as many as `recognition` has children. */
  pagesAtOnce: number
  /** What is recognised where a plan names no languages. */
  languages: readonly string[]
  /** A model that sees; `null` where none is configured. */
  vision: VisionReader | null
}

/** Reads text formats in this process, everything else in children of the two pools. */
export function createDocumentReader(parts: DocumentReaderParts): DocumentReader {
  const { parsing, recognition, pagesAtOnce, languages, vision } = parts
  const closing = new AbortController()
  const orClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal])

  const reader: DocumentReader = {
    parse(source, type, signal) {
      if (!isReadInChild(type.format)) return parse(source, type)
      return parsing.parse(source, type, { signal: orClosed(signal) })
    },
    recognize(events, { source, type }, { recognition: plan, signal, ...rest }) {
      const recognize = recognizePageIn(recognition, { source, type, plan, languages, vision })
      return recognizeScans(events, { plan, recognize, pagesAtOnce, signal: orClosed(signal), ...rest })
    },
    read(source, type, options) {
      return reader.recognize(reader.parse(source, type, options.signal), { source, type }, options)
    },
    async draw(page, signal) {
      const pool = page.isRecognized ? recognition : parsing
      const input: DrawPageInput = { ...page, languages }
      const png = await pool.run('draw-marked-page', input, { signal: orClosed(signal) })
      return png === null ? null : Buffer.from(png as Uint8Array)
    },
    warm: () => parsing.warm(),
    async close() {
      closing.abort(new ApiError('service_unavailable', { message: 'The service is stopping.' }))
      await Promise.all([parsing.close(), recognition.close()])
    },
  }
  return reader
}
