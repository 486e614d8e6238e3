import type { Kysely } from 'kysely'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'

/** What is compared of a memory. */
export type MemoryParts = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get' | 'measure' | 'probe'>
  analyzer: Pick<Analyzer, 'terms'>
  memoryFile: Pick<MemoryFile, 'scan' | 'inspect' | 'searchLexical' | 'searchVector'>
}
