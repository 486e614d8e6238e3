import { basename, join } from 'node:path'
import { createAnalyzer } from '../../../src/engine/analysis/analyzer.ts'
import { detectLanguage } from '../../../src/engine/analysis/detect-language.ts'
import type { Chunk } from '../../../src/engine/chunking/chunk.ts'
import { createChunker } from '../../../src/engine/chunking/chunker.ts'
import { createStaticEmbedder } from '../../../src/models/local/static-model.ts'
import { textDocumentBlocks } from '../../../src/parsers/plain-text.ts'
import { describeMachine } from '../../machine.ts'
import { print, table } from '../../report.ts'
import { judgeRanking } from '../judge-ranking.ts'
import { cutFixed } from './cut-fixed.ts'
import { indexChunks } from './index-chunks.ts'
import { CHARACTERS, HITS, judgePassages, type PassageJudgement } from './judge-passages.ts'
import { readJoinedSet, readOwnSet, type WholeDocument, type WholeSet } from './read-whole-documents.ts'

type Cut = { name: string; cut: (text: string) => readonly Chunk[] }

const SIZES = [500, 1000, 2000] as const
/** The usual share of overlapping windows. */
const OVERLAP_SHARE = 0.2
const CUTS: readonly Cut[] = [
  { name: 'by structure', cut: cutByStructure },
  ...SIZES.flatMap((characters) => [
    { name: `windows of ${characters}`, cut: (text: string) => cutFixed(text, { characters, overlap: 0 }) },
    {
      name: `windows of ${characters}, overlapping`,
      cut: (text: string) => cutFixed(text, { characters, overlap: characters * OVERLAP_SHARE }),
    },
  ]),
]
/** The difference between equally good cuts: ten questions of a thousand. */
const NOISE = 0.01
/** Enough passages for 5,000 characters at every size. */
const PASSAGES = 20

/**
 * `[folder of judged sets …]`: compares structural chunking with windows of one size by the answers
 * found first in whole documents; all else is equal. The pages of this project are always among the
 * sets. False when windows of any size find clearly more answers within 5,000 characters.
 */
export async function runChunkingBench(folders: string[]): Promise<boolean> {
  print(describeMachine())
  const sets = [readOwnSet(), ...folders.map((folder) => readJoinedSet(folder, basename(folder)))]
  let isGood = true
  for (const set of sets) {
    const rows: Row[] = []
    for (const cut of CUTS) rows.push(await measure(set, cut))
    printRows(set, rows)
    const [own, ...others] = rows.map(({ withinCharacters }) => withinCharacters.at(-1) ?? 0)
    isGood &&= others.every((other) => other <= (own ?? 0) + NOISE)
  }
  return isGood
}

function cutByStructure(text: string): Chunk[] {
  const chunker = createChunker()
  const chunks = [...textDocumentBlocks(text)].flatMap((block) => chunker.push(block))
  return [...chunks, ...chunker.flush()]
}

type Row = {
  name: string
  chunks: number
  characters: number
  withinHits: number[]
  withinCharacters: number[]
  ndcg: number
}

async function measure({ documents, questions }: WholeSet, { name, cut }: Cut): Promise<Row> {
  const embedder = await createStaticEmbedder({ directory: join(import.meta.dirname, '../../../embedder') })
  const cuts = documents.map(({ id, title, text }) => ({ id, title, chunks: cut(text) }))
  const index = await indexChunks({ analyzer: createAnalyzer(), embedder }, cuts, languageOf(documents))
  const judged: (PassageJudgement & { ndcg: number })[] = []
  for (const { query, ...answer } of questions) {
    const ranking = await index.find(query, PASSAGES)
    const { ndcg } = judgeRanking(
      ranking.map(({ document }) => document),
      new Map([[answer.document, 1]]),
    )
    judged.push({ ...judgePassages(ranking, answer), ndcg })
  }
  const share = (isFound: (each: PassageJudgement & { ndcg: number }) => number | boolean) =>
    judged.reduce((sum, each) => sum + Number(isFound(each)), 0) / Math.max(1, judged.length)
  const chunks = cuts.flatMap((each) => each.chunks)
  return {
    name,
    chunks: chunks.length,
    characters: chunks.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, chunks.length),
    withinHits: HITS.map((count) => share((each) => each.withinHits[count] ?? false)),
    withinCharacters: CHARACTERS.map((count) => share((each) => each.withinCharacters[count] ?? false)),
    ndcg: share((each) => each.ndcg),
  }
}

function languageOf(documents: readonly WholeDocument[]): string {
  return detectLanguage(documents.map(({ text }) => text.slice(0, 2000)).join('\n')) ?? 'en'
}

function printRows({ name, documents, questions, lost }: WholeSet, rows: readonly Row[]): void {
  const title = `${name}: ${documents.length} documents, ${questions.length} questions${lost > 0 ? `, ${lost} lost` : ''}`
  const heads = [...HITS.map((count) => `first ${count}`), ...CHARACTERS.map((count) => `${count} characters`)]
  const cells = rows.map((row) => [
    row.name,
    String(row.chunks),
    row.characters.toFixed(0),
    ...[...row.withinHits, ...row.withinCharacters].map((share) => `${(100 * share).toFixed(1)} %`),
    row.ndcg.toFixed(3),
  ])
  print(table(title, ['cut', 'chunks', 'characters', ...heads, 'nDCG@10 of documents'], cells))
}
