import { type FilesOfMemory, fileOf, type Pinned } from '../../../database/memories/memories.ts'
import { ApiError } from '../../../errors.ts'

/**
 * Thrown where a memory took another file, with the vectors of another model, since chunks were written for it: they stand in the file that was, and
 * have to be written again, with vectors of this model.
 */
export class MemoryReembedded extends ApiError {
  readonly pinned: Pinned

  constructor(memory: FilesOfMemory) {
    const embeddingModel = memory.embedding_model ?? ''
    super('service_unavailable', {
      message: `The memory was re-embedded with ${embeddingModel} meanwhile.`,
      retryAfterSeconds: 1,
    })
    this.pinned = { embeddingModel, file: fileOf(memory) }
  }
}
