import type { MemoryFile } from '../../memory-file/memory-file.ts'
import { tracedSeam } from './traced-seam.ts'
import type { Tracing } from './tracing.ts'

/** The same storage, with a span for each leg of a search and for what is read and written of memory files. */
export function tracedStorage<Storage extends { memoryFile: MemoryFile }>(tracing: Tracing, storage: Storage): Storage {
  const memoryFile = tracedSeam<MemoryFile>(tracing, storage.memoryFile, {
    searchLexical: 'leg lexical',
    searchNear: 'leg near',
    searchVector: 'leg semantic',
    readFound: 'read chunks',
    add: 'store chunks',
    remove: 'remove chunks',
  })
  return { ...storage, memoryFile }
}
