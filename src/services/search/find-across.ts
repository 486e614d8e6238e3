import type { Kysely } from 'kysely'
import type { FindAnswer } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { listMemories } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { invalid } from '../../errors.ts'
import { SEVERAL_MEMORIES } from '../../limits.ts'
import { requireOrganizationScope } from '../account/account-checks.ts'
import { requireProject } from '../account/projects-service.ts'
import type { Caller } from '../caller.ts'
import { takeFitting } from '../paging.ts'
import { warnOfOmittedHits } from './build-hits.ts'
import type { FindRequest, SearchedMemory, SearchService } from './search.ts'

/** Memories of a search: a list of ids, or all of a project. */
export type MemorySelection = { memoryIds?: readonly string[] | undefined; projectId?: string | undefined }

/** Searches that run at a time for one request. */
const MAX_CONCURRENT_SEARCHES = 4

/**
 * Returns the ids of the selected memories, each once. Throws `validation_failed` unless the
 * selection is either a list or a project of at most 20 memories, and `project_not_found`.
 */
export async function listSelected(
  db: Kysely<Tables>,
  caller: Caller,
  { memoryIds, projectId }: MemorySelection,
): Promise<string[]> {
  if ((memoryIds === undefined) === (projectId === undefined))
    throw invalid('memoryIds', 'or projectId is required: send one of them')
  if (memoryIds !== undefined) return [...new Set(memoryIds)]
  requireOrganizationScope(caller)
  const project = await requireProject(db, caller.organizationId, projectId ?? '')
  const page = { sort: '-createdAt', after: null, limit: SEVERAL_MEMORIES + 1 } as const
  const memories = await listMemories(db, { ...caller, ...page, filter: { projectId: project.id } })
  if (memories.length > SEVERAL_MEMORIES)
    throw invalid('projectId', `has more than ${SEVERAL_MEMORIES} memories: send memoryIds`)
  return memories.map(({ id }) => id)
}

/**
 * Finds the best passages of several memories. Scores measure how well a passage matches the query,
 * not how it ranks in its memory, so hits are sorted by score. Matching corrections come first;
 * each has replaced only statements of the same memory.
 */
export async function findAcross(
  find: SearchService['find'],
  memories: readonly SearchedMemory[],
  request: FindRequest,
): Promise<FindAnswer> {
  const started = performance.now()
  const answers = await mapConcurrent(memories, MAX_CONCURRENT_SEARCHES, (searched) => find(searched, request))
  const found = answers.flatMap(({ hits }, place) =>
    hits.map((hit) => ({ ...hit, memoryId: memories[place]?.memory.id ?? '' })),
  )
  const first = ({ kind }: { kind: string }) => (kind === 'correction' ? 0 : 1)
  const best = found.sort((a, b) => first(a) - first(b) || b.score - a.score).slice(0, request.limit)
  const hits = takeFitting(best).map((hit, place) => ({ ...hit, rank: place + 1 }))
  const modes = new Set(answers.map(({ mode }) => mode))
  const [mode = request.mode === 'auto' ? 'hybrid' : request.mode] = modes
  return {
    query: request.query,
    mode: modes.size > 1 ? 'hybrid' : mode,
    totalHits: answers.reduce((total, answer) => total + answer.totalHits, 0),
    totalHitsRelation: answers.every((answer) => answer.totalHitsRelation === 'eq') ? 'eq' : 'gte',
    tookMs: Math.round(performance.now() - started),
    hits,
    nextCursor: null,
    warnings: [...listWarnings(memories, answers), ...warnOfOmittedHits(hits.length, best.length)],
  }
}

/** Equal warnings once. A filter warns only if no document of any memory meets it. */
function listWarnings(memories: readonly SearchedMemory[], answers: readonly FindAnswer[]): Warning[] {
  if (memories.length === 0) return [NO_MEMORY]
  const all = new Map<string, { warning: Warning; count: number }>()
  for (const warning of answers.flatMap(({ warnings }) => warnings)) {
    const key = JSON.stringify(warning)
    all.set(key, { warning, count: (all.get(key)?.count ?? 0) + 1 })
  }
  return [...all.values()].flatMap(({ warning, count }) =>
    warning.code === 'filter_matches_no_document' && count < memories.length ? [] : [warning],
  )
}

const NO_MEMORY: Warning = { code: 'no_memory', message: 'The project has no memories.', param: 'projectId' }
