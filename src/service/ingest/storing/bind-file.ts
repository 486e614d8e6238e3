import { fileOf, getFiles } from '../../../store/memories/memories.ts'
import type { MemoryFiles } from '../../memory-files.ts'
import type { IngestParts } from '../ingest-parts.ts'
import { MemoryReembedded } from './memory-reembedded.ts'

/**
 * The file of a memory as a job takes it, which may work on it for hours: all goes to the one of this name, and a write rejects with {@link MemoryReembedded}
 * as soon as the memory has another. The job's commit would refuse it all the same, but the file may be gone by then, and must not be made again.
 */
export function bindFile(
  { db, memoryFile }: Pick<IngestParts, 'db' | 'memoryFile'>,
  memoryId: string,
  name: string,
): MemoryFiles {
  const file = memoryFile.named(name)
  return {
    ...file,
    async add(_memoryId, chunks, options) {
      const memory = await getFiles(db, memoryId)
      if (memory !== null && fileOf(memory) !== name) throw new MemoryReembedded(memory)
      await file.add(memoryId, chunks, options)
    },
    named: memoryFile.named,
  }
}
