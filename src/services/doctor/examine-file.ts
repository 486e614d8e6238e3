import type { DocumentStock } from '../../database/documents/inventory.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { Damage } from './damage.ts'
import { examineContents } from './examine-contents.ts'
import type { MemoryParts } from './memory-parts.ts'

/** Whether a failure is of the file alone: the store answers, and the same was tried twice. */
type Outcome<Value> = { value: Value } | { failure: unknown }

type Asked = { memoryId: string; live: ReadonlyMap<string, DocumentStock>; signal: AbortSignal | undefined }

/**
 * Examines the memory file and every chunk in it. The number of chunks by document; `null` where the file is gone or cannot be read, which is one
 * damage then and not one a document. Rejects when the store does not answer.
 */
export async function examineFile(
  parts: MemoryParts,
  { memoryId, live, signal }: Asked,
  note: (damage: Damage) => void,
): Promise<Map<string, number> | null> {
  const about = (kind: Damage['kind'], detail: string) => note({ kind, memoryId, documentId: null, detail })
  const expected = [...live.values()].reduce((sum, row) => sum + row.chunk_count, 0)
  const inspected = await tryTwice(parts, () => parts.memoryFile.inspect(memoryId))
  if ('failure' in inspected) {
    about('broken_memory_file', describe(inspected.failure))
    return null
  }
  if (inspected.value === null) {
    if (expected > 0) about('missing_memory_file', pluralize(expected, 'chunk'))
    return expected > 0 ? null : new Map()
  }
  if (!inspected.value.areIndexesReadable) {
    about('broken_index', 'not readable')
    // Opened with it, nothing can be read; what else there is shows once it is mended.
    return null
  }
  // Between a table and its index nothing is acknowledged.
  if (!inspected.value.hasTermsIndex && expected > 0) about('missing_index', pluralize(expected, 'chunk'))
  let sample: ChunkRow | null = null
  const memoryFile = {
    async *scan(id: string) {
      for await (const batch of parts.memoryFile.scan(id)) {
        signal?.throwIfAborted()
        sample ??= batch[0] ?? null
        yield batch
      }
    },
  }
  const read = await tryTwice(parts, async () => {
    const found: Damage[] = []
    const counts = await examineContents({ ...parts, memoryFile }, memoryId, live, (damage) => void found.push(damage))
    return { counts, found }
  })
  signal?.throwIfAborted()
  if ('failure' in read) {
    about('broken_memory_file', describe(read.failure))
    return null
  }
  const searched = sample === null ? { value: null } : await tryTwice(parts, () => searchFor(parts, memoryId, sample))
  if ('failure' in searched) about('broken_index', describe(searched.failure))
  for (const damage of read.value.found) note(damage)
  return read.value.counts
}

/** Asks every index once, by a chunk that is there. */
async function searchFor({ memoryFile }: MemoryParts, memoryId: string, sample: ChunkRow | null): Promise<void> {
  if (sample === null) return
  await memoryFile.searchLexical(memoryId, sample.terms.split(' ').slice(0, 1), 1)
  if (sample.vector.every(Number.isFinite)) await memoryFile.searchVector(memoryId, sample.vector, 1)
}

/** Rejects where the store is down, for then nothing can be said of the file. */
async function tryTwice<Value>({ blobs }: MemoryParts, work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work() }
  } catch {
    await blobs.probe()
  }
  try {
    return { value: await work() }
  } catch (failure) {
    await blobs.probe()
    return { failure }
  }
}

/** The first line of the reason, for whoever runs the service. */
function describe(failure: unknown): string {
  const { message, cause } = failure as Error
  return (cause instanceof Error ? cause.message : message).split('\n')[0]?.slice(0, 300) ?? ''
}
