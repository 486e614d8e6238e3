/**
 * What a deletion leaves behind. The transaction that deletes a document or memory also writes a row of `removals`; here
 * the chunks in the memory file, the objects in the object store and the tags in the list by tags follow, then the row goes. Each step may be repeated,
 * so a removal that fails, or that the process did not live to finish, is carried out by the next sweep.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Blobs } from '../../blobs/blobs.ts'
import type { Log } from '../../log.ts'
import { reachStep } from '../../reach-step.ts'
import { forgetFileNames } from '../../store/deletion/deleted-work.ts'
import { noteErasure } from '../../store/deletion/erasures.ts'
import { deleteRemovals, listAllRemovals, listRemovals, purgeDocumentRows } from '../../store/deletion/removals.ts'
import { deleteTags } from '../../store/documents/document-tags.ts'
import { forgetAnswers } from '../../store/nodes/idempotency.ts'
import type { Removal, Tables } from '../../store/schema.ts'
import { documentFolder, memoryFolder, OF_UPLOAD } from '../document-folder.ts'
import type { MemoryFiles } from '../memory-files.ts'
import { type FileRemovalParts, removeFiles } from './remove-files.ts'
import { withReserve } from './with-reserve.ts'

/** Removals carried out together: documents of one memory share a commit of its memory file. */
const REMOVALS_A_STEP = 200
/**
 * A deleted memory is removed again by every sweep until this has passed: work that was under way when it was deleted
 * may have written to it afterwards. Such work notices within seconds; this is far more.
 */
const MEMORY_WATCHED_MS = 10 * 60_000

/** Carries out what deletions leave behind. */
export type Removals = {
  /** Commits a deletion with the removals of what it leaves. On a full disk it has the room that is held back for deletions, as what carries them out has. */
  commit<Value>(deletion: (transaction: Transaction<Tables>) => Promise<Value>): Promise<Value>
  /** Carries out these removals. Never rejects: what fails is logged and left for the sweep. */
  carryOut(ids: readonly string[]): Promise<void>
  /** Carries out all removals there are, going on after those that fail. Rejects when they cannot be listed. */
  sweep(): Promise<void>
}

/** What removals are built of. */
export type RemovalsParts = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'removeAll' | 'releaseReserve'>
  memoryFile: Pick<MemoryFiles, 'remove' | 'drop'> & FileRemovalParts['memoryFile']
  log: Log
  now: () => Date
}

/** Makes the one that carries removals out. */
export function createRemovals(parts: RemovalsParts): Removals {
  return {
    commit: (deletion) => withReserve(parts.blobs, () => parts.db.transaction().execute(deletion)),

    async carryOut(ids) {
      try {
        for (let start = 0; start < ids.length; start += REMOVALS_A_STEP) {
          await carryOutAll(parts, await listRemovals(parts.db, ids.slice(start, start + REMOVALS_A_STEP)))
        }
      } catch (err) {
        parts.log.warn({ err, removals: ids.length }, 'left for the sweep: removals that could not be read')
      }
    },

    async sweep() {
      let removals: Removal[] = []
      do {
        removals = await listAllRemovals(parts.db, { after: removals.at(-1)?.id ?? '', limit: REMOVALS_A_STEP })
        await carryOutAll(parts, removals)
      } while (removals.length === REMOVALS_A_STEP)
    },
  }
}

async function carryOutAll(parts: RemovalsParts, removals: readonly Removal[]): Promise<void> {
  for (const [memoryId, ofMemory] of Map.groupBy(removals, (removal) => removal.memory_id)) {
    try {
      await withReserve(parts.blobs, () => carryOutMemory(parts, memoryId, ofMemory))
    } catch (err) {
      parts.log.warn({ err, memoryId, removals: ofMemory.length }, 'left for the sweep: what a deletion leaves behind')
    }
  }
}

async function carryOutMemory(parts: RemovalsParts, memoryId: string, removals: readonly Removal[]): Promise<void> {
  const memory = removals.find(({ kind }) => kind === 'memory')
  if (memory === undefined) await removeDocuments(parts, memoryId, removals)
  else await removeMemory(parts, memoryId)
  const files = removals.filter(isOfFile)
  const gone = await removeFiles(parts, files)
  const watchedSince = new Date(parts.now().getTime() - MEMORY_WATCHED_MS).toISOString()
  const done = removals.filter(
    (removal) => !isOfFile(removal) && (removal !== memory || memory.created_at < watchedSince),
  )
  await deleteRemovals(
    parts.db,
    [...done, ...gone].map(({ id }) => id),
  )
}

function isOfFile({ kind }: Removal): boolean {
  return kind === 'file' || kind === 'unfinished'
}

async function removeDocuments(
  { db, memoryFile, blobs, now }: RemovalsParts,
  memoryId: string,
  removals: readonly Removal[],
): Promise<void> {
  const documentIds = removals.flatMap(({ kind, document_id }) => (kind === 'document' ? (document_id ?? []) : []))
  // The objects first: on a full disk they make the room that the memory file needs to forget its rows.
  const prefixes = removals.flatMap(({ kind, document_id }) => {
    if (document_id === null) return []
    const folder = documentFolder(memoryId, document_id)
    return kind === 'upload' ? OF_UPLOAD.map((name) => folder + name) : [folder]
  })
  await blobs.removeAll(...prefixes)
  reachStep('deletion:objects-gone')
  if (documentIds.length === 0) return
  await deleteTags(db, documentIds)
  await memoryFile.remove(memoryId, documentIds)
  const [deletedAt = ''] = removals.map(({ created_at }) => created_at).sort()
  await noteErasure(db, { memoryId, deletedAt, now: now() })
}

async function removeMemory({ db, memoryFile, blobs }: RemovalsParts, memoryId: string): Promise<void> {
  await memoryFile.drop(memoryId)
  await blobs.removeAll(memoryFolder(memoryId))
  // Rows go a few at a time: all of a large memory at once would hold everyone up for seconds.
  while (await purgeDocumentRows(db, memoryId)) await nextTurn()
  await forgetAnswers(db, memoryId)
  await forgetFileNames(db, memoryId)
}
