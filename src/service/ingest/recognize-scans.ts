import type { ParseEvent, ScannedPage } from '../../parsers/parser.ts'
import type { ReadEvent } from './document-reader.ts'
import { allowedPages, type RecognitionPlan, type RecognizedPage, type RecognizedPages } from './recognition.ts'
import { omittedPageEvents, recognizedPageEvents } from './scan-events.ts'

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

/** Events that are held behind a page that is still being recognised: some dozen pages of text, a megabyte or two. */
const MAX_HELD_EVENTS = 2_000
/** Pages that are held so, for each that is recognised at a time: one that takes a minute keeps the others busy, not waiting. */
const MAX_HELD_SCANS = 16

/** An event, or a scan and what will come of it; `take` is `null` until it is there, and throws where nothing can come of it. */
type Held = { take: (() => readonly ReadEvent[]) | null }

/**
 * Puts blocks and a receipt in the place of each scan. Goes on reading while pages are recognised, so that several are at a time, but only
 * so far ahead that memory stays flat. Whoever stops taking events, or aborts, stops the recognition; nothing runs any more when this
 * has ended. Rejects as the events do, and as `recognize` does.
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
      while (scans.areEnough() || held.length >= MAX_HELD_EVENTS) {
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

/** The scans of a document, of which some are being recognised. */
function createScans(given: ScanRecognition) {
  const { plan, pagesAtOnce, onRecognized } = given
  const running = new Set<Promise<void>>()
  const allowed = allowedPages(plan)
  let seen = 0
  let held = 0

  function take(scan: ScannedPage): Held {
    seen++
    if (!plan.enabled) return { take: () => omittedPageEvents(scan, 'off', plan) }
    if (seen > allowed) return { take: () => omittedPageEvents(scan, 'over-limit', plan) }
    held++
    return begin(scan)
  }

  function begin(scan: ScannedPage): Held {
    const waiting: Held = { take: null }
    const finish = (result: () => RecognizedPage) => {
      waiting.take = () => {
        held--
        const recognized = result()
        onRecognized?.(scan.page, recognized)
        return recognizedPageEvents(scan, recognized)
      }
    }
    const work = recognizeOnce(scan.page, given)
      .then(
        (recognized) => finish(() => recognized),
        (error: unknown) =>
          finish(() => {
            throw error
          }),
      )
      .finally(() => running.delete(work))
    running.add(work)
    return waiting
  }

  return {
    take,
    areEnough: () => running.size >= pagesAtOnce || (running.size > 0 && held >= MAX_HELD_SCANS * pagesAtOnce),
    /** Resolves when one more is recognised; at once when none is under way. */
    next: async () => void (await Promise.race(running.size === 0 ? [null] : running)),
    settled: async () => void (await Promise.all(running)),
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
