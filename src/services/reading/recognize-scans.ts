import type { Block, PageReport, ParseEvent, ScannedPage } from '../../parsers/parse-event.ts'
import type { ReadEvent, ScanReport } from './read-event.ts'
import { allowedPages, type RecognitionPlan, type RecognizedPage, type RecognizedPages } from './recognition.ts'

/** Recognises a page. Rejects only when stopped, or when recognition is unavailable. */
export type RecognizePage = (page: number, signal: AbortSignal) => Promise<RecognizedPage>

/** Options of {@link recognizeScans}. */
export type ScanRecognition = {
  plan: RecognitionPlan
  recognize: RecognizePage
  /** Pages recognised concurrently. */
  pagesAtOnce: number
  signal: AbortSignal
  recognized?: RecognizedPages
  onRecognized?: (page: number, recognized: RecognizedPage) => void
}

/**
 * Events held behind a page that is being recognised: one or two megabytes. All pages of a usual
 * scan fit, so that the parser process is free for the next file meanwhile.
 */
const MAX_HELD_EVENTS = 2_000
/**
 * Recognised pages held per concurrent page: a page that takes a minute does not block the others.
 */
const MAX_HELD_PAGES = 16

/**
 * An event, or a pending scan; `take` is `null` until the result is ready, and throws when
 * recognition failed.
 */
type PendingEvent = { take: (() => readonly ReadEvent[]) | null }

/**
 * Replaces each scan by blocks and a report. Reads ahead during recognition, so that several pages
 * are recognised concurrently, within bounded memory. Recognition stops when the consumer stops or
 * aborts, and nothing runs after the end. Rejects as the events and `recognize` do.
 */
export async function* recognizeScans(
  events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
  { signal, ...given }: ScanRecognition,
): AsyncGenerator<ReadEvent> {
  const over = new AbortController()
  const scans = createScans({ ...given, signal: AbortSignal.any([signal, over.signal]) })
  const held: PendingEvent[] = []
  try {
    for await (const event of events) {
      held.push('scan' in event ? scans.take(event.scan) : { take: () => [event] })
      yield* takeReady(held)
      while (held.length >= MAX_HELD_EVENTS) {
        await scans.next()
        yield* takeReady(held)
      }
    }
    while (held.length > 0) {
      await scans.next()
      yield* takeReady(held)
    }
  } finally {
    over.abort(new Error('the rest of the document is not wanted'))
    await scans.settled()
  }
}

/** Yields the ready events at the front. */
function* takeReady(held: PendingEvent[]): Generator<ReadEvent> {
  while (held[0]?.take) {
    const { take } = held[0]
    held.shift()
    yield* take()
  }
}

/** Running and waiting scans of a document. */
function createScans(given: ScanRecognition) {
  const { plan, pagesAtOnce, onRecognized } = given
  const waiting: (() => Promise<void>)[] = []
  const running = new Set<Promise<void>>()
  const allowed = allowedPages(plan)
  let seen = 0
  let begun = 0

  function take(scan: ScannedPage): PendingEvent {
    seen++
    if (!plan.enabled) return { take: () => omittedPageEvents(scan, 'off', plan) }
    if (seen > allowed) return { take: () => omittedPageEvents(scan, 'over-limit', plan) }
    const held: PendingEvent = { take: null }
    waiting.push(() => recognizeInto(held, scan))
    beginMore()
    return held
  }

  function beginMore(): void {
    while (running.size < pagesAtOnce && begun < MAX_HELD_PAGES * pagesAtOnce) {
      const begin = waiting.shift()
      if (begin === undefined) return
      begun++
      const work = begin().finally(() => {
        running.delete(work)
        beginMore()
      })
      running.add(work)
    }
  }

  async function recognizeInto(held: PendingEvent, scan: ScannedPage): Promise<void> {
    const result = await recognizeOnce(scan.page, given).then(
      (recognized) => () => recognized,
      (error: unknown) => () => {
        throw error
      },
    )
    held.take = () => {
      begun--
      beginMore()
      const recognized = result()
      onRecognized?.(scan.page, recognized)
      return recognizedPageEvents(scan, recognized)
    }
  }

  return {
    take,
    /** Resolves when one more page is recognised; immediately when none is running. */
    next: async () => void (await Promise.race(running.size === 0 ? [null] : running)),
    /** Resolves when no recognition is running; waiting pages are not started. */
    settled: async () => {
      waiting.length = 0
      await Promise.all(running)
    },
  }
}

async function recognizeOnce(
  page: number,
  { recognize, recognized, signal }: ScanRecognition,
): Promise<RecognizedPage> {
  const kept = (await recognized?.get(page)) ?? null
  if (kept !== null) return kept
  const fresh = await recognize(page, signal)
  const { outcome } = fresh.recognition
  // A page that timed out may succeed the next time.
  if (outcome !== 'timeout' && outcome !== 'failed') await recognized?.put(page, fresh)
  return fresh
}

/**
 * Blocks and report of a recognised page. Text in the page itself is kept when recognition did not
 * find the same text.
 */
export function recognizedPageEvents(scan: ScannedPage, { recognition, fallback }: RecognizedPage): ReadEvent[] {
  const told = fallback === undefined ? {} : { fallback }
  const { outcome, blocks, confidence } = recognition
  const message = explainScan(scan, recognition.message)
  const own = toBlocks(withoutKnown(scan.text, recognition.text), scan.page)
  if (outcome === 'text') {
    const all = [...blocks.flatMap(({ text }) => toBlocks(text, scan.page)), ...own]
    const doubt = recognition.message === null ? {} : { doubt: recognition.message }
    const report = { page: scan.page, method: 'ocr', confidence, message } as const
    return withReport(all, report, { fate: 'recognized', ...doubt, ...told })
  }
  const isBlank = outcome === 'blank'
  const method = isBlank ? (own.length === 0 ? 'empty' : 'text') : 'failed'
  const fate = isBlank || outcome === 'nonsense' ? 'recognized' : 'failed'
  return withReport(own, { page: scan.page, method, confidence: null, message }, { fate, ...told })
}

const UNREADABLE = 'The text of the page is unreadable, because its fonts have no usable character map'

/** The message of a recognised page; if the page has unreadable text, after the reason. */
function explainScan({ isUnreadable }: ScannedPage, message: string | null): string | null {
  return isUnreadable === true ? `${UNREADABLE}. ${message ?? 'The page was recognised as a picture.'}` : message
}

/** Text and report of a page that was not recognised. */
export function omittedPageEvents(
  scan: ScannedPage,
  fate: 'off' | 'over-limit',
  { maxPages }: RecognitionPlan,
): ReadEvent[] {
  const own = toBlocks(scan.text, scan.page)
  const whatItIs = scan.isUnreadable === true ? UNREADABLE : 'The page is scanned'
  const report =
    fate === 'off'
      ? ({ method: 'empty', message: `${whatItIs}, and enableOcr is false.` } as const)
      : ({ method: 'failed', message: `Not recognised: ocrMaxPages is ${maxPages}.` } as const)
  return withReport(own, { page: scan.page, confidence: null, ...report }, { fate })
}

function withReport(
  blocks: Block[],
  { page, method, confidence, message }: Omit<PageReport, 'characters'>,
  outcome: Omit<ScanReport, 'page'>,
): ReadEvent[] {
  const characters = blocks.reduce((total, { text }) => total + text.length, 0)
  return [
    ...blocks.map((block) => ({ block })),
    { page: { page, method, characters, confidence, message }, ...outcome },
  ]
}

/** A paragraph and a blank line, as parsers produce. */
function toBlocks(text: string, page: number): Block[] {
  const paragraph = text.trim()
  if (paragraph === '') return []
  return [
    { text: `${paragraph}\n`, kind: 'paragraph', page },
    { text: '\n', kind: 'blank', page },
  ]
}

/** Lines that recognition did not find: a stamp usually is found, an annotation is not rendered. */
function withoutKnown(own: string, recognized: string): string {
  const known = squash(recognized)
  return own
    .split('\n')
    .filter((line) => line.trim() !== '' && !known.includes(squash(line)))
    .join('\n')
}

function squash(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}
