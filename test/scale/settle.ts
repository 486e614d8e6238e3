import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import type { Account, Document, List, Memory } from '../spec/shapes.ts'
import { contentionProblems } from './contention.ts'
import type { Entry, Ledger, MemoryEntry } from './ledger.ts'

/** Jobs of a soak take a few seconds each at most. */
const MAX_LOOKS = 30
const LOOK_AGAIN_MS = 500

/** The lists of the service: every live memory with its documents and corrections. */
type Listed = { memory: Memory; documents: readonly (Document & { correction: { statement: string } | null })[] }

/**
 * `isFinal`: interrupted requests without a visible result never commit. Otherwise a database may
 * still commit, and the entry stays open.
 */
export type Settling = { isFinal: boolean }

/**
 * Compares the lists and counters of one node with the ledger and resolves open entries: an
 * interrupted request counts as complete or as gone. Returns problems as sentences. No client may
 * be running. Running jobs may change counters between two lists, so differences are read
 * again.
 */
export async function settle(service: Service, ledger: Ledger, settling: Settling): Promise<string[]> {
  for (let looks = 1; ; looks += 1) {
    const { problems, counters } = await lookOnce(service, ledger, settling)
    if (counters.length === 0 || looks === MAX_LOOKS) return [...problems, ...counters]
    await pause(LOOK_AGAIN_MS)
  }
}

async function lookOnce(service: Service, ledger: Ledger, settling: Settling) {
  const account = await service.get<Account>('/v1/account')
  assertStatus(account, 200)
  const memories = await listAll<Memory>(service, '/v1/memories', 'memories')
  const problems = settleMemories(ledger, memories, settling)
  const listed: Listed[] = []
  for (const memory of memories) {
    const path = `/v1/memories/${memory.id}/documents`
    const documents = await listAll<Listed['documents'][number]>(service, path, 'documents')
    documents.push(
      ...(await listAll<Listed['documents'][number]>(service, `${path}?sourceType=correction`, 'documents')),
    )
    listed.push({ memory, documents })
  }
  problems.push(...settleDocuments(ledger, listed, settling))
  const counters = [
    ...usageProblems(account.json.usage, memories),
    ...listed.flatMap((one) => countProblems(ledger, one)),
  ]
  return { problems, counters }
}

async function listAll<Item>(service: Service, path: string, name: string): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `${path.includes('?') ? '&' : '?'}limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const answer: Answer<List<string, Item>> = await service.get<List<string, Item>>(path + query)
    assertStatus(answer, 200)
    items.push(...(answer.json[name] ?? []))
    cursor = answer.json.nextCursor
  }
  return items
}

function settleMemories(ledger: Ledger, memories: readonly Memory[], settling: Settling): string[] {
  const byName = new Map(memories.map((memory) => [memory.name, memory]))
  const problems: string[] = []
  if (byName.size < memories.length) problems.push('a memory is there twice')
  const known = new Map([...ledger.memories].map((memory) => [memory.name, memory]))
  for (const { name } of memories) if (!known.has(name)) problems.push(`nobody made the memory ${name}`)
  for (const memory of known.values()) {
    const found = byName.get(memory.name)
    problems.push(
      ...(found === undefined ? settleLost(ledger, memory, settling) : settleFound(memory, found, settling)),
    )
  }
  return problems
}

function settleLost(ledger: Ledger, memory: MemoryEntry, { isFinal }: Settling): string[] {
  if (memory.state === 'there') return [`the memory ${memory.id} is lost`]
  if (memory.state === 'leaving' || (memory.state === 'sent' && isFinal)) ledger.endMemory(memory)
  return []
}

function settleFound(memory: MemoryEntry, found: Memory, { isFinal }: Settling): string[] {
  if (memory.state === 'gone') return [`the deleted memory ${found.id} came back`]
  memory.id = found.id
  if (memory.state === 'sent' || isFinal) memory.state = 'there'
  return []
}

function settleDocuments(ledger: Ledger, listed: readonly Listed[], settling: Settling): string[] {
  const problems: string[] = []
  const found = new Map<Entry, Document>()
  for (const { memory, documents } of listed) {
    for (const document of documents) {
      const entry = entryOf(ledger, document)
      if (entry === undefined) problems.push(`nobody sent the document ${document.id} (${document.title})`)
      else if (found.has(entry)) problems.push(`${document.id} and ${found.get(entry)?.id} are the same document twice`)
      else if (entry.memory.id !== memory.id) problems.push(`${document.id} is in the wrong memory`)
      else found.set(entry, document)
    }
  }
  problems.push(...halfRequests(ledger, found), ...contentionProblems(ledger, new Set(found.keys())))
  // Newest first, which decides whether an older entry was replaced.
  for (const entry of [...ledger.entries.values()].reverse()) {
    const document = found.get(entry)
    const problem =
      document === undefined
        ? settleAbsent(ledger, entry, settling)
        : settlePresent(ledger, entry, { document, settling })
    if (problem !== null) problems.push(`${problem} (${describe(ledger, entry)})`)
  }
  return problems
}

function describe(ledger: Ledger, entry: Entry): string {
  const { token, state, jobId, externalId, request } = entry
  const siblings = ledger.siblings(entry).map((other) => `request ${other.request} ${other.state} ${other.id}`)
  return `${token}, ${state}, job ${jobId}, request ${request}, ${externalId}: ${siblings.slice(-4).join(', ')}`
}

function entryOf(ledger: Ledger, { title, correction }: Listed['documents'][number]): Entry | undefined {
  const [, token] = /^The word (\w+) begins/.exec(correction?.statement ?? '') ?? [null, title]
  return ledger.entries.get(token ?? '')
}

/** Interrupted requests with a partial result. */
function halfRequests(ledger: Ledger, found: ReadonlyMap<Entry, Document>): string[] {
  const open = [...ledger.entries.values()].filter(({ state, repeats }) => state === 'sent' && repeats === null)
  return [...Map.groupBy(open, ({ request }) => request).values()]
    .map((entries) => ({ entries, there: entries.filter((entry) => found.has(entry)) }))
    .filter(({ entries, there }) => there.length > 0 && there.length < entries.length)
    .map(({ entries, there }) => `${there.length} of the ${entries.length} documents of one request are there`)
}

function settleAbsent(ledger: Ledger, entry: Entry, { isFinal }: Settling): string | null {
  if (entry.state === 'gone') return null
  // A younger entry with the same external id has already ended this entry.
  if (entry.state === 'there' || entry.state === 'waiting') return `the acknowledged ${entry.id} is lost`
  if (entry.state === 'leaving' || isFinal) ledger.end(entry)
  return null
}

function settlePresent(
  ledger: Ledger,
  entry: Entry,
  { document, settling }: { document: Document; settling: Settling },
): string | null {
  const isWhole = document.status === 'ready'
  if (entry.state === 'gone') return `${document.id} is there (${document.status}) although it must be gone`
  if (entry.id !== null && entry.id !== document.id) return `${entry.id} has become ${document.id}`
  if (document.status === 'failed') return `${document.id} failed: ${document.error}`
  if (entry.repeats !== null && isWhole) return `${document.id} repeats ${entry.repeats.id}`
  if (entry.state === 'leaving' && !settling.isFinal) return null
  if (isWhole) {
    if (entry.state !== 'there') ledger.show(entry, document.id)
  } else if (document.jobId !== null && (entry.state === 'sent' || entry.state === 'waiting')) {
    ledger.accept(entry, document.id, document.jobId)
  } else if (entry.state !== 'leaving') return `${document.id} is half visible: ${document.status}`
  else Object.assign(entry, { state: 'waiting' })
  return null
}

/** Compares the account's usage with its memories. */
function usageProblems(usage: Account['usage'], memories: readonly Memory[]): string[] {
  const total = (field: 'documentCount' | 'sizeBytes') => memories.reduce((sum, memory) => sum + memory[field], 0)
  const [documents, storageBytes] = [total('documentCount'), total('sizeBytes')]
  const counted = { memories: memories.length, documents, storageBytes }
  return Object.entries(counted)
    .filter(([field, value]) => usage[field as keyof typeof counted] !== value)
    .map(([field, value]) => `the account's ${field} are ${usage[field as keyof typeof counted]}, in the list ${value}`)
}

function countProblems(ledger: Ledger, { memory, documents }: Listed): string[] {
  const ready = documents.filter(({ status }) => status === 'ready')
  const corrections = ready.filter(({ sourceType }) => sourceType === 'correction').length
  const bytes = ready.reduce((total, document) => {
    const text = entryOf(ledger, document as Listed['documents'][number])?.text ?? ''
    return total + Buffer.byteLength(text) * (document.hasSource ? 2 : 1)
  }, 0)
  const counted = {
    documentCount: ready.length - corrections,
    correctionCount: corrections,
    chunkCount: ready.reduce((total, { chunkCount }) => total + chunkCount, 0),
    sizeBytes: bytes,
  }
  return Object.entries(counted)
    .filter(([field, value]) => memory[field as keyof typeof counted] !== value)
    .map(([field, value]) => `${memory.id}: ${field} is ${memory[field as keyof typeof counted]}, in the list ${value}`)
}
