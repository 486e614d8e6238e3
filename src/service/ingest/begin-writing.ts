import { ApiError } from '../../errors.ts'
import { reachStep } from '../../reach-step.ts'
import { openIntents } from '../../store/intents.ts'
import { pinEmbeddingModel } from '../../store/memories.ts'
import type { IngestParts } from './ingest-parts.ts'

/** Documents that are about to be written, with vectors of this model. */
export type Writing = { memoryId: string; documentIds: readonly string[]; embeddingModel: string; at: string }

/**
 * Notes what is about to be written and pins the memory to the embedding model, in one commit: a pin without a document lasts as long as the
 * intents do. Rejects with `memory_not_found`, and with `embedding_model_pinned` when another add has pinned another model meanwhile.
 */
export async function beginWriting({ db, owner }: IngestParts, writing: Writing): Promise<void> {
  const { memoryId, documentIds, embeddingModel, at } = writing
  await db.transaction().execute(async (transaction) => {
    const pinned = await pinEmbeddingModel(transaction, memoryId, embeddingModel)
    if (pinned === null) throw new ApiError('memory_not_found')
    if (pinned !== embeddingModel) {
      const message = `The memory was pinned to the embedding model ${pinned} by another request meanwhile.`
      throw new ApiError('embedding_model_pinned', { message, remedy: 'Send the request again.' })
    }
    await openIntents(transaction, { memoryId, documentIds, owner, at })
  })
  reachStep('add:intended')
}
