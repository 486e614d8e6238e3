import type { AskOnceAnswer } from '../../api/ask.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/analysis/languages.ts'
import { makeSnippet } from '../../engine/snippet.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { DetectLanguage } from '../language/language-detector.ts'
import type { Source, WrittenCitation } from './answer-writer.ts'
import type { AskRequest } from './ask.ts'
import { describeAnswer, startClock } from './describe-answer.ts'
import { type FoundPassage, findInContent } from './find-in-content.ts'
import type { PreparedQuestion } from './prepared-question.ts'

/** Retrieves for a question over a text, of which nothing is kept. */
export async function prepareContentQuestion(
  parts: { analyzer: Analyzer; embedder: Embedder; detectLanguage: DetectLanguage },
  { question, content, model, maxContextChunks: limit, includeSources }: AskRequest & { content: string },
  signal: AbortSignal,
): Promise<PreparedQuestion<AskOnceAnswer>> {
  const clock = startClock()
  const { detectLanguage } = parts
  const language = (await detectLanguage(content)) ?? (await detectLanguage(question)) ?? DEFAULT_LANGUAGE
  const passages = await findInContent(parts, { question, content, language, limit }, signal)
  clock.retrieved()
  const cite = (citation: WrittenCitation) => citePassage(citation, passages)
  const sources = includeSources ? describeSources(parts.analyzer, { question, language, passages }) : []
  return {
    request: { question, languages: [language], sources: passages.map(toSource), signal },
    cite,
    describe: (written) => ({
      ...describeAnswer({ question, model, retrieved: passages.length, clock }, written),
      citations: written.citations.flatMap(cite),
      sources,
      warnings: written.warnings,
    }),
  }
}

function toSource({ text, startOffset, section, header, score, semantic }: FoundPassage): Source {
  return { kind: 'document', text, document: '', startOffset, title: null, section, header, score, semantic }
}

function citePassage(
  { index, start, end, answerStart, answerEnd }: WrittenCitation,
  passages: readonly FoundPassage[],
) {
  const passage = passages[index - 1]
  if (passage === undefined) return []
  const { startOffset } = passage
  return [{ index, startOffset: startOffset + start, endOffset: startOffset + end, answerStart, answerEnd }]
}

function describeSources(
  analyzer: Analyzer,
  { question, language, passages }: { question: string; language: string; passages: readonly FoundPassage[] },
): AskOnceAnswer['sources'] {
  const languages = [language]
  const { terms } = analyzer.queryTerms(question, languages)
  return passages.map(({ text, startOffset, endOffset, score }, place) => {
    const snippet = makeSnippet(analyzer, { text, terms, languages, highlight: false })
    return { index: place + 1, snippet, text, startOffset, endOffset, score }
  })
}
