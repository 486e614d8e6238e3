import type { Kysely } from 'kysely'
import type { VerificationProblem, VerificationResource } from '../../api/memory.ts'
import { requireMemory } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { VERIFICATION } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { createFairLimiter } from '../fair-limiter.ts'
import { checkOneMemory } from './check-storage.ts'
import type { MemoryCheckDeps } from './integrity-issues.ts'
import { INTEGRITY_ISSUES, type IntegrityIssue, remedyFor } from './integrity-issues.ts'

/** Details of these issues concern files and are only for the operator. */
const FILE_ISSUES: readonly IntegrityIssue['kind'][] = ['broken_memory_file', 'broken_index']

/**
 * Checks a memory against its file and objects; one memory at a time, because each chunk is read.
 */
export function createVerifyService(deps: MemoryCheckDeps & { db: Kysely<Tables> }): VerifyService {
  const turns = createFairLimiter({
    max: VERIFICATION.atOnce,
    maxPerOrganization: VERIFICATION.atOnceOfOrganization,
    works: 'verifications',
  })

  async function verify(memoryId: string, signal: AbortSignal): Promise<VerificationResource> {
    const problems: VerificationProblem[] = []
    let problemsFound = 0
    const examined = await checkOneMemory(deps, memoryId, {
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
      const memory = await requireMemory(deps.db, caller, memoryId)
      const found = await turns.run(caller.organizationId, signal, (takeTurn) =>
        takeTurn(() => verify(memory.id, signal)),
      )
      // A memory deleted meanwhile is not found, and not empty.
      await requireMemory(deps.db, caller, memoryId)
      return found
    },
  }
}

function toProblem({ kind, documentId, detail }: IntegrityIssue): VerificationProblem {
  const { what, mends } = INTEGRITY_ISSUES[kind]
  const message = FILE_ISSUES.includes(kind) || detail === '' ? `${what}.` : `${what}: ${detail}.`
  return {
    code: kind,
    message: message[0]?.toUpperCase() + message.slice(1),
    documentId,
    mendable: mends !== null,
    remedy: remedyFor(kind),
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
