import type { AskAnswer } from '../../src/api/ask.ts'
import { addInBatches, makeMemory } from '../load.ts'
import { startService } from '../service.ts'
import type { TextDocument } from '../texts.ts'

/** Asks memories by name over HTTP, without a model. */
export type Asker = {
  ask(memory: string, question: string): Promise<AskAnswer>
  /** Chunks of a memory. */
  chunks(memory: string): number
  close(): Promise<void>
}

/** Starts a service and fills a memory with each group of documents. */
export async function openAsker(
  dataDir: string,
  groups: ReadonlyMap<string, readonly Pick<TextDocument, 'title' | 'text'>[]>,
): Promise<Asker> {
  const service = await startService(dataDir)
  const filled = new Map<string, { id: string; chunks: number }>()
  for (const [name, documents] of groups) {
    const id = await makeMemory(service, name)
    filled.set(name, { id, chunks: (await addInBatches(service, id, documents as TextDocument[])).chunks })
  }
  return {
    ask: async (memory, question) => {
      const path = `/v1/memories/${filled.get(memory)?.id}/ask`
      return (await service.send('POST', path, { question })) as AskAnswer
    },
    chunks: (memory) => filled.get(memory)?.chunks ?? 0,
    close: () => service.stop(),
  }
}
