import type { MemoryFile } from '../../memory-file/memory-file.ts'
import { tracedSeam } from './traced-seam.ts'
import type { Tracing } from './tracing.ts'

/** The same storage of chunks, with a span for each retriever of a search and for what is read and written. */
export function tracedMemoryFile(tracing: Tracing, memoryFile: MemoryFile): MemoryFile {
  return tracedSeam(tracing, memoryFile, {
    searchLexical: 'leg lexical',
    searchNear: 'leg near',
    searchVector: 'leg semantic',
    readFound: 'read chunks',
    add: 'store chunks',
    remove: 'remove chunks',
  })
}
