import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Recognition } from '../../models/recognizer.ts'
import type { ParseEvent } from '../../parsers/parse-event.ts'
import type { ReadEvent } from './read-event.ts'
import type { RecognitionPlan, RecognizedPage } from './recognition.ts'
import { omittedPageEvents, recognizedPageEvents, recognizeScans, type ScanRecognition } from './recognize-scans.ts'

const PLAN: RecognitionPlan = { enabled: true, maxPages: 1000, mode: 'fast', vision: false, languages: [] }

function scan(page: number): ParseEvent {
  return { scan: { page, widthPoints: 595, heightPoints: 842, text: '' } }
}

function text(page: number): ParseEvent {
  return { block: { text: `text ${page}\n`, kind: 'paragraph', page } }
}

function recognized(page: number, outcome: 'text' | 'failed' = 'text'): RecognizedPage {
  const words = outcome === 'text' ? `scan ${page}` : ''
  const blocks =
    words === '' ? [] : [{ text: words, confidence: 0.9, bbox: [0, 0, 1, 1] as [number, number, number, number] }]
  const facts = { confidence: 0.9, languages: ['eng'], engine: 'fake', message: null, warnings: [] }
  return { recognition: { outcome, text: words, blocks, ...facts }, width: 10, height: 10 }
}

/** A recogniser whose pages end when the test says so. */
function fakeRecognizer() {
  const begun = new Map<number, PromiseWithResolvers<RecognizedPage>>()
  let most = 0
  let atWork = 0
  const recognize: ScanRecognition['recognize'] = (page, signal) => {
    const work = Promise.withResolvers<RecognizedPage>()
    signal.addEventListener('abort', () => work.reject(signal.reason), { once: true })
    begun.set(page, work)
    most = Math.max(most, ++atWork)
    return work.promise.finally(() => atWork--)
  }
  const finish = (page: number) => begun.get(page)?.resolve(recognized(page))
  return { recognize, begun, finish, atWork: () => atWork, most: () => most }
}

function given(facts: Partial<ScanRecognition> & Pick<ScanRecognition, 'recognize'>): ScanRecognition {
  return { plan: PLAN, pagesAtOnce: 2, signal: new AbortController().signal, ...facts }
}

async function collect(events: AsyncIterable<ReadEvent>): Promise<ReadEvent[]> {
  const all: ReadEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

function pagesOf(events: readonly ReadEvent[]): number[] {
  return events.flatMap((event) => ('page' in event ? [event.page.page] : []))
}

/** Waits until nothing more happens. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn()
}

describe('scanned pages in a document', () => {
  it('are in page order for any order of recognition', async () => {
    const { recognize, finish } = fakeRecognizer()
    const heard: number[] = []
    const all = collect(
      recognizeScans([scan(1), text(2), scan(3)], given({ recognize, onRecognized: (page) => heard.push(page) })),
    )
    await settle()
    finish(3)
    await settle()
    finish(1)
    const texts = (await all).flatMap((event) => ('block' in event ? [event.block.text.trim()] : []))
    assert.deepEqual(
      texts.filter((words) => words !== ''),
      ['scan 1', 'text 2', 'scan 3'],
    )
    assert.deepEqual(heard, [1, 3])
  })

  it('are recognised concurrently up to the limit', async () => {
    const { recognize, begun, finish, most } = fakeRecognizer()
    const all = collect(recognizeScans([1, 2, 3, 4].map(scan), given({ recognize })))
    await settle()
    assert.deepEqual([...begun.keys()], [1, 2])
    finish(2)
    await settle()
    assert.deepEqual([...begun.keys()], [1, 2, 3])
    for (const page of [1, 3, 4]) {
      finish(page)
      await settle()
    }
    assert.deepEqual(pagesOf(await all), [1, 2, 3, 4])
    assert.equal(most(), 2)
  })

  it('let the parser read ahead of a slow page within limits', async () => {
    const { recognize, begun, finish } = fakeRecognizer()
    let read = 0
    function* endless(): Generator<ParseEvent> {
      yield scan(1)
      for (let page = 2; ; page++) {
        read++
        yield page % 2 === 0 ? scan(page) : text(page)
      }
    }
    const events = recognizeScans(endless(), given({ recognize }))
    const first = events.next()
    for (let page = 2; page < 4000; page++) {
      finish(page)
      await turn()
    }
    assert.ok(read <= 2000, `${read} events are held`)
    assert.ok(begun.size <= 32, `${begun.size} pages are held`)
    finish(1)
    assert.ok('block' in ((await first).value ?? {}))
    await events.return(undefined)
  })

  it('are cancelled when the consumer stops, and nothing keeps running', async () => {
    const { recognize, finish, atWork } = fakeRecognizer()
    const events = recognizeScans([1, 2, 3, 4, 5].map(scan), given({ recognize }))
    const first = events.next()
    await settle()
    finish(1)
    await first
    await events.return(undefined)
    assert.equal(atWork(), 0)
  })

  it('reject with the reason of an aborted signal, and nothing keeps running', async () => {
    const { recognize, atWork } = fakeRecognizer()
    const stop = new AbortController()
    const all = collect(recognizeScans([scan(1), scan(2)], given({ recognize, signal: stop.signal })))
    await settle()
    stop.abort(new Error('cancelled'))
    await assert.rejects(all, /cancelled/)
    assert.equal(atWork(), 0)
  })

  it('beyond the limit have reports with the limit, and retries raise the limit', async () => {
    const recognize = async (page: number) => recognized(page)
    const reports = async (retries: number) => {
      const plan = { ...PLAN, maxPages: 1, retries }
      const events = await collect(recognizeScans([1, 2, 3].map(scan), given({ recognize, plan })))
      return events.flatMap((event) => ('page' in event ? [`${event.page.method}: ${event.page.message}`] : []))
    }
    const beyond = 'failed: Not recognised: ocrMaxPages is 1.'
    assert.deepEqual(await reports(0), ['ocr: null', beyond, beyond])
    assert.deepEqual(await reports(1), ['ocr: null', 'ocr: null', beyond])
  })

  it('recognised before are not recognised again, except failed pages', async () => {
    const kept = new Map([[1, recognized(1)]])
    const asked: number[] = []
    const recognize = async (page: number) => {
      asked.push(page)
      return recognized(page, page === 2 ? 'failed' : 'text')
    }
    const pages = {
      get: async (page: number) => kept.get(page) ?? null,
      put: async (page: number, done: RecognizedPage) => void kept.set(page, done),
    }
    await collect(recognizeScans([1, 2, 3].map(scan), given({ recognize, recognized: pages })))
    assert.deepEqual(asked, [2, 3])
    assert.deepEqual([...kept.keys()], [1, 3])
  })
})

const FAST_PLAN = { enabled: true, maxPages: 50, mode: 'fast', vision: false, languages: [] } as const

function page(text: string) {
  return { page: 4, widthPoints: 595, heightPoints: 842, text }
}

function recognition(facts: Partial<Recognition>) {
  const nothing = {
    text: '',
    confidence: 0,
    blocks: [],
    languages: ['eng'],
    engine: 'fake',
    message: null,
    warnings: [],
  }
  return { recognition: { outcome: 'text' as const, ...nothing, ...facts }, width: 1, height: 1 }
}

function describeEvents(events: readonly ReadEvent[]) {
  const texts = events.flatMap((event) => ('block' in event ? [event.block.text] : [])).join('')
  const [report] = events.flatMap((event) => ('page' in event ? [event] : []))
  return { texts, report: report?.page, fate: report !== undefined && 'fate' in report ? report.fate : null }
}

describe('a scanned page', () => {
  it('becomes a paragraph per block with its page, and a report with the confidence', () => {
    const blocks = ['One\ntwo.', 'Three.'].map((text) => ({ text, confidence: 0.9, bbox: [0, 0, 1, 1] as never }))
    const events = recognizedPageEvents(
      page(''),
      recognition({ text: 'One\ntwo.\n\nThree.', blocks, confidence: 0.87 }),
    )
    assert.deepEqual(describeEvents(events), {
      texts: 'One\ntwo.\n\nThree.\n\n',
      report: { page: 4, method: 'ocr', characters: 18, confidence: 0.87, message: null },
      fate: 'recognized',
    })
    assert.ok(events.every((event) => !('block' in event) || event.block.page === 4))
  })

  it('keeps its own text where recognition did not find the same text', () => {
    const blocks = [{ text: 'RECEIVED  3 May\nDear Sir', confidence: 0.9, bbox: [0, 0, 1, 1] as never }]
    const done = recognition({ text: 'RECEIVED  3 May\nDear Sir', blocks })
    const { texts } = describeEvents(recognizedPageEvents(page('Received 3 May\nA remark\n'), done))
    assert.equal(texts, 'RECEIVED  3 May\nDear Sir\n\nA remark\n\n')
    const failed = recognition({ outcome: 'nonsense', message: 'Not believable.' })
    assert.deepEqual(describeEvents(recognizedPageEvents(page('Stamp\n'), failed)), {
      texts: 'Stamp\n\n',
      report: { page: 4, method: 'failed', characters: 7, confidence: null, message: 'Not believable.' },
      fate: 'recognized',
    })
  })

  it('has a report with the reason for missing text', () => {
    const outcomes = [
      recognizedPageEvents(page(''), recognition({ outcome: 'blank', message: 'The page is blank.' })),
      recognizedPageEvents(page(''), recognition({ outcome: 'timeout', message: 'It took too long.' })),
      omittedPageEvents(page(''), 'off', FAST_PLAN),
      omittedPageEvents(page(''), 'over-limit', FAST_PLAN),
    ].map(describeEvents)
    assert.deepEqual(
      outcomes.map(({ report, fate }) => [report?.method, report?.message, fate]),
      [
        ['empty', 'The page is blank.', 'recognized'],
        ['failed', 'It took too long.', 'failed'],
        ['empty', 'The page is scanned, and enableOcr is false.', 'off'],
        ['failed', 'Not recognised: ocrMaxPages is 50.', 'over-limit'],
      ],
    )
  })

  it('has a doubt if the recognised text may be wrong or incomplete', () => {
    const unreadable = { ...page(''), isUnreadable: true as const }
    const doubts = (['text', 'timeout'] as const).flatMap((outcome) =>
      [null, 'It is uncertain.'].flatMap((message) =>
        recognizedPageEvents(unreadable, recognition({ outcome, message })).flatMap((event) =>
          'doubt' in event ? [`${outcome}: ${event.doubt}`] : [],
        ),
      ),
    )
    assert.deepEqual(doubts, ['text: It is uncertain.'])
  })

  it('has a report that names unreadable text', () => {
    const unreadable = { ...page(''), isUnreadable: true as const }
    const reason = 'The text of the page is unreadable, because its fonts have no usable character map'
    const messages = [
      recognizedPageEvents(unreadable, recognition({ outcome: 'text', message: null })),
      recognizedPageEvents(unreadable, recognition({ outcome: 'timeout', message: 'It took too long.' })),
      omittedPageEvents(unreadable, 'off', FAST_PLAN),
    ].map((events) => describeEvents(events).report?.message)
    assert.deepEqual(messages, [
      `${reason}. The page was recognised as a picture.`,
      `${reason}. It took too long.`,
      `${reason}, and enableOcr is false.`,
    ])
  })
})
