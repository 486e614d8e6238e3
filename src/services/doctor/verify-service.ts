import type { Kysely } from 'kysely'
import type { VerificationProblem, VerificationResource } from '../../api/memory.ts'
import { requireMemory } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { VERIFICATION } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { createFairLimiter } from '../fair-limiter.ts'
import type { MemoryDeps } from './damage.ts'
import { DAMAGES, type Damage, remedyOf } from './damage.ts'
import { examineOneMemory } from './examine-storage.ts'

/** Their details are those of files, and for whoever runs the service. */
const OF_FILES: readonly Damage['kind'][] = ['broken_memory_file', 'broken_index']

/** Holds what the database says of a memory to its memory file and its objects: one memory at a time, since each chunk is read. */
export function createVerifyService(parts: MemoryDeps & { db: Kysely<Tables> }): VerifyService {
  const turns = createFairLimiter({
    most: VERIFICATION.atOnce,
    mostOfOrganization: VERIFICATION.atOnceOfOrganization,
    works: 'verifications',
  })

  async function verify(memoryId: string, signal: AbortSignal): Promise<VerificationResource> {
    const problems: VerificationProblem[] = []
    let problemsFound = 0
    const examined = await examineOneMemory(parts, memoryId, {
      note: (damage) => {
        problemsFound += 1
        if (problems.length < VERIFICATION.problems) problems.push(toProblem(damage))
      },
      signal,
    })
    return { ok: problemsFound === 0, ...examined, problemsFound, problems }
  }

  return {
    async verify(caller, memoryId, signal) {
      const memory = await requireMemory(parts.db, caller, memoryId)
      const found = await turns.join(caller.organizationId, signal, (takeTurn) =>
        takeTurn(() => verify(memory.id, signal)),
      )
      // Deleted meanwhile, it is not found, and not empty.
      await requireMemory(parts.db, caller, memoryId)
      return found
    },
  }
}

function toProblem({ kind, documentId, detail }: Damage): VerificationProblem {
  const { what, mends } = DAMAGES[kind]
  const message = OF_FILES.includes(kind) || detail === '' ? `${what}.` : `${what}: ${detail}.`
  return {
    code: kind,
    message: message[0]?.toUpperCase() + message.slice(1),
    documentId,
    mendable: mends !== null,
    remedy: remedyOf(kind),
  }
}

/** Whether memories are whole. */
export type VerifyService = {
  /**
   * Compares metadata, memory file and objects, each chunk with the text it is a slice of. Rejects with `memory_not_found`, with `rate_limited` where
   * too many verifications run or wait, and when `signal` fires.
   */
  verify(caller: Caller, memoryId: string, signal: AbortSignal): Promise<VerificationResource>
}
