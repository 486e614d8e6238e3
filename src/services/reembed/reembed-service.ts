import type { Kysely } from 'kysely'
import { insertJob } from '../../database/jobs/jobs.ts'
import { requireMemory } from '../../database/memories/memories.ts'
import { beginFile } from '../../database/memories/next-file.ts'
import type { Tables } from '../../database/schema.ts'
import { newFileName } from '../../memory-file/file-name.ts'
import type { Embedders } from '../../models/embedders.ts'
import { reachStep } from '../../observability/failpoints.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { toJobResource } from '../jobs/job-resource.ts'
import { REEMBEDDING_JOB } from '../jobs/job-types.ts'
import { keepNothing } from '../keep.ts'
import type { ReembedService } from './reembed.ts'
import type { ReembeddingPayload } from './reembedding-payload.ts'
import { requireConfigured } from './require-configured.ts'
import { requireNoReembedding } from './require-no-reembedding.ts'

/** What the service of re-embeddings is made of. */
export type ReembedServiceParts = {
  db: Kysely<Tables>
  embedders: Embedders
  changes: JobChanges
  now: () => Date
}

/** Takes re-embeddings on; the work is a job's (`reembed/`). */
export function createReembedService({ db, embedders, changes, now }: ReembedServiceParts): ReembedService {
  return {
    async begin(caller, memoryId, name, keep = keepNothing) {
      const { organization_id: organizationId } = await requireMemory(db, caller, memoryId)
      const { model: embeddingModel } = requireConfigured(embedders, name)
      const job = await db.transaction().execute(async (transaction) => {
        await requireNoReembedding(transaction, memoryId)
        const file = newFileName(memoryId)
        await beginFile(transaction, memoryId, file)
        const payload: ReembeddingPayload = { embeddingModel, file, carriedTo: 0, chunks: 0 }
        const facts = { organizationId, memoryId, jobType: REEMBEDDING_JOB, payload, now: now() }
        const begun = toJobResource(await insertJob(transaction, facts))
        await keep(transaction, begun)
        return begun
      })
      reachStep('reembed:begun')
      changes.publish({ jobId: job.id, kind: 'queued' })
      return job
    },
  }
}
