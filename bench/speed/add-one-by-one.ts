import type { Service } from '../service.ts'
import type { TextDocument } from '../texts.ts'
import { ms, percentile } from '../timings.ts'

const CHARACTERS = 900

/**
 * The cost of single adds in milliseconds: until the answer, and until a find returns the document.
 */
export type SingleAdds = { answered: Percentiles; searchable: Percentiles }
type Percentiles = { p50: number; p95: number }

/** Makes small numbered documents of one chunk from larger documents. */
export type SmallDocuments = (count: number) => SmallDocument[]
type SmallDocument = TextDocument & { word: string }

/** Small documents, each starting with a unique word. */
export function createSmallDocuments(documents: readonly TextDocument[]): SmallDocuments {
  let made = 0
  const make = (): SmallDocument => {
    made += 1
    const { title = '', text = '' } = documents[made % documents.length] ?? {}
    const word = `zq${made}x`
    return { title, text: `${word} ${text.replace(/[#\n]+/g, ' ').slice(0, CHARACTERS)}`, word }
  }
  return (count) => Array.from({ length: count }, make)
}

/**
 * Adds documents one by one and immediately searches for the word of each. Throws when a document
 * is not found.
 */
export async function addOneByOne(
  service: Service,
  memoryId: string,
  documents: readonly SmallDocument[],
): Promise<SingleAdds> {
  const answered: number[] = []
  const searchable: number[] = []
  for (const { word, title, text } of documents) {
    const started = performance.now()
    await service.send('POST', `/v1/memories/${memoryId}/documents`, { documents: [{ title, text }] })
    answered.push(performance.now() - started)
    const query = { query: word, options: { mode: 'lexical' } }
    const found = await service.send('POST', `/v1/memories/${memoryId}/find`, query)
    if ((found as { hits: unknown[] }).hits.length === 0) throw new Error(`${word} was added and is not found`)
    searchable.push(performance.now() - started)
  }
  return { answered: percentilesOf(answered), searchable: percentilesOf(searchable) }
}

function percentilesOf(timesMs: readonly number[]): Percentiles {
  return { p50: percentile(timesMs, 0.5), p95: percentile(timesMs, 0.95) }
}

/** Percentiles in the format of tables. */
export function formatPercentiles({ p50, p95 }: Percentiles): string {
  return `${ms(p50)} / ${ms(p95)}`
}
