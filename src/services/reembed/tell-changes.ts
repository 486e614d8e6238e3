import type { Kysely } from 'kysely'
import { listLive } from '../../database/documents/carried-documents.ts'
import { forgetChanges, listChanges, noteChanges } from '../../database/memories/reembedding-changes.ts'
import type { Tables } from '../../database/schema.ts'
import type { JobWork } from '../jobs/job-handler.ts'
import { removeChunksOfJob } from '../jobs/remove-chunks-of-job.ts'
import { type Carrying, carryDocuments } from './carry-documents.ts'

const CHANGES_AT_ONCE = 200

/** A file and what it has to be told of. */
export type ToldFile = Carrying & { db: Kysely<Tables>; file: string; work: JobWork }

/** Tells the new file of all that has changed until now: what shows now is written in place of what was there, what was removed is removed. */
export async function tellChanges(told: ToldFile): Promise<void> {
  const { db, file, to, requireGoing } = told
  for (;;) {
    requireGoing()
    const changes = await listChanges(db, file, CHANGES_AT_ONCE)
    if (changes.length === 0) return
    const documentIds = changes.map(({ document_id }) => document_id)
    await removeChunksOfJob({ db, memoryFile: to }, told.work, documentIds)
    await carryDocuments(told, await listLive(db, documentIds), { areNew: true })
    // What changes from here on is noted once more, and so is not forgotten.
    await forgetChanges(db, file, changes)
    // Where adds go on, the list would never be empty.
    if (changes.length < CHANGES_AT_ONCE) return
  }
}

/**
 * Sees to it that the new file has as many chunks of each document as the old one, and tells it of those of which it has not, as after a kill between a
 * write and the note of it. Throws when that does not help.
 */
export async function settleDifferences(told: ToldFile): Promise<void> {
  const differing = await listDiffering(told)
  if (differing.length === 0) return
  await noteChanges(told.db, told.file, differing)
  await tellChanges(told)
  const still = new Set(await listDiffering(told))
  const left = differing.filter((id) => still.has(id))
  if (left.length > 0) throw new Error(`the new memory file differs from the old one in ${left.length} documents`)
}

/** Documents that show and of which the files have different numbers of chunks, and those of which only the new one has any. */
async function listDiffering({ db, memoryId, from, to }: ToldFile): Promise<string[]> {
  const [had, has] = await Promise.all([from.count(memoryId), to.count(memoryId)])
  const differing = [...new Set([...had.keys(), ...has.keys()])].filter((id) => had.get(id) !== has.get(id))
  const live = new Set((await listLive(db, differing)).map(({ id }) => id))
  return differing.filter((id) => live.has(id) || has.has(id))
}
