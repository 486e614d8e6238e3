import { addInBatches, makeMemory } from '../load.ts'
import { table } from '../report.ts'
import type { Sentences } from '../sentences.ts'
import { makeDocuments } from '../texts.ts'
import { timeEach } from '../timings.ts'
import { formatBlock, startWatchedService, type WatchedService } from '../watched-service.ts'
import { addOneByOne, createSmallDocuments, formatPercentiles, type SingleAdds } from './add-one-by-one.ts'
import { atMost, type Bound, type Measured } from './bounds.ts'

const TIMED_ADDS = 60
/**
 * Four requests and a bit, 8,000 chunks: seconds of work beside the single adds, again and again.
 */
const BULK_DOCUMENTS = 400

/**
 * The time until a small document is found: in a new memory, after `singles` more single adds, and
 * during bulk adds to another memory.
 */
export async function measureAdds({
  dataDir,
  singles,
  sentences,
}: {
  dataDir: string
  singles: number
  sentences: Sentences
}): Promise<Measured> {
  const bulk = makeDocuments(sentences, BULK_DOCUMENTS)
  const make = createSmallDocuments(bulk)
  const service = await startWatchedService(dataDir)
  const memoryId = await makeMemory(service, 'singles')
  const atStart = await addOneByOne(service, memoryId, make(TIMED_ADDS))
  const many = await timeEach(make(singles), 1, ({ title, text }) =>
    service.send('POST', `/v1/memories/${memoryId}/documents`, { documents: [{ title, text }] }),
  )
  const afterMany = await addOneByOne(service, memoryId, make(TIMED_ADDS))
  await service.takeBlock()
  const whileFilling = await besideBulk(service, bulk, () => addOneByOne(service, memoryId, make(TIMED_ADDS)))
  const block = await service.takeBlock()
  await service.stop()
  const row = (what: string, adds: SingleAdds) => [
    what,
    formatPercentiles(adds.answered),
    formatPercentiles(adds.searchable),
  ]
  return {
    report: table(
      'One small document, p50 / p95 in ms',
      ['', 'until answered', 'until found'],
      [
        row('in a new memory', atStart),
        row(`after ${singles} more, one by one`, afterMany),
        row('while another memory is filled', whileFilling),
        [`the ${singles} in between, one after the other`, formatPercentiles(many), ''],
        [`the same, documents/s`, many.perSecond.toFixed(0), ''],
        ['event loop blocked while another memory is filled', formatBlock(block), ''],
      ],
    ),
    bounds: [
      ...boundsOf('in a new memory', atStart),
      ...boundsOf(`after ${singles} more`, afterMany),
      ...boundsOf('while another memory is filled', whileFilling),
      atMost('event loop blocked while a memory is filled', { seen: block.longestMs, limit: 100, unit: ' ms' }),
    ],
  }
}

function boundsOf(when: string, { searchable }: SingleAdds): Bound[] {
  return [
    atMost(`small document until found, ${when}, p50`, { seen: searchable.p50, limit: 40, unit: ' ms' }),
    atMost(`small document until found, ${when}, p95`, { seen: searchable.p95, limit: 120, unit: ' ms' }),
  ]
}

/** Runs `work` during continuous adds to another memory. */
async function besideBulk<T>(
  service: WatchedService,
  documents: ReturnType<typeof makeDocuments>,
  work: () => Promise<T>,
): Promise<T> {
  const other = await makeMemory(service, 'bulk')
  let isOver = false
  const filling = (async () => {
    while (!isOver) await addInBatches(service, other, documents)
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await filling
  }
}
