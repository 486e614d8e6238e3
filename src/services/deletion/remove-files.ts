import type { Kysely } from 'kysely'
import { fileOfRemoval } from '../../database/deletion/removals.ts'
import { fileOf, getFiles } from '../../database/memories/memories.ts'
import { forgetFile } from '../../database/memories/reembedding-changes.ts'
import type { Removal, Tables } from '../../database/schema.ts'
import { reachStep } from '../../observability/failpoints.ts'
import type { FileOfMemory } from '../memory-files.ts'

/** How long a file that was replaced is left to those who began to search it before. Ours: a search takes seconds. */
const LEFT_TO_READERS_MS = 5 * 60_000
/** Until then every sweep removes it again: an add that was under way may write to the file it began with, and finds itself refused at its commit. No request lasts longer. */
const WATCHED_MS = 15 * 60_000

/** What the removal of memory files needs. */
export type FileRemovalParts = {
  db: Kysely<Tables>
  memoryFile: { named(name: string): Pick<FileOfMemory, 'drop'> }
  now: () => Date
}

/** Removes memory files that are not in use, as far as it is time; gives the removals that are over. */
export async function removeFiles(parts: FileRemovalParts, removals: readonly Removal[]): Promise<Removal[]> {
  const over: Removal[] = []
  for (const removal of removals) if (await removeFile(parts, removal)) over.push(removal)
  return over
}

async function removeFile({ db, memoryFile, now }: FileRemovalParts, removal: Removal): Promise<boolean> {
  const { kind, memory_id: memoryId, created_at: createdAt } = removal
  const file = fileOfRemoval(removal)
  const memory = await getFiles(db, memoryId)
  // It never is; but what is lost here is lost for good.
  if (memory !== null && [fileOf(memory), memory.next_file].includes(file)) return true
  const ageMs = now().getTime() - Date.parse(createdAt)
  if (kind === 'file' && memory !== null && ageMs < LEFT_TO_READERS_MS) return false
  await memoryFile.named(file).drop(memoryId)
  reachStep('reembed:file-removed')
  await forgetFile(db, file)
  return ageMs >= WATCHED_MS
}
