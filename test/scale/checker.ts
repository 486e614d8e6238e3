/**
 * The common checker of all load tests, independent of the faults before. Every acknowledged
 * document is listed and found by its token on every node; no deleted document is. Nothing exists
 * twice, counters add up, jobs end well, and the storage holds no orphans. {@link Service} asserts
 * the error body of every unsuccessful answer.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from '../spec/answer.ts'
import { runCommandLine } from '../spec/product.ts'
import type { Service } from '../spec/service.ts'
import { endOfJob, readMemory } from '../spec/steps.ts'
import type { Entry, Ledger } from './ledger.ts'
import { type Settling, settle } from './settle.ts'
import { type Modes, verify } from './verify.ts'

/** The system under test. */
export type Installation = {
  /** The nodes that answer requests; all must give the same answers. */
  nodes: readonly Service[]
  ledger: Ledger
  /**
   * Scans the storage until no problem is left or the time is up; returns the remaining problems.
   */
  auditStorage: () => Promise<string[]>
}

type Verdict = { documents: number; chunks: number; problems: { code: string; message: string }[] }

/**
 * A sweep comes every minute; what a dead node was at counts as abandoned after 30 s, and is swept
 * by the next round.
 */
const SWEEP_MS = 200_000
const LOOK_AGAIN_MS = 2000
/** Jobs whose target was deleted end with these codes. */
const ENDED_BY_DELETION = ['document_not_found', 'memory_not_found', 'cancelled']

/**
 * Compares the lists and counters of every node with the ledger; `settling` resolves open entries.
 * No client may be running.
 */
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

/**
 * Reads and finds these entries on every node and returns the problems. With several nodes, each
 * node searches with one mode. No client may be running.
 */
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

/** Waits for the end of every accepted job: success, or failure after a deletion of the target. */
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

/** Verifies each memory; returns the problems found, and counts that differ from the memory. */
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

/**
 * All checks at the end of a test: jobs, lists, entries, verification, storage. The first check
 * with problems ends the sequence.
 */
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

/** The findings of `recollect doctor --storage` with these settings, after the sweep. */
export async function auditByDoctor(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const until = Date.now() + SWEEP_MS
  for (;;) {
    const damages = await examineByDoctor(settings)
    if (damages.length === 0 || Date.now() > until) return damages
    await pause(LOOK_AGAIN_MS)
  }
}

/** The current findings. Rejects where the doctor does not finish. */
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
