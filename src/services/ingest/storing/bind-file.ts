import { fileOf, getFiles } from '../../../database/memories/memories.ts'
import type { MemoryFiles } from '../../memory-files.ts'
import type { IngestParts } from '../ingest-parts.ts'
import { MemoryReembedded } from './memory-reembedded.ts'

/**
 * The file of a memory as a job takes it, which may work on it for hours: all goes to the one of this name, and a write rejects with {@link MemoryReembedded}
 * as soon as the memory has another. The job's commit would refuse it all the same, but the file may be gone by then, and must not be made again.
 * `settled` resolves when no write is under way: a job that failed may have left one, whose chunks would come behind their removal.
 */
export function bindFile(
  { db, memoryFile }: Pick<IngestParts, 'db' | 'memoryFile'>,
  memoryId: string,
  name: string,
): { memoryFile: MemoryFiles; settled: () => Promise<void> } {
  const file = memoryFile.named(name)
  const writes = new Set<Promise<void>>()

  async function write(...[, chunks, options]: Parameters<MemoryFiles['add']>): Promise<void> {
    const memory = await getFiles(db, memoryId)
    if (memory !== null && fileOf(memory) !== name) throw new MemoryReembedded(memory)
    await file.add(memoryId, chunks, options)
  }

  return {
    memoryFile: {
      ...file,
      add(...asked) {
        const writing = write(...asked).finally(() => writes.delete(writing))
        writes.add(writing)
        return writing
      },
      named: memoryFile.named,
    },
    settled: async () => void (await Promise.allSettled(writes)),
  }
}
