import { join } from 'node:path'
import { runSync } from '../../src/concurrency/event-loop-yield.ts'
import { createAnalyzer } from '../../src/engine/analysis/analyzer.ts'
import { detectLanguage } from '../../src/engine/analysis/detect-language.ts'
import {
  type AskedQuestion,
  answerExtractively,
  type ExtractiveAnswer,
  MIN_CONFIDENCE,
} from '../../src/engine/answering/answer-extractively.ts'
import type { Passage } from '../../src/engine/answering/passage.ts'
import { splitSentences } from '../../src/engine/answering/split-sentences.ts'
import { findCodeOfPassage } from '../../src/engine/markup.ts'
import { dotProduct } from '../../src/engine/vectors.ts'
import { createStaticModel, EMBEDDING_THREADS } from '../../src/models/local/static-model.ts'
import { readStaticTable } from '../../src/models/local/static-table.ts'

const analyzer = createAnalyzer()
const model = createStaticModel(
  await readStaticTable(join(import.meta.dirname, '..', '..', 'embedder')),
  EMBEDDING_THREADS.eventLoop,
)

/**
 * A passage of a document without title and headings, unless `more` says otherwise. `ask` and
 * `quote` add the vectors of its sentences.
 */
export function passage(text: string, more: Partial<Passage> = {}): Passage {
  return {
    kind: 'document',
    text,
    startOffset: 0,
    title: null,
    section: null,
    language: detectLanguage(text),
    score: 1,
    sentences: splitSentences(text),
    code: findCodeOfPassage(text),
    vectors: null,
    semantic: null,
    ...more,
  }
}

/** The answer from these passages. */
export function answerAtOnce(question: AskedQuestion, passages: readonly Passage[]): ExtractiveAnswer {
  return runSync(answerExtractively(analyzer, question, passages))
}

/**
 * Asks in these languages (ISO 639-1, English by default) with the embedder of the service, and
 * returns the words of the answer's sentences.
 */
export function ask(text: string, passages: readonly Passage[], ...languages: string[]) {
  return askWith(MIN_CONFIDENCE, { text, passages, languages })
}

/** The words that an answer would quote, however uncertain it is. */
export function quote(text: string, passages: readonly Passage[], ...languages: string[]) {
  return askWith(0, { text, passages, languages })
}

type Asked = { text: string; passages: readonly Passage[]; languages: readonly string[] }

function askWith(minConfidence: number, { text, passages, languages }: Asked) {
  const spoken = languages.length > 0 ? languages : ['en']
  const vector = model.embed(text, 'query')
  const embed = (words: string) => model.embed(words, 'passage')
  const similarityOf = (one: string, other: string) => dotProduct(embed(one), embed(other))
  const known = passages.map((own) => ({
    ...own,
    vectors: own.sentences.map(({ start, end }) => embed(own.text.slice(start, end))),
    semantic: own.semantic ?? dotProduct(vector, embed(own.text)),
  }))
  const knowsSynonyms = spoken.every((language) => language === 'en')
  const answer = answerAtOnce({ text, languages: spoken, vector, similarityOf, knowsSynonyms, minConfidence }, known)
  return { ...answer, quotes: quotesOf(answer, passages) }
}

function quotesOf({ sentences }: ExtractiveAnswer, passages: readonly Passage[]): string[] {
  return sentences.map(({ passage: index, start, end }) => passages[index]?.text.slice(start, end) ?? '')
}
