import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Analyzer } from '../../src/engine/analysis/analyzer.ts'
import { detectLanguage } from '../../src/engine/analysis/detect-language.ts'
import type { Chunk } from '../../src/engine/chunking/chunk.ts'
import { createChunker } from '../../src/engine/chunking/chunker.ts'
import { rankCandidates } from '../../src/engine/ranking/rank-candidates.ts'
import { scoreBm25 } from '../../src/engine/ranking/scores.ts'
import { dotProduct } from '../../src/engine/vectors.ts'
import type { Passage } from '../../src/extraction/field.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import { READ_DOCUMENT } from '../../src/parsers/child/parse-tasks.ts'
import { parsePlainText } from '../../src/parsers/plain-text.ts'
import { sniff } from '../../src/parsers/sniff.ts'
import { embedChunks } from '../../src/services/ingest/indexing/embed-chunks.ts'

/** A document as a separate memory, kept in RAM. */
export type IndexedFile = {
  language: string
  /** The best passages for a query, best first. */
  retrieve(query: string, limit: number): Promise<Passage[]>
}

/** Reads, chunks and indexes a file with the service's own parts; only the store is left out. */
export async function indexFile(
  { analyzer, embedder }: { analyzer: Analyzer; embedder: Embedder },
  path: string,
): Promise<IndexedFile> {
  const source = { path, bytes: (await stat(path)).size, filename: basename(path), declaredType: null }
  const chunker = createChunker()
  const chunks: Chunk[] = []
  const type = await sniff(source)
  const read = (await READ_DOCUMENT[type.format]?.()) ?? parsePlainText
  for await (const event of read(source, type)) {
    if ('block' in event) chunks.push(...chunker.push(event.block))
  }
  chunks.push(...chunker.flush())
  const language = detectLanguage(chunks.map(({ text }) => text).join('\n')) ?? 'en'
  const context = { documentId: 'doc', kind: 'document' as const, heading: '', language, labels: [], firstIndex: 0 }
  const rows = await embedChunks({ embedder, analyzer }, chunks, context)

  async function rank(query: string): Promise<number[]> {
    const { terms, words, pairs, phrases } = analyzer.queryTerms(query, [language])
    const [vector = new Float32Array()] = await embedder.embed([query], 'query')
    const counts = rows.map((row) => {
      const own = row.terms.split(' ')
      return {
        counts: Uint32Array.from(terms, (term) => own.filter((word) => word === term).length),
        length: own.length,
      }
    })
    const lexical = scoreBm25(counts, terms.length)
    const candidates = rows.map((row, index) => ({
      documentId: row.documentId,
      chunkIndex: row.chunkIndex,
      documentSeq: 0,
      text: row.text,
      titleTerms: [],
      title: 0,
      lexical: lexical[index] ?? 0,
      semantic: dotProduct(row.vector, vector),
      windows: row.windows,
    }))
    const semanticWeight = embedder.fusionWeight(language)
    const languages = [language]
    const asked = { terms, words, pairs, phrases, languages, vector, semanticWeight }
    return rankCandidates(candidates, { ...asked, mode: 'hybrid', rerank: true }).map(({ index }) => index)
  }

  return {
    language,
    async retrieve(query, limit) {
      return (await rank(query)).slice(0, limit).flatMap((index) => {
        const chunk = chunks[index]
        if (chunk === undefined) return []
        const { text, section, header } = chunk
        return [{ text, section, header, title: null, isFirst: index === 0, isCorrection: false }]
      })
    },
  }
}
