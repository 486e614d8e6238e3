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

/** Details of these issues concern files and are only for the operator. */
const OF_FILES: readonly Damage['kind'][] = ['broken_memory_file', 'broken_index']

/**
 * Checks a memory against its file and objects; one memory at a time, because each chunk is read.
 */
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
      // A memory deleted meanwhile is not found, and not empty.
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

/** Verifies memories. */
export type VerifyService = {
  /**
   * Compares metadata, memory file and objects, and each chunk with its text. Rejects with
   * `memory_not_found`, with `rate_limited` if too many verifications run or wait, and when
   * `signal` aborts.
   */
  verify(caller: Caller, memoryId: string, signal: AbortSignal): Promise<VerificationResource>
}
