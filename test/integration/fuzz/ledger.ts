import type { NearRequest } from './near-requests.ts'
import type { RawAnswer } from './raw-client.ts'

/**
 * Acknowledged resources. For documents also the memory, and whether a later document may have
 * replaced them.
 */
export type Ledger = {
  made: { memories: Set<string>; projects: Set<string>; keys: Set<string> }
  documents: Map<string, { memoryId: string; mayVanish: boolean }>
  deleted: Set<string>
  /** Records created and deleted resources from any answer. */
  note(request: NearRequest, answer: RawAnswer): void
}

/** An empty ledger. */
export function createLedger(): Ledger {
  const made = { memories: new Set<string>(), projects: new Set<string>(), keys: new Set<string>() }
  const documents: Ledger['documents'] = new Map()
  const deleted = new Set<string>()

  function noteMade(request: NearRequest, { headers, body }: RawAnswer): void {
    const answer = JSON.parse(body.toString()) as {
      id?: string
      ids?: string[]
      projectId?: string
      documentIds?: string[]
    }
    const sent = request.sending.bytes.toString('latin1')
    const [, kind, id = '', inner] =
      /^\/v1\/(memories|projects|keys)\/([^/?]+)(\/documents)?/.exec(headers.get('location') ?? '') ?? []
    const memoryId = /\/memories\/(mem_\w{26})\//i.exec(sent)?.[1] ?? ''
    const mayVanish = sent.includes('externalId') || sent.includes('deduplicate')
    if (inner === undefined && kind !== undefined) made[kind as keyof typeof made].add(id)
    if (kind === 'memories' && inner === undefined && typeof answer.projectId === 'string')
      made.projects.add(answer.projectId)
    const added = [
      ...(answer.documentIds ?? []),
      ...(answer.ids ?? []),
      ...(inner === undefined || answer.id === undefined ? [] : [answer.id]),
    ]
    for (const one of added) if (!documents.has(one)) documents.set(one, { memoryId, mayVanish })
  }

  return {
    made,
    documents,
    deleted,
    note(request, answer) {
      const { operation, sending } = request
      const isDelete = /^DELETE /i.test(sending.bytes.subarray(0, 7).toString())
      if (answer.status === 204 && isDelete)
        deleted.add(
          /(\w{3}_\w{26})\/? HTTP|(\w{3}_\w{26})\/?\?/.exec(sending.bytes.toString('latin1'))?.slice(1).find(Boolean) ??
            '',
        )
      const isMade = answer.status === 201 || answer.status === 202 || (answer.status === 200 && operation.takesUpload)
      if (isMade && answer.body.length > 0) noteMade(request, answer)
    },
  }
}
