import type { Warning } from '../../../api/values.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Embedders } from '../../../models/embedders.ts'
import { embedChunks, type Indexing } from '../../ingest/indexing/embed-chunks.ts'
import type { IngestParts } from '../../ingest/ingest-parts.ts'
import type { ArchivedDocument, Head } from '../archive-schemas.ts'
import { surroundingsOf } from './imported-rows.ts'

/** Where the vectors of an import come from. */
export type ImportEmbedding = {
  /** What the new memory is pinned to; `null`: the archive has no vectors. */
  model: string | null
  /** `null`: the vectors are taken as they are. */
  indexing: Indexing | null
  warnings: Warning[]
}

/**
 * The vectors of the archive where its embedding model is configured here; otherwise the chunks are embedded again by the default one, with a
 * warning, since vectors of two models do not compare.
 */
export function chooseImportEmbedding(
  { embedders, analyzer }: Pick<IngestParts, 'embedders' | 'analyzer'>,
  { embedder: archived }: Head,
): ImportEmbedding {
  if (archived === null) return { model: null, indexing: null, warnings: [] }
  if (isConfigured(embedders, archived.model)) return { model: archived.model, indexing: null, warnings: [] }
  const { model } = embedders.default
  const message = `The embedding model of the archive, ${archived.model.slice(0, 100)}, is not available here; its chunks were embedded again by ${model}.`
  const warning = { code: 'embedding_model_unavailable', message, param: 'file' }
  return { model, indexing: { analyzer, embedder: embedders.default }, warnings: [warning] }
}

/** By its own name: how settings name an embedder says nothing of its vectors. */
function isConfigured(embedders: Embedders, model: string): boolean {
  return embedders.get(model)?.model === model
}

/** The rows with vectors of another embedder, made from their texts; `documents` has those of all rows by their identifiers. */
export async function embedAgain(
  indexing: Indexing,
  rows: readonly ChunkRow[],
  documents: ReadonlyMap<string, ArchivedDocument>,
): Promise<ChunkRow[]> {
  const embedded: ChunkRow[] = []
  for (const run of runsOf(rows)) {
    const [{ documentId = '', kind = 'document', labels = [], chunkIndex: firstIndex = 0 } = {}] = run
    const document = documents.get(documentId)
    if (document === undefined) throw new Error(`a chunk of ${documentId}, which is not imported`)
    const context = { documentId, kind, labels, firstIndex, ...surroundingsOf(document) }
    embedded.push(...(await embedChunks(indexing, run, context)))
  }
  return embedded
}

/** Rows that follow each other in one document, together. */
function* runsOf(rows: readonly ChunkRow[]): Generator<ChunkRow[]> {
  let run: ChunkRow[] = []
  for (const row of rows) {
    const last = run.at(-1)
    if (last !== undefined && (last.documentId !== row.documentId || last.chunkIndex + 1 !== row.chunkIndex)) {
      yield run
      run = []
    }
    run.push(row)
  }
  if (run.length > 0) yield run
}
