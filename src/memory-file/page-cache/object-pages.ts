import type { DiskPages } from './disk-pages.ts'

/** What a store says of a whole object; `modified` as HTTP writes dates. */
export type ObjectFacts = { size: number; etag: string; modified: string }

/**
 * Reads the bytes of an object from `start` to `end` inclusive, or to its end where that comes first; `null` when it is not there. Rejects as the store
 * does.
 */
export type ReadRange = (key: string, start: number, end: number) => Promise<(ObjectFacts & { content: Buffer }) | null>

/**
 * What is fetched and kept at a time. Lance reads pieces of 4 kB to some 100 kB that lie near each other; of larger pages more would be fetched
 * that nobody asks for.
 */
const PAGE_BYTES = 256 * 1024
/** Objects whose facts are remembered, some 200 bytes each; of another one, pages are fetched again. */
const MOST_OBJECTS = 100_000

/** Reads objects that never change, through pages on the disk: what was read once is not fetched again while it lies there. */
export function createObjectPages({ pages, readRange }: { pages: DiskPages; readRange: ReadRange }): ReadRange {
  const facts = new Map<string, ObjectFacts>()
  const fetching = new Map<string, Promise<readonly Buffer[]>>()

  function note(key: string, { size, etag, modified }: ObjectFacts): void {
    facts.set(key, { size, etag, modified })
    const [oldest] = facts.keys()
    if (facts.size > MOST_OBJECTS && oldest !== undefined) facts.delete(oldest)
  }

  async function fetchRun(key: string, { first, last }: Run): Promise<readonly Buffer[]> {
    const range = await readRange(key, first * PAGE_BYTES, (last + 1) * PAGE_BYTES - 1)
    if (range === null) return []
    note(key, range)
    const fetched = split(range.content)
    await Promise.all(fetched.map((page, i) => pages.write(nameOf(key, first + i), page)))
    return fetched
  }

  /** Those who ask for the same at once share the answer. */
  function fetchOnce(key: string, run: Run): Promise<readonly Buffer[]> {
    const name = `${nameOf(key, run.first)}-${run.last}`
    const running = fetching.get(name) ?? fetchRun(key, run).finally(() => fetching.delete(name))
    fetching.set(name, running)
    return running
  }

  return async (key, start, end) => {
    const known = facts.get(key)
    const first = Math.floor(start / PAGE_BYTES)
    const last = Math.floor(Math.min(end, known === undefined ? end : known.size - 1) / PAGE_BYTES)
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    const found = await Promise.all(
      numbers.map((number) => (known === undefined ? null : pages.read(nameOf(key, number)))),
    )
    for (const run of runsOf(found)) {
      const fetched = await fetchOnce(key, { first: first + run.first, last: first + run.last })
      for (const [i, page] of fetched.entries()) found[run.first + i] = page
    }
    const now = facts.get(key)
    if (now === undefined) return null
    const content = Buffer.concat(found.filter((page) => page !== null))
    const offset = first * PAGE_BYTES
    return { ...now, content: content.subarray(start - offset, end + 1 - offset) }
  }
}

type Run = { first: number; last: number }

/** The stretches without a page, as positions. */
function runsOf(found: readonly (Buffer | null)[]): Run[] {
  const runs: Run[] = []
  for (const [position, page] of found.entries()) {
    if (page !== null) continue
    const before = runs.at(-1)
    if (before?.last === position - 1) before.last = position
    else runs.push({ first: position, last: position })
  }
  return runs
}

function split(content: Buffer): Buffer[] {
  const pages: Buffer[] = []
  for (let start = 0; start < content.length; start += PAGE_BYTES)
    pages.push(content.subarray(start, start + PAGE_BYTES))
  return pages
}

function nameOf(key: string, number: number): string {
  return `${key}#${number}`
}
