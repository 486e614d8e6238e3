import type { Block, PageReceipt, ParseEvent, ScannedPage } from '../../parsers/parse-event.ts'
import type { ReadEvent, ScanReceipt } from './read-event.ts'
import { allowedPages, type RecognitionPlan, type RecognizedPage, type RecognizedPages } from './recognition.ts'

/** Recognises a page. Rejects only when it was stopped, or nothing can be recognised at all. */
export type RecognizePage = (page: number, signal: AbortSignal) => Promise<RecognizedPage>

/** How the scans of a document are recognised. */
export type ScanRecognition = {
  plan: RecognitionPlan
  recognize: RecognizePage
  /** Pages that are recognised at a time. */
  pagesAtOnce: number
  signal: AbortSignal
  recognized?: RecognizedPages
  onRecognized?: (page: number, recognized: RecognizedPage) => void
}

/**
 * Events that are held behind a page that is still being recognised: a megabyte or two. All pages
 * of a usual scan have their place in it, so that the child which parses is free for the next file
 * while they are being recognised.
 */
const MAX_HELD_EVENTS = 2_000
/**
 * Recognised pages that are held so, for each at a time: one that takes a minute keeps the others
 * busy, not waiting.
 */
const MAX_HELD_PAGES = 16

/**
 * An event, or a scan and what will come of it; `take` is `null` until that is there, and throws
 * where nothing can come of it.
 */
type Held = { take: (() => readonly ReadEvent[]) | null }

/**
 * Puts blocks and a receipt in the place of each scan. Goes on reading while pages are recognised,
 * so that several are at a time, but only so far ahead that memory stays flat. Whoever stops taking
 * events, or aborts, stops the recognition; nothing runs any more when this has ended. Rejects as
 * the events do, and as `recognize` does.
 */
export async function* recognizeScans(
  events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
  { signal, ...given }: ScanRecognition,
): AsyncGenerator<ReadEvent> {
  const over = new AbortController()
  const scans = createScans({ ...given, signal: AbortSignal.any([signal, over.signal]) })
  const held: Held[] = []
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

/** What stands at the front and waits for nothing. */
function* takeReady(held: Held[]): Generator<ReadEvent> {
  while (held[0]?.take) {
    const { take } = held[0]
    held.shift()
    yield* take()
  }
}

/** The scans of a document, of which some are being recognised and some wait. */
function createScans(given: ScanRecognition) {
  const { plan, pagesAtOnce, onRecognized } = given
  const waiting: (() => Promise<void>)[] = []
  const running = new Set<Promise<void>>()
  const allowed = allowedPages(plan)
  let seen = 0
  let begun = 0

  function take(scan: ScannedPage): Held {
    seen++
    if (!plan.enabled) return { take: () => omittedPageEvents(scan, 'off', plan) }
    if (seen > allowed) return { take: () => omittedPageEvents(scan, 'over-limit', plan) }
    const held: Held = { take: null }
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

  async function recognizeInto(held: Held, scan: ScannedPage): Promise<void> {
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
    /** Resolves when one more is recognised; at once when none is under way. */
    next: async () => void (await Promise.race(running.size === 0 ? [null] : running)),
    /** Resolves when nothing is under way; what waits is not begun any more. */
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
  // A page that was given up may come out better the next time.
  if (outcome !== 'timeout' && outcome !== 'failed') await recognized?.put(page, fresh)
  return fresh
}

/**
 * A page that was looked at: its paragraphs and its receipt. What the page has of its own is kept
 * where it was not recognised with the rest.
 */
export function recognizedPageEvents(scan: ScannedPage, { recognition, fallback }: RecognizedPage): ReadEvent[] {
  const told = fallback === undefined ? {} : { fallback }
  const { outcome, blocks, confidence, message } = recognition
  const own = toBlocks(withoutKnown(scan.text, recognition.text), scan.page)
  if (outcome === 'text') {
    const all = [...blocks.flatMap(({ text }) => toBlocks(text, scan.page)), ...own]
    return withReceipt(all, { page: scan.page, method: 'ocr', confidence, message }, { fate: 'recognized', ...told })
  }
  const isBlank = outcome === 'blank'
  const method = isBlank ? (own.length === 0 ? 'empty' : 'text') : 'failed'
  const fate = isBlank || outcome === 'nonsense' ? 'recognized' : 'failed'
  return withReceipt(own, { page: scan.page, method, confidence: null, message }, { fate, ...told })
}

/** A page that was not looked at, and why. */
export function omittedPageEvents(
  scan: ScannedPage,
  fate: 'off' | 'over-limit',
  { maxPages }: RecognitionPlan,
): ReadEvent[] {
  const own = toBlocks(scan.text, scan.page)
  const receipt =
    fate === 'off'
      ? ({ method: 'empty', message: 'The page is a picture, and enableOcr is false.' } as const)
      : ({ method: 'failed', message: `Not recognised: ocrMaxPages is ${maxPages}.` } as const)
  return withReceipt(own, { page: scan.page, confidence: null, ...receipt }, { fate })
}

function withReceipt(
  blocks: Block[],
  { page, method, confidence, message }: Omit<PageReceipt, 'characters'>,
  outcome: Omit<ScanReceipt, 'page'>,
): ReadEvent[] {
  const characters = blocks.reduce((total, { text }) => total + text.length, 0)
  return [
    ...blocks.map((block) => ({ block })),
    { page: { page, method, characters, confidence, message }, ...outcome },
  ]
}

/** A paragraph and the empty line after it, as the readers of documents give them. */
function toBlocks(text: string, page: number): Block[] {
  const paragraph = text.trim()
  if (paragraph === '') return []
  return [
    { text: `${paragraph}\n`, kind: 'paragraph', page },
    { text: '\n', kind: 'blank', page },
  ]
}

/**
 * The lines that do not stand in the recognised text. A stamp does, as a rule; a reader's remark is
 * not drawn.
 */
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
