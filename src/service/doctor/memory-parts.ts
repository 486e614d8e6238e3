import type { Kysely } from 'kysely'
import type { Blobs } from '../../blobs/blobs.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Tables } from '../../store/schema.ts'

/** What is compared of a memory. */
export type MemoryParts = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get' | 'measure' | 'probe'>
  analyzer: Pick<Analyzer, 'terms'>
  memoryFile: Pick<MemoryFile, 'scan' | 'inspect' | 'searchLexical' | 'searchVector'>
}
