import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import type { Found } from '../spec/shapes.ts'
import type { Entry, Ledger } from './ledger.ts'

/** Readers at a time. */
const READERS = 4

/**
 * Enough hits that corrections, which rank first and also match by similarity, do not displace the
 * target.
 */
const HITS = 100

/** Repeats of a search after 503. */
const MAX_REPEATS = 10
const REPEAT_MS = 1000

/** The search modes for existing entries. */
export type Modes = readonly ('lexical' | 'hybrid')[]

/**
 * Reads and finds these entries as clients would; returns problems as sentences. No client may be
 * running.
 */
export async function verify(
  { service, ledger, modes }: { service: Service; ledger: Ledger; modes: Modes },
  entries: readonly Entry[],
): Promise<string[]> {
  const problems: string[] = []
  const waiting = entries.filter(({ state, memory }) => ['there', 'gone'].includes(state) && memory.state === 'there')
  async function read(): Promise<void> {
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const found =
        entry.state === 'there' ? await verifyThere(service, entry, modes) : await verifyGone(service, ledger, entry)
      problems.push(...found.map((problem) => `${problem} (${entry?.id}, ${entry?.token})`))
      entry.verified = true
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  return problems
}

async function verifyThere(service: Service, entry: Entry, modes: Modes): Promise<string[]> {
  const path = `/v1/memories/${entry.memory.id}/documents/${entry.id}`
  const problems: string[] = []
  if (entry.kind === 'document') {
    if ((await service.get(`${path}/text`)).text !== entry.text) problems.push('its text is not what was sent')
    if (entry.storeSource && (await service.get(`${path}/source`)).text !== entry.text)
      problems.push('its original is not what was sent')
  }
  for (const mode of modes) {
    const hits = await search(service, entry, mode)
    const own = hits.filter(({ documentId }) => documentId === entry.id)
    if (!own.some(({ text }) => text.includes(entry.tail))) problems.push(`its last chunk is not found, ${mode}`)
    // Corrections also match by likeness.
    const others = hits.filter(({ kind, documentId }) => kind === 'document' && documentId !== entry.id)
    if (mode === 'lexical' && others.length > 0) problems.push('its word is found in other documents')
    if (new Set(own.map(({ chunkId }) => chunkId)).size < own.length) problems.push('a chunk is found twice')
    if (entry.kind === 'document' && own.some((hit) => hit.text !== entry.text.slice(hit.startOffset, hit.endOffset)))
      problems.push('a hit is not the slice of the text it names')
  }
  return problems
}

async function verifyGone(service: Service, ledger: Ledger, entry: Entry): Promise<string[]> {
  const problems: string[] = []
  if (entry.id !== null) {
    const { status } = await service.get(`/v1/memories/${entry.memory.id}/documents/${entry.id}`)
    if (status !== 404) problems.push(`it is gone and answers ${status}`)
  }
  // A repeated text belongs to the first document with this text.
  const isRepeated = [...ledger.entries.values()].some((other) => other.tail === entry.tail && other.state === 'there')
  const hits = isRepeated ? [] : await search(service, entry, 'lexical')
  if (hits.some(({ text, documentId }) => documentId === entry.id || text.includes(entry.tail)))
    problems.push('it is gone and found')
  return problems
}

async function search(service: Service, entry: Entry, mode: string): Promise<Found['hits']> {
  const body = { query: entry.tail, topK: HITS, options: { mode } }
  for (let repeats = 0; ; repeats += 1) {
    const answer = await service.post<Found>(`/v1/memories/${entry.memory.id}/find`, body)
    if (answer.status === 200) return answer.json.hits
    // A store shared by several nodes and tests may stall for seconds.
    if (answer.status !== 503 || repeats === MAX_REPEATS) assertStatus(answer, 200)
    await pause(REPEAT_MS)
  }
}
