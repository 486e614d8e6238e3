import { openIntents } from '../../../database/deletion/intents.ts'
import { type Pinned, pinEmbeddingModel } from '../../../database/memories/memories.ts'
import { ApiError } from '../../../errors.ts'
import { reachStep } from '../../../observability/failpoints.ts'
import type { IngestParts } from '../ingest-parts.ts'

/** Documents that are about to be written, with vectors of this model. */
export type Writing = { memoryId: string; documentIds: readonly string[]; embeddingModel: string; at: string }

/**
 * Notes what is about to be written and pins the memory to the embedding model, in one commit: a pin without a document lasts as long as the
 * intents do. Gives the model to write with, another one where the memory was re-embedded meanwhile, and the file to write to. Rejects with
 * `memory_not_found`, and with `embedding_model_pinned` when another add has pinned another model meanwhile.
 */
export async function beginWriting({ db, owner }: IngestParts, writing: Writing): Promise<Pinned> {
  const { memoryId, documentIds, embeddingModel, at } = writing
  const pinned = await db.transaction().execute(async (transaction) => {
    const pinned = await pinEmbeddingModel(transaction, memoryId, embeddingModel)
    if (pinned === null) throw new ApiError('memory_not_found')
    const isFirst = pinned.file === memoryId
    if (pinned.embeddingModel !== embeddingModel && isFirst) {
      const message = `The memory was pinned to the embedding model ${pinned.embeddingModel} by another request meanwhile.`
      throw new ApiError('embedding_model_pinned', { message, remedy: 'Send the request again.' })
    }
    await openIntents(transaction, { memoryId, documentIds, owner, at })
    return pinned
  })
  reachStep('add:intended')
  return pinned
}
