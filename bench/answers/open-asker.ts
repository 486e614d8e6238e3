import { join } from 'node:path'
import { dataFolder } from '../../src/data-folder.ts'
import { createAnalyzer } from '../../src/engine/analysis/analyzer.ts'
import { createLog } from '../../src/log.ts'
import { createLanceMemoryFile } from '../../src/memory-file/lance-memory-file.ts'
import { createEmbedders } from '../../src/providers/embedders.ts'
import { createStaticEmbedder } from '../../src/providers/static-embedder.ts'
import { createExtractiveWriter } from '../../src/service/ask/extractive-writer.ts'
import { createAskService } from '../../src/service/ask-service.ts'
import { bootstrap } from '../../src/service/bootstrap.ts'
import type { AskAnswer } from '../../src/service/resources.ts'
import { createSearchService } from '../../src/service/search-service.ts'
import { openSqlite } from '../../src/store/open-sqlite.ts'
import { addInBatches, makeMemory } from '../load.ts'
import { startService } from '../service.ts'
import type { TextDocument } from '../texts.ts'

const EMBEDDER = join(import.meta.dirname, '..', '..', 'embedder')

/** Asks memories by name, without a model, through the service's own search. */
export type Asker = {
  ask(memory: string, question: string): Promise<AskAnswer>
  /** Chunks of a memory. */
  chunks(memory: string): number
  close(): Promise<void>
}

/** Fills a memory with each group of documents through a running service, and asks them once it has stopped. */
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
  await service.stop()
  const folder = dataFolder(dataDir)
  const store = await openSqlite({ path: folder.database })
  const { db } = store
  const { caller } = await bootstrap({ db, now: () => new Date(), plan: 'unlimited', bootstrapKey: null })
  const embedder = await createStaticEmbedder({ directory: EMBEDDER })
  const log = createLog({ level: 'silent', secrets: [], pretty: false })
  const memoryFile = await createLanceMemoryFile({ directory: folder.memoryFiles, log })
  const parts = { db, memoryFile, embedder, embedders: createEmbedders(embedder), analyzer: createAnalyzer(), log }
  const search = createSearchService({ ...parts, rerank: true })
  const asking = createAskService({ ...parts, search, writer: createExtractiveWriter(parts) })
  const { signal } = new AbortController()
  return {
    ask: (memory, question) => {
      const request = { question, model: '', maxContextChunks: 10, includeSources: false }
      return asking.ask(caller, filled.get(memory)?.id ?? '', request, signal)
    },
    chunks: (memory) => filled.get(memory)?.chunks ?? 0,
    async close() {
      await memoryFile.close()
      await store.close()
    },
  }
}
