import type { Kysely, Transaction } from 'kysely'
import type { Chunking, MemoryResource } from '../../api/memory.ts'
import { deleteComputedResponses, deleteResponses } from '../../database/account/idempotency-table.ts'
import { revokeKeysOfMemory } from '../../database/account/keys-table.ts'
import { lockOrganization } from '../../database/account/organizations-table.ts'
import { findProjectByName, insertProject, lockProject, projectNameKey } from '../../database/account/projects-table.ts'
import { anonymizeMemoryUsage } from '../../database/account/usage-table.ts'
import { failJobsOfMemory } from '../../database/deletion/jobs-of-deleted-data.ts'
import { enqueueDeletions } from '../../database/deletion/removals-table.ts'
import { deleteSourcesOfMemory } from '../../database/jobs/sources-table.ts'
import {
  changeMemory,
  chunkSizesOf,
  countMemories,
  deleteMemoryRow,
  insertMemory,
  listMemories,
  listMemoriesByName,
  type MemoryFilter,
  type MemorySort,
  type MemoryWithProject,
  requireMemory,
} from '../../database/memories/memories-table.ts'
import type { Memory, Tables } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import { isId, newId } from '../../ids.ts'
import { MEMORY_DESCRIPTION_CHARACTERS, MEMORY_NAME_CHARACTERS, PLANS } from '../../limits.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'
import { hasVisibleText, isLongerThan } from '../../text/characters.ts'
import { pluralize } from '../../text/pluralize.ts'
import { requireName, requireOrganizationScope } from '../account/account-checks.ts'
import { newProject, requireProject } from '../account/projects-service.ts'
import { dayOf } from '../account/usage-recorder.ts'
import type { Caller } from '../caller.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import { waitAtMost } from '../deletion/deletion-outbox.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import type { Page, PageRequest } from '../paging.ts'
import { readPage } from '../paging.ts'
import { type StoreResponse, storeNoResponse } from '../request-work.ts'

type MemoriesDeps = {
  db: Kysely<Tables>
  removals: DeletionOutbox
  changes: JobChanges
  now: () => Date
}

type NewMemory = Parameters<MemoriesService['create']>[1]
type TenantIds = Pick<Caller, 'organizationId' | 'planId'>

/**
 * Memories of an organization. A memory-scoped key sees only its own memory, and cannot create or
 * delete memories (`scope_forbidden`).
 */
export function createMemoriesService(deps: MemoriesDeps): MemoriesService {
  const { db } = deps
  return {
    async create(caller, input, storeResponse = storeNoResponse) {
      requireOrganizationScope(caller)
      checkMemoryTexts(input)
      if (input.chunking) checkChunking(input.chunking)
      return db.transaction().execute(async (transaction) => {
        const { id } = await createMemoryRow(transaction, caller, { input, now: deps.now() })
        const made = toMemoryResource(await requireMemory(transaction, caller, id))
        await storeResponse(transaction, made)
        return made
      })
    },

    list: (caller, { sort = '-createdAt', ...filter }, page) =>
      readPage(page, {
        name: 'memories',
        list: sort === '-createdAt' ? 'memories' : `memories ${sort}`,
        pattern: sort.endsWith('name') ? /^mem_\w{26} .+$/s : /^mem_\w{26}$/,
        positionOf: ({ id, name }) => (sort.endsWith('name') ? `${id} ${name}` : id),
        read: (after, limit) => listMemories(db, { ...caller, filter, sort, after: toPosition(after), limit }),
        count: () => countMemories(db, { ...caller, filter }),
        toResource: toMemoryResource,
      }),

    get: async (caller, memoryId) => toMemoryResource(await requireMemory(db, caller, memoryId)),

    async getByName(caller, name) {
      if (isId('mem', name)) return toMemoryResource(await requireMemory(db, caller, name))
      const [memory, other] = await listMemoriesByName(db, caller, name)
      if (memory === undefined) throw new ApiError('memory_not_found')
      if (other !== undefined) throw invalid('model', 'is the name of several memories: name one by its ID')
      return toMemoryResource(memory)
    },

    update: (caller, memoryId, change) =>
      db
        .transaction()
        .execute((transaction) => updateMemory(transaction, caller, { memoryId, change, now: deps.now() })),

    async delete(caller, memoryId) {
      requireOrganizationScope(caller)
      if (!isId('mem', memoryId)) throw new ApiError('memory_not_found')
      const { jobIds, removalIds } = await deps.removals.commit((transaction) =>
        remove(transaction, { organizationId: caller.organizationId, memoryId, now: deps.now() }),
      )
      failpoint('deletion:committed')
      for (const jobId of jobIds) deps.changes.publish({ jobId, kind: 'stop-asked' })
      // Deleting the rows of 100,000 documents takes a minute and continues after the response.
      await waitAtMost(deps.removals.process(removalIds))
    },
  }
}

/**
 * Inserts an empty memory, with the given id if any; unstorable characters become U+FFFD. Rejects
 * with `memory_limit_reached` and `project_not_found`.
 */
export async function createMemoryRow(
  transaction: Transaction<Tables>,
  caller: TenantIds,
  { input, now }: { input: NewMemory & { id?: string }; now: Date },
): Promise<Memory> {
  const { organizationId } = caller
  await lockOrganization(transaction, organizationId)
  await requireRoomForMemory(transaction, caller)
  const memory = newMemory(organizationId, input, now)
  memory.project_id = await chooseProject(transaction, organizationId, { project: input, now })
  await insertMemory(transaction, memory)
  return memory
}

/** Rejects with `memory_limit_reached` at the plan's limit. */
export async function requireRoomForMemory(db: Kysely<Tables>, { organizationId, planId }: TenantIds): Promise<void> {
  const { name: planName, limits } = PLANS[planId]
  const limit = limits.memories
  const used = await countMemories(db, { organizationId, memoryIds: null, filter: { projectId: null } })
  if (limit === null || used < limit) return
  const allowed = pluralize(limit, 'memory', 'memories')
  throw new ApiError('memory_limit_reached', {
    message: `The plan ${planName} allows ${allowed}, and there ${used === 1 ? 'is' : 'are'} ${used}.`,
    extra: { limit, used, planName },
  })
}

/** Project of a new memory: an existing one by id, or one by name, created when missing. */
async function chooseProject(
  transaction: Transaction<Tables>,
  organizationId: string,
  { project: { projectId, projectName }, now }: { project: Pick<NewMemory, 'projectId' | 'projectName'>; now: Date },
): Promise<string | null> {
  if (projectId !== null) {
    const project = await requireProject(transaction, organizationId, projectId)
    const named = projectName === null ? project.name : requireName('projectName', projectName)
    if (projectNameKey(named) !== project.name_key)
      throw invalid('projectName', 'differs from the name of the project with this projectId')
    if (!(await lockProject(transaction, project.id))) throw new ApiError('project_not_found')
    return project.id
  }
  if (projectName === null) return null
  const made = newProject(organizationId, requireName('projectName', projectName), now)
  for (;;) {
    if (await insertProject(transaction, made)) return made.id
    const found = await findProjectByName(transaction, organizationId, made.name)
    // Deleted by another process meanwhile: the project is created again.
    if (found !== null && (await lockProject(transaction, found.id))) return found.id
  }
}

/**
 * Rejects with `memory_not_found`, `project_not_found`, and `scope_forbidden` for names and
 * projects.
 */
async function updateMemory(
  transaction: Transaction<Tables>,
  caller: Caller,
  { memoryId, change, now }: { memoryId: string; change: MemoryChange; now: Date },
): Promise<MemoryResource> {
  const { name, description = null } = { ...(await requireMemory(transaction, caller, memoryId)), ...change }
  checkMemoryTexts({ name, description })
  const { projectId } = change
  // Other memories of the organization are found by name.
  if (projectId !== undefined || change.name !== undefined) requireOrganizationScope(caller)
  if (typeof projectId === 'string') {
    await requireProject(transaction, caller.organizationId, projectId)
    if (!(await lockProject(transaction, projectId))) throw new ApiError('project_not_found')
  }
  // Given fields only: concurrent requests may change the rest.
  const changed = {
    ...(change.name !== undefined && { name: replaceUnstorable(name) }),
    ...(change.description !== undefined && { description: description && replaceUnstorable(description) }),
    ...(projectId !== undefined && { project_id: projectId }),
    updated_at: now.toISOString(),
  }
  if (!(await changeMemory(transaction, memoryId, changed))) throw new ApiError('memory_not_found')
  return toMemoryResource(await requireMemory(transaction, caller, memoryId))
}

/**
 * Deletes the memory's row and everything visible, including saved responses. Rows of its
 * documents, possibly many, are deleted by the outbox together with the files.
 */
async function remove(
  transaction: Transaction<Tables>,
  { organizationId, memoryId, now }: { organizationId: string; memoryId: string; now: Date },
) {
  const deleted = await deleteMemoryRow(transaction, organizationId, memoryId)
  if (deleted === null) throw new ApiError('memory_not_found')
  const at = now.toISOString()
  await revokeKeysOfMemory(transaction, memoryId, at)
  await anonymizeMemoryUsage(transaction, { organizationId, id: memoryId }, dayOf(now))
  await deleteSourcesOfMemory(transaction, memoryId)
  const end = { error: 'the memory was deleted', errorCode: 'memory_not_found', now: at }
  const jobIds = await failJobsOfMemory(transaction, memoryId, end)
  // Prevents saving responses of requests in progress, then deletes the saved ones.
  await deleteComputedResponses(transaction, memoryId)
  await deleteResponses(transaction, memoryId)
  const files = [deleted.file, deleted.next_file].filter((file) => file !== null)
  const leftovers = files.map((file) => ({ kind: 'file', memoryId, file, now }) as const)
  const removalIds = await enqueueDeletions(transaction, [{ kind: 'memory', memoryId, now }, ...leftovers])
  return { jobIds, removalIds }
}

/** Throws `validation_failed` for an invalid name or description. */
export function checkMemoryTexts({ name, description }: Pick<NewMemory, 'name' | 'description'>): void {
  const { min, max } = MEMORY_NAME_CHARACTERS
  if (!hasVisibleText(name)) throw invalid('name', 'must not be blank')
  if (isLongerThan(name, max)) throw invalid('name', `must have ${min} to ${max} characters`)
  if (isLongerThan(description ?? '', MEMORY_DESCRIPTION_CHARACTERS)) {
    throw invalid('description', `must have at most ${MEMORY_DESCRIPTION_CHARACTERS} characters`)
  }
}

/** Throws `validation_failed` for an overlap of more than half of a chunk. */
function checkChunking({ maxCharacters, overlap }: Chunking): void {
  const most = Math.floor(maxCharacters / 2)
  if (overlap > most) throw invalid('chunking.overlap', `must be at most half of maxCharacters, here ${most}`)
}

function newMemory(
  organizationId: string,
  { id, name, description, chunking = null }: NewMemory & { id?: string },
  now: Date,
): Memory {
  const at = now.toISOString()
  return {
    id: id ?? newId('mem', now),
    organization_id: organizationId,
    project_id: null,
    name: replaceUnstorable(name),
    description: description === null ? null : replaceUnstorable(description),
    embedding_model: null,
    chunking: chunking === null ? null : JSON.stringify(chunking),
    document_count: 0,
    chunk_count: 0,
    correction_count: 0,
    storage_bytes: 0,
    file: null,
    next_file: null,
    closed_until: null,
    revision: 0,
    created_at: at,
    updated_at: at,
  }
}

function toPosition(after: string | null): { id: string; name: string } | null {
  const end = after?.indexOf(' ') ?? -1
  return after === null ? null : { id: end < 0 ? after : after.slice(0, end), name: after.slice(end + 1) }
}

/** The API resource of a memory. */
export function toMemoryResource(memory: MemoryWithProject): MemoryResource {
  return {
    id: memory.id,
    name: memory.name,
    description: memory.description,
    projectId: memory.project_id,
    projectName: memory.project_name,
    status: 'ready',
    documentCount: memory.document_count,
    chunkCount: memory.chunk_count,
    correctionCount: memory.correction_count,
    sizeBytes: Number(memory.storage_bytes),
    embeddingModel: memory.embedding_model,
    chunking: chunkSizesOf(memory),
    createdAt: memory.created_at,
    updatedAt: memory.updated_at,
  }
}

/** Memories of an organization. */
export type MemoriesService = {
  create(
    caller: Caller,
    input: {
      name: string
      description: string | null
      projectId: string | null
      projectName: string | null
      /** Absent: the default. */
      chunking?: Chunking | null
    },
    storeResponse?: StoreResponse<MemoryResource>,
  ): Promise<MemoryResource>
  list(
    caller: Caller,
    listing: MemoryFilter & { sort?: MemorySort },
    page: PageRequest,
  ): Promise<Page<'memories', MemoryResource>>
  get(caller: Caller, memoryId: string): Promise<MemoryResource>
  /**
   * Returns the memory with an ID or a name. Rejects with `memory_not_found`, and with
   * `validation_failed` for a name of several memories.
   */
  getByName(caller: Caller, name: string): Promise<MemoryResource>

  /** Changes the given fields. */
  update(caller: Caller, memoryId: string, change: MemoryChange): Promise<MemoryResource>
  delete(caller: Caller, memoryId: string): Promise<void>
}

/** Fields of a memory to change; a project only with an organization key. */
type MemoryChange = { name?: string; description?: string | null; projectId?: string | null }
