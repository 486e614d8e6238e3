import type { Kysely } from 'kysely'
import type { Analyzer } from '../engine/analysis/analyzer.ts'
import { detectLanguage } from '../engine/analysis/detect-language.ts'
import { DEFAULT_LANGUAGE } from '../engine/analysis/languages.ts'
import { makeSnippet } from '../engine/highlighting/snippet.ts'
import type { Embedder } from '../providers/embedder.ts'
import { listLanguages } from '../store/languages.ts'
import type { Tables } from '../store/schema.ts'
import type { AnswerWriter, Source, WrittenAnswer } from './ask/answer-writer.ts'
import { type FoundPassage, findInContent } from './ask/find-in-content.ts'
import type { AskAnswer, AskOnceAnswer, AskSource, HitResource } from './resources.ts'
import type { AskService, SearchService } from './services.ts'

/** What the service of questions is made of. */
export type AskParts = {
  db: Kysely<Tables>
  search: Pick<SearchService, 'find'>
  analyzer: Analyzer
  embedder: Embedder
  /** What words the answers: a language model where one is configured, quotes where none is. */
  writer: AnswerWriter
}

/** What an answer says that is none. */
const NOTHING_FOUND = 'Nothing was found that answers this question.'
const NO_FILTER = { tags: [], documentIds: [], metadata: {} } as const

/** Answers questions: retrieves, has the answer worded, and says where each part of it stands. */
export function createAskService(parts: AskParts): AskService {
  return {
    async ask(caller, memoryId, request, signal) {
      const clock = createClock()
      const { question, maxContextChunks: limit } = request
      const find = { query: question, mode: 'hybrid', limit, highlight: false, filter: NO_FILTER } as const
      const [{ hits, warnings }, languages] = await Promise.all([
        parts.search.find(caller, memoryId, find),
        listLanguages(parts.db, memoryId),
      ])
      clock.retrieved()
      const sources = hits.map(sourceOfHit)
      const known = languages.length > 0 ? languages : [DEFAULT_LANGUAGE]
      const written = await parts.writer.write({ question, languages: known, sources, signal })
      return {
        ...describeAnswer(request, written, hits.length, clock),
        citations: written.citations.flatMap((citation) => citeHit(citation, hits)),
        sources: request.includeSources ? hits.map(describeHit) : [],
        warnings: [...warnings, ...written.warnings],
      } satisfies AskAnswer
    },

    async askOnce({ question, content, includeSources, ...request }, signal) {
      const clock = createClock()
      const language = detectLanguage(content) ?? detectLanguage(question) ?? DEFAULT_LANGUAGE
      const wanted = { question, content, language, limit: request.maxContextChunks }
      const passages = await findInContent(parts, wanted, signal)
      clock.retrieved()
      const sources = passages.map(sourceOfPassage)
      const written = await parts.writer.write({ question, languages: [language], sources, signal })
      return {
        ...describeAnswer({ question, model: request.model }, written, passages.length, clock),
        citations: written.citations.flatMap((citation) => citePassage(citation, passages)),
        sources: includeSources ? describePassages(parts.analyzer, { question, language, passages }) : [],
        warnings: written.warnings,
      } satisfies AskOnceAnswer
    },
  }
}

type Clock = { retrieved(): void; read(): AskAnswer['stats'] }

function createClock(): Clock {
  const started = performance.now()
  let retrieved = started
  return {
    retrieved: () => {
      retrieved = performance.now()
    },
    read: () => {
      const ended = performance.now()
      return {
        retrievalMs: Math.round(retrieved - started),
        generationMs: Math.round(ended - retrieved),
        totalMs: Math.round(ended - started),
      }
    },
  }
}

function describeAnswer(
  { question, model }: { question: string; model: string },
  { answer, answered, model: used, usage, grounding }: WrittenAnswer,
  retrieved: number,
  clock: Clock,
) {
  const totalTokens = usage.promptTokens + usage.completionTokens
  return {
    question,
    answer: answered ? answer : NOTHING_FOUND,
    model: used,
    requestedModel: model,
    answered,
    usage: { retrieved, ...usage, totalTokens },
    stats: clock.read(),
    grounding,
  }
}

function sourceOfHit(hit: HitResource): Source {
  const { kind, text, section, header, score, scores } = hit
  // A title that is nothing but the file's name says little.
  const title = hit.filename?.startsWith(hit.title) ? null : hit.title
  return { kind, text, title, section, header, score, semantic: scores.semantic }
}

function sourceOfPassage({ text, section, header, score, semantic }: FoundPassage): Source {
  return { kind: 'document', text, title: null, section, header, score, semantic }
}

type Citation = WrittenAnswer['citations'][number]

function citeHit({ index, start, end, answerStart, answerEnd }: Citation, hits: readonly HitResource[]) {
  const hit = hits[index - 1]
  if (hit === undefined) return []
  const { documentId, chunkId, title, page, startOffset } = hit
  const place = { startOffset: startOffset + start, endOffset: startOffset + end, answerStart, answerEnd }
  return [{ index, documentId, chunkId, title, page, ...place }]
}

function citePassage({ index, start, end, answerStart, answerEnd }: Citation, passages: readonly FoundPassage[]) {
  const passage = passages[index - 1]
  if (passage === undefined) return []
  const { startOffset } = passage
  return [{ index, startOffset: startOffset + start, endOffset: startOffset + end, answerStart, answerEnd }]
}

function describeHit(hit: HitResource): AskSource {
  const { rank: index, documentId, chunkId, title, filename, page, snippet, text, startOffset, endOffset } = hit
  const place = { startOffset, endOffset, score: hit.score, kind: hit.kind }
  return { index, documentId, chunkId, title, filename, page, snippet, text, ...place }
}

function describePassages(
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
