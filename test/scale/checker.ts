/**
 * The one checker of all tests under load. Whatever was done to the service, and whatever it was doing: every acknowledged document is
 * listed and found by its token on every node, no deleted one is, nothing is there twice, counters add up, jobs ended well, and nothing
 * lies in the storage that belongs to nothing. That every answer which is no success has the error body, {@link Service} itself asserts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from '../spec/answer.ts'
import { runCommandLine } from '../spec/product.ts'
import type { Service } from '../spec/service.ts'
import { endOfJob, readMemory } from '../spec/steps.ts'
import type { Entry, Ledger } from './ledger.ts'
import { type Settling, settle } from './settle.ts'
import { type Modes, verify } from './verify.ts'

/** What is held to its word. */
export type Installation = {
  /** Those that answer requests: every one of them has to say the same. */
  nodes: readonly Service[]
  ledger: Ledger
  /** Looks through the storage until nothing in it is wrong or patience is over; gives what is wrong then. */
  auditStorage: () => Promise<string[]>
}

type Verdict = { documents: number; chunks: number; problems: { code: string; message: string }[] }

/** A sweep comes every minute; what a dead node was at counts as abandoned after 30 s, and is swept by the next round. */
const SWEEP_MS = 200_000
const LOOK_AGAIN_MS = 2000
/** Jobs that were deleted under their worker end so. */
const ENDED_BY_DELETION = ['document_not_found', 'memory_not_found', 'cancelled']

/** What lists and counters of every node say that the ledger does not; `settling` says what becomes of open entries. No client may be running. */
export async function checkLists(
  { nodes, ledger }: Pick<Installation, 'nodes' | 'ledger'>,
  settling: Settling = { isFinal: true },
): Promise<string[]> {
  const problems: string[] = []
  for (const [index, node] of nodes.entries()) {
    problems.push(...named(index, await settle(node, ledger, settling)))
  }
  return problems
}

/** What reading and finding these entries on every node shows to be wrong; where there are several, each of them finds by one of the modes. No client may be running. */
export async function checkReads(
  { nodes, ledger }: Pick<Installation, 'nodes' | 'ledger'>,
  entries: readonly Entry[],
  modes: Modes,
): Promise<string[]> {
  const problems: string[] = []
  for (const [index, service] of nodes.entries()) {
    const own = nodes.length === 1 ? modes : modes.slice(index % modes.length).slice(0, 1)
    problems.push(...named(index, await verify({ service, ledger, modes: own }, entries)))
  }
  return problems
}

/** Waits for the end of every job that was accepted: well, or because what it worked for was deleted. */
export async function checkJobs({ nodes, ledger }: Pick<Installation, 'nodes' | 'ledger'>): Promise<string[]> {
  const problems: string[] = []
  const [node] = nodes
  for (const jobId of node === undefined ? [] : ledger.jobIds) {
    const { status, errorCode } = await endOfJob(node as Service, jobId)
    if (status === 'completed') continue
    if (!ENDED_BY_DELETION.includes(errorCode ?? '')) problems.push(`${jobId} ended ${status}, ${errorCode}`)
    const kept = [...ledger.entries.values()].filter((entry) => entry.jobId === jobId && entry.state !== 'gone')
    for (const { id } of kept) problems.push(`${jobId} ended as ${errorCode}, and its document ${id} was kept`)
  }
  return problems
}

/** What verifying each memory finds wrong, and where it counts other than the memory says. */
async function checkVerdicts({ nodes, ledger }: Pick<Installation, 'nodes' | 'ledger'>): Promise<string[]> {
  const problems: string[] = []
  const [node] = nodes
  for (const { id, state } of ledger.memories) {
    if (node === undefined || state !== 'there' || id === null) continue
    const { documentCount, chunkCount } = await readMemory(node, id)
    const answer = await node.get<Verdict>(`/v1/memories/${id}/verify`)
    assertStatus(answer, 200)
    problems.push(...answer.json.problems.map(({ code, message }) => `${id}: ${code}: ${message}`))
    const [verified, said] = [`${answer.json.documents} / ${answer.json.chunks}`, `${documentCount} / ${chunkCount}`]
    if (verified !== said) problems.push(`${id}: ${verified} documents and chunks are verified, it says ${said}`)
  }
  return problems
}

/** All of it, at the end of a test: jobs, lists, every entry, every memory's verdict, storage. What one of them shows, the next ones do not look at. */
export async function checkEverything(
  installation: Installation,
  modes: Modes = ['lexical', 'hybrid'],
): Promise<string[]> {
  const checks = [
    () => checkJobs(installation),
    () => checkLists(installation),
    () => checkReads(installation, [...installation.ledger.entries.values()], modes),
    () => checkVerdicts(installation),
    () => installation.auditStorage(),
  ]
  for (const check of checks) {
    const problems = await check()
    if (problems.length > 0) return problems
  }
  return []
}

/** What `recollect doctor --storage` finds with these settings, once the sweep has had its time. */
export async function auditByDoctor(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const until = Date.now() + SWEEP_MS
  for (;;) {
    const damages = await examineByDoctor(settings)
    if (damages.length === 0 || Date.now() > until) return damages
    await pause(LOOK_AGAIN_MS)
  }
}

/** What it finds at this moment. Rejects where it does not come to an end. */
export async function examineByDoctor(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const { output } = await runCommandLine(settings, ['doctor', '--storage', '--json'])
  const json = /^\{\n[\s\S]*?^\}$/m.exec(output)
  if (json === null) throw new Error(`the doctor said: ${output}`)
  const { damages } = JSON.parse(json[0]) as { damages: { kind: string; detail: string; documentId: string | null }[] }
  return damages.map(({ kind, documentId, detail }) => `${kind}: ${documentId}: ${detail}`)
}

function named(index: number, problems: readonly string[]): string[] {
  return problems.map((problem) => `node ${index}: ${problem}`)
}
