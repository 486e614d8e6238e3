import { runSync } from '../../src/concurrency/event-loop-yield.ts'
import { createAnalyzer } from '../../src/engine/analysis/analyzer.ts'
import { detectLanguage } from '../../src/engine/analysis/detect-language.ts'
import {
  type AskedQuestion,
  answerExtractively,
  type ExtractiveAnswer,
} from '../../src/engine/answering/answer-extractively.ts'
import type { Passage } from '../../src/engine/answering/passage.ts'
import { splitSentences } from '../../src/engine/answering/split-sentences.ts'
import { findCodeOfPassage } from '../../src/engine/markup.ts'

const analyzer = createAnalyzer()

/**
 * A passage of a document without title and headings, of which an embedder knows nothing, unless
 * `more` says otherwise.
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
 * Asks in these languages (ISO 639-1, English by default) and returns the words of the answer's
 * sentences.
 */
export function ask(text: string, passages: readonly Passage[], ...languages: string[]) {
  const answer = answerAtOnce({ text, languages: languages.length > 0 ? languages : ['en'], vector: null }, passages)
  return { ...answer, quotes: quotesOf(answer, passages) }
}

function quotesOf({ sentences }: ExtractiveAnswer, passages: readonly Passage[]): string[] {
  return sentences.map(({ passage: index, start, end }) => passages[index]?.text.slice(start, end) ?? '')
}
