import type { Kysely } from 'kysely'
import type { ChunkResource } from '../../api/document.ts'
import { requireDocument } from '../../database/memories/documents-table.ts'
import { requireMemory } from '../../database/memories/memories-table.ts'
import { LIVE_STATUSES, type Tables } from '../../database/schema.ts'
import type { StoredChunk } from '../../memory-file/memory-file.ts'
import type { Caller } from '../caller.ts'
import { type MemoryFiles, requireFile } from '../memory-files.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'

/** Chunks of documents, as searches return them. */
export type ChunksService = {
  /**
   * Lists the chunks of a document in order; none until the document is searchable. Rejects with
   * `document_not_found`, and with `data_damaged` if the file of the memory is missing.
   */
  list(
    caller: Caller,
    memoryId: string,
    request: { documentId: string; page: PageRequest },
  ): Promise<Page<'chunks', ChunkResource>>
}

type ChunksDeps = { db: Kysely<Tables>; memoryFile: Pick<MemoryFiles, 'read' | 'exists'> }

/** Creates the service. */
export function createChunksService({ db, memoryFile }: ChunksDeps): ChunksService {
  return {
    async list(caller, memoryId, { documentId, page }) {
      const memory = await requireMemory(db, caller, memoryId)
      const key = { organizationId: memory.organization_id, memoryId, documentId }
      const document = await requireDocument(db, key)
      const count = LIVE_STATUSES.includes(document.status) ? document.chunk_count : 0
      if (count > 0) await requireFile({ db, memoryFile }, memory)
      return readPage(page, {
        name: 'chunks',
        list: `chunks ${documentId}`,
        pattern: /^\d{1,9}$/,
        positionOf: ({ chunkIndex }) => `${chunkIndex}`,
        read: async (after, limit) => {
          const from = after === null ? 0 : Number(after) + 1
          return count === 0 ? [] : memoryFile.read(memoryId, documentId, { from, to: from + limit })
        },
        count: async () => count,
        toResource: toChunkResource,
      })
    },
  }
}

function toChunkResource({ documentId, chunkIndex, ...chunk }: StoredChunk): ChunkResource {
  const { text, startOffset, endOffset, page, pageEnd, section, header } = chunk
  return {
    id: `${documentId}.${chunkIndex}`,
    index: chunkIndex,
    text,
    startOffset,
    endOffset,
    page,
    pageEnd,
    section,
    header,
  }
}
