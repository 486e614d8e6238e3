import assert from 'node:assert/strict'
import type { Client } from '../../src/client/client.ts'
import type { Entry, Ledger, MemoryEntry } from './ledger.ts'
import type { Random } from './random.ts'

/** A program that relies on its client: every rejection of the client is a failure. */
export type CallerParts = { client: Client; ledger: Ledger; random: Random; memory: MemoryEntry; index: number }

/**
 * Adds, finds, reads, lists, deletes and waits for jobs in turn until `isOver`; returns the number
 * of calls.
 */
export async function call(parts: CallerParts, isOver: () => boolean): Promise<number> {
  const acts = [addText, addFile, addLater, findOne, readOne, listAll, removeOne] as const
  let calls = 0
  for (let count = 0; !isOver(); count += 1) calls += await (acts[count % acts.length] ?? addText)(parts)
  return calls
}

/** Uploads a file whose job takes seconds; returns the running job. */
export async function beginLongJob(parts: CallerParts): Promise<string> {
  const { client, ledger, memory } = parts
  const entry = draft(parts, { least: 3_000_000, most: 3_000_000 })
  const upload = { content: entry.text, name: `${entry.token}.txt`, type: 'text/plain' }
  const answer = await client.documents.addFile(memory.id ?? '', upload)
  assert.ok('jobId' in answer && typeof answer.jobId === 'string')
  ledger.accept(entry, answer.documentIds[0] ?? '', answer.jobId)
  return answer.jobId
}

async function addText(parts: CallerParts): Promise<number> {
  const { client, ledger, memory } = parts
  const entry = draft(parts, { most: 2000 })
  const answer = await client.documents.addTexts(memory.id ?? '', [{ title: entry.token, text: entry.text }])
  ledger.show(entry, answer.documentIds[0] ?? '')
  return 1
}

/** Long enough to be under way for a while. */
async function addFile(parts: CallerParts): Promise<number> {
  const { client, ledger, memory } = parts
  const entry = draft(parts, { most: 300_000 })
  const upload = { content: entry.text, name: `${entry.token}.txt`, type: 'text/plain' }
  const answer = await client.documents.addFile(memory.id ?? '', upload)
  ledger.show(entry, answer.documentIds[0] ?? '')
  return 1
}

async function addLater(parts: CallerParts): Promise<number> {
  const { client, ledger, memory } = parts
  const entry = draft(parts, { most: 60_000 })
  const documents = [{ title: entry.token, text: entry.text }]
  const answer = await client.documents.addTexts(memory.id ?? '', documents, { async: true })
  assert.ok('jobId' in answer && typeof answer.jobId === 'string')
  ledger.accept(entry, answer.documentIds[0] ?? '', answer.jobId)
  const { status } = await client.jobs.wait(answer.jobId)
  assert.equal(status, 'completed')
  ledger.show(entry, answer.documentIds[0] ?? '')
  return 2
}

async function findOne(parts: CallerParts): Promise<number> {
  const { client, memory } = parts
  const entry = pick(parts)
  const { hits } = await client.find(memory.id ?? '', entry.tail)
  assert.ok(
    hits.some(({ documentId }) => documentId === entry.id),
    `${entry.id} was acknowledged and is not found`,
  )
  return 1
}

async function readOne(parts: CallerParts): Promise<number> {
  const entry = pick(parts)
  const text = await parts.client.documents.readText(parts.memory.id ?? '', entry.id ?? '')
  assert.ok(text === entry.text, `${entry.id} is not what was sent`)
  return 1
}

async function listAll({ client, memory }: CallerParts): Promise<number> {
  let pages = 0
  const seen = new Set<string>()
  for await (const { id } of client.documents.list(memory.id ?? '', { limit: 50 })) {
    assert.ok(!seen.has(id), `${id} is listed twice`)
    seen.add(id)
    pages = Math.ceil(seen.size / 50)
  }
  return pages
}

async function removeOne(parts: CallerParts): Promise<number> {
  const { client, ledger, memory } = parts
  const entry = pick(parts)
  ledger.leave(entry)
  await client.documents.delete(memory.id ?? '', entry.id ?? '')
  ledger.end(entry)
  return 1
}

/** An existing document of this caller. */
function pick({ ledger, random, index }: CallerParts): Entry {
  const own = [...ledger.entries.values()].filter(({ client, state }) => client === index && state === 'there')
  return random.pick(own) ?? assert.fail('nothing was added before')
}

/** A document to send, with a length between both bounds. */
function draft(
  { ledger, random, memory, index }: CallerParts,
  { least = 25, most }: { least?: number; most: number },
): Entry {
  const [token, tail] = [ledger.newToken(), ledger.newToken()]
  const times = random.between(least / 25, most / 25)
  const text = `The word ${token} begins it. ${'The tide comes and goes. '.repeat(times)}It ends with ${tail}.`
  const usual = { kind: 'document', externalId: null, isContended: false, storeSource: false, repeats: null } as const
  const [entry] = ledger.send(index, [{ ...usual, memory, token, tail, text }])
  return entry ?? assert.fail()
}
