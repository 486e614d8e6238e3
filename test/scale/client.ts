import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, assertStatus, type ErrorAnswer } from '../spec/answer.ts'
import { prose } from '../spec/prose.ts'
import type { Request, Service } from '../spec/service.ts'
import type { Accepted, Added, Correction, CorrectionBatch, Document, Found, List, Memory } from '../spec/shapes.ts'
import { upload } from '../spec/steps.ts'
import type { Draft, Entry, Ledger, MemoryEntry } from './ledger.ts'
import type { Random } from './random.ts'
import { untilReady } from './until-ready.ts'

const MB = 1024 * 1024
/** Texts are slices of one long text: generating each would cost more than the service. */
const LONG_TEXT = prose(3 * MB, 77)
const EXTERNAL_IDS = 5
/**
 * Corrections rank first and also match by similarity, up to 50. With 400 corrections in a memory,
 * every tenth document was missing from 50 hits.
 */
const HITS = 100

/** A client that sends one request after the other and records the promises of the answers. */
export type Client = {
  /**
   * Runs until the round is over or a response is lost. Rejects with problems, and with a lost
   * response where nothing was killed.
   */
  run(round: Round): Promise<void>
  /**
   * Repeats the unanswered request under its Idempotency-Key and records the promises of the
   * answer.
   */
  sendAgain(): Promise<void>
}

/** The end condition of a client's run. */
type Round = {
  isOver(): boolean
  /**
   * Asked when an answer did not come: whether a process it may have been waited from has ended.
   */
  wasKilled(): Promise<boolean>
}

export type ClientParts = {
  /** Each request goes to a random node. */
  nodes: readonly Service[]
  ledger: Ledger
  random: Random
  index: number
  shared: readonly MemoryEntry[]
  /** True for a client that also replaces documents of other clients. */
  contends?: boolean
  /**
   * The number of repeats after a 503, or after a conflict with the running first request. No
   * repeats where absent.
   */
  mostRepeats?: number
}

const REPEAT_MS = 1000

type NewDraft = Draft & { token: string }

/** A client that picks its actions with `random`. */
export function createClient({
  nodes,
  ledger,
  random,
  index,
  shared,
  contends = false,
  mostRepeats = 0,
}: ClientParts): Client {
  const node = () => random.pick(nodes) ?? assert.fail('there is no node')
  const own = (states: readonly string[]) =>
    [...ledger.entries.values()].filter((entry) => entry.client === index && states.includes(entry.state))

  /** The request under way. */
  let open: (() => Promise<void>) | null = null

  async function insist<Body>(
    send: (node: Service, keyed: Required<Pick<Request, 'headers'>>) => Promise<Answer<Body>>,
    note: (answer: Answer<Body>) => void,
  ): Promise<void> {
    const keyed = { headers: { 'idempotency-key': ledger.newToken() } }
    open = async () => note(await patiently(() => send(node(), keyed)))
    await open()
    open = null
  }

  /** As callers do: what is not to be had at the moment is asked for again. */
  async function patiently<Body>(send: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
    for (let repeats = 0; ; repeats += 1) {
      const answer = await send()
      if (repeats === mostRepeats || !isPassing(answer)) return answer
      await pause(REPEAT_MS)
    }
  }

  async function insistOnRemoval(path: string): Promise<void> {
    let sendings = 0
    const answer = await patiently(() => {
      sendings += 1
      return node().delete(path)
    })
    // A deletion whose commit was not confirmed was answered 503; the repeat may find nothing.
    if (sendings === 1 || answer.status !== 404) assertStatus(answer, 204)
  }

  function draft(characters: number, more: Partial<Draft> = {}): NewDraft {
    const [token, tail] = [ledger.newToken(), ledger.newToken()]
    const start = random.below(LONG_TEXT.length - characters)
    const text = `The word ${token} begins it. ${LONG_TEXT.slice(start, start + characters)}. It ends with ${tail}.`
    const memory = random.pick(shared) ?? assert.fail('there is no memory')
    const usual = { kind: 'document', externalId: null, isContended: false, storeSource: false, repeats: null } as const
    return { ...usual, memory, token, tail, text, ...more }
  }

  async function add(drafts: readonly NewDraft[], options: Record<string, unknown> = {}): Promise<void> {
    const sent = ledger.send(index, drafts)
    const documents = sent.map(({ token: title, text, externalId }) => ({
      title,
      text,
      ...(externalId === null ? {} : { externalId }),
    }))
    const storeSource = sent.some((entry) => entry.storeSource)
    const path = `/v1/memories/${sent[0]?.memory.id}/documents`
    const body = { documents, options: { storeSource, ...options } }
    await insist(
      (one, keyed) => one.post<Added>(path, body, keyed),
      (answer) => acknowledge(sent, answer),
    )
  }

  async function addFile(one: NewDraft, options: Record<string, unknown> = {}): Promise<void> {
    const sent = ledger.send(index, [one])
    const file = { content: one.text, filename: `${one.token}.txt`, type: 'text/plain' }
    const given = { ...file, options: { storeSource: one.storeSource, ...options } }
    await insist(
      (service, keyed) => upload(service, one.memory.id ?? '', { ...given, ...keyed }),
      (answer) => acknowledge(sent, answer),
    )
  }

  function acknowledge(sent: readonly Entry[], answer: Answer<Added | Accepted>): void {
    if (answer.status === 202) {
      const { jobId, documentIds } = answer.json as Accepted
      for (const [at, entry] of sent.entries()) {
        const id = documentIds[at] ?? ''
        requireSame(entry, id)
        ledger.accept(entry, id, jobId)
      }
      return
    }
    assertStatus(answer, 200)
    for (const [at, entry] of sent.entries()) {
      const { id, status, duplicateOf } = (answer.json as Added).documents[at] ?? assert.fail(answer.text)
      requireSame(entry, id)
      if (entry.repeats !== null) assert.equal(duplicateOf, entry.repeats.id, `a repeated text is taken twice`)
      if (status === 'ready' && id !== null) ledger.show(entry, id)
      else ledger.end(entry)
    }
  }

  /** A repeated request returns the documents that the lists already showed. */
  function requireSame(entry: Entry, id: string | null): void {
    if (entry.id !== null) assert.equal(id, entry.id, 'a request that was sent again has made a document of its own')
  }

  const size = () => (random.chance(0.1) ? random.between(33_000, 60_000) : random.between(40, 3000))
  const options = () => ({ storeSource: random.chance(0.2) })
  const externalId = () => `c${index}-${random.below(EXTERNAL_IDS)}`

  /**
   * Replaces a document that other clients replace concurrently, with two requests in parallel.
   * Every list shows exactly one version.
   */
  async function contend(): Promise<void> {
    const memory = shared[0] ?? assert.fail()
    const externalId = `all-${random.below(2)}`
    const contender = () => draft(random.between(40, 3000), { externalId, isContended: true, memory })
    await Promise.all([add([contender()]), add([contender()])])
    const path = `/v1/memories/${memory.id}/documents?limit=100`
    const listed = await patiently(() => node().get<List<'documents', Document>>(path))
    assertStatus(listed, 200)
    const found = listed.json.documents.filter(({ title }) => ledger.entries.get(title)?.externalId === externalId)
    assert.ok(found.length <= 1, `${externalId} is listed ${found.length} times`)
  }

  async function addSome(): Promise<void> {
    const { storeSource } = options()
    const memory = random.pick(shared) ?? assert.fail()
    const some = Array.from({ length: random.between(2, 12) }, () => draft(size(), { storeSource, memory }))
    const replaced = random.chance(0.5) ? some[0] : undefined
    if (replaced) Object.assign(replaced, { externalId: `${externalId()}-b` })
    await add(some, random.chance(0.1) ? { async: true } : {})
  }

  async function repeat(): Promise<void> {
    const token = ledger.newToken()
    const text = `${prose(random.between(300, 2000), random.below(2 ** 31))} The word ${token}.`
    const first = { ...draft(0), text, token, tail: token }
    await add([first], { deduplicate: true })
    const repeats = ledger.entries.get(token) ?? null
    await add([{ ...first, token: ledger.newToken(), repeats }], { deduplicate: true })
  }

  async function correct(): Promise<void> {
    const drafts = Array.from({ length: random.chance(0.5) ? 1 : random.between(2, 5) }, () =>
      draft(random.between(0, 80), { kind: 'correction' }),
    ).map((one, _, [first]) => ({ ...one, memory: (first ?? one).memory }))
    const sent = ledger.send(index, drafts)
    const path = `/v1/memories/${sent[0]?.memory.id}`
    const corrections = sent.map(({ text: statement, token }) => ({ statement, topics: [token] }))
    const send = (one: Service, keyed: Request): Promise<Answer<Correction | CorrectionBatch>> =>
      sent.length === 1
        ? one.post<Correction>(`${path}/correct`, corrections[0], keyed)
        : one.post<CorrectionBatch>(`${path}/corrections`, { corrections }, keyed)
    await insist(send, (answer) => {
      assertStatus(answer, 201)
      const ids = 'ids' in answer.json ? answer.json.ids : [answer.json.id]
      for (const [at, entry] of sent.entries()) {
        requireSame(entry, ids[at] ?? '')
        ledger.show(entry, ids[at] ?? '')
      }
    })
  }

  /** Entries that no job and no other client is about to replace. */
  const settled = (states: readonly string[]) =>
    own(states).filter(
      (entry) => !entry.isContended && !ledger.siblings(entry).some(({ state }) => state === 'waiting'),
    )

  async function remove(states: readonly string[]): Promise<void> {
    // A job with an unseen end has replaced the older sibling of its document. With both deleted,
    // the older one could not be classified.
    const alone = settled(states).filter((entry) => ledger.siblings(entry).every(({ state }) => state === 'gone'))
    const entry = random.pick(alone)
    if (entry === undefined) return
    ledger.leave(entry)
    await insistOnRemoval(`/v1/memories/${entry.memory.id}/documents/${entry.id}`)
    ledger.end(entry)
  }

  async function makeAndRemoveMemory(): Promise<void> {
    const old = [...ledger.memories].find(({ client, state }) => client === index && state === 'there')
    if (old) {
      old.state = 'leaving'
      await insistOnRemoval(`/v1/memories/${old.id}`)
      ledger.endMemory(old)
    }
    const memory = ledger.sendMemory(index)
    await insist(
      (one, keyed) => one.post<Memory>('/v1/memories', { name: memory.name }, keyed),
      (answer) => {
        assertStatus(answer, 201)
        Object.assign(memory, { id: answer.json.id, state: 'there' })
      },
    )
    await add([draft(size(), { memory }), draft(size(), { memory, storeSource: true })])
    await addFile(draft(random.between(40_000, 200_000), { memory, storeSource: true }), { async: true })
  }

  async function look(): Promise<void> {
    const entry = random.pick(settled(['there', 'gone']))
    if (entry === undefined || entry.memory.state !== 'there') return
    const gone = new Set(ledger.goneIds)
    const mode = random.pick(['lexical', 'hybrid', 'semantic'])
    const query = { query: entry.tail, topK: HITS, options: { mode } }
    const found = await patiently(() => node().post<Found>(`/v1/memories/${entry.memory.id}/find`, query))
    assertStatus(found, 200)
    const { hits } = found.json
    for (const hit of hits) assert.ok(!gone.has(hit.documentId), `${hit.documentId} is found after it was deleted`)
    if (entry.state !== 'there' || mode === 'semantic') return
    assert.ok(
      hits.some(({ documentId }) => documentId === entry.id),
      `${entry.kind} ${entry.id} (${entry.tail}) was acknowledged and is not found, ${mode}, among ${hits.map(({ kind, score }) => `${kind} ${score}`)}`,
    )
  }

  /** One large file at a time: reading takes the service seconds, and kills come faster. */
  async function addLargeFile(): Promise<void> {
    const isWaiting = own(['waiting']).some(({ text }) => text.length > 2 * MB)
    if (index === 0 && !isWaiting) await addFile(draft(random.between(2.1 * MB, 2.4 * MB), options()))
  }

  const actions: readonly (readonly [number, () => Promise<void>])[] = [
    [28, () => add([draft(size(), options())])],
    [14, addSome],
    [14, () => add([draft(size(), { externalId: externalId(), memory: shared[0] ?? assert.fail(), ...options() })])],
    [contends ? 14 : 0, contend],
    [6, repeat],
    [8, () => addFile(draft(random.between(40, 60_000), options()))],
    [5, () => add([draft(size(), options())], { async: true })],
    [6, addLargeFile],
    [9, () => remove(['there'])],
    [3, () => remove(['waiting'])],
    [5, correct],
    [3, makeAndRemoveMemory],
    [8, look],
    [2, () => untilReady(node())],
  ]
  const all = actions.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))

  return {
    async run({ isOver, wasKilled }) {
      try {
        while (!isOver()) await random.pick(all)?.()
      } catch (error) {
        // Only a request that the kill cut off may fail: fetch says so with a TypeError.
        if (!(error instanceof TypeError) || !(await wasKilled())) throw error
      }
    },
    sendAgain: async () => open?.(),
  }
}

function isPassing({ status, json }: Answer<unknown>): boolean {
  return status === 503 || (json as ErrorAnswer | null)?.error?.code === 'idempotency_in_progress'
}
