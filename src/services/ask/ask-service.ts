import type { Kysely } from 'kysely'
import type { AskAnswer, AskOnceAnswer, AskSource } from '../../api/ask.ts'
import type { HitResource } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { readQuestionLanguage } from '../../engine/analysis/question-language.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { remarksIn } from '../../engine/languages/remarks.ts'
import { makeSnippet } from '../../engine/snippet.ts'
import { ASK } from '../../limits.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Caller } from '../caller.ts'
import { getOwnTitle } from '../documents/document-resource.ts'
import type { DocumentFilter } from '../filters/read-filter.ts'
import type { DetectLanguage } from '../ingest/indexing/language-detector.ts'
import { takeFitting } from '../paging.ts'
import { findAcross } from '../search/find-across.ts'
import { locatePages, type PageLocator } from '../search/locate-pages.ts'
import type { SearchedMemory, SearchService } from '../search/search.ts'
import type {
  AnswerGenerator,
  AnswerRequest,
  EarlierMessage,
  GeneratedAnswer,
  GeneratedCitation,
  Source,
} from './answer-generator.ts'
import { INCOMPLETE_QUESTION } from './extractive-generator.ts'
import { type FoundPassage, findInContent } from './find-in-content.ts'

/** Dependencies of the ask service. */
type AskDeps = {
  db: Kysely<Tables>
  search: Pick<SearchService, 'find'>
  analyzer: Analyzer
  embedder: Embedder
  detectLanguage: DetectLanguage
  /** Generates answers with the configured language model, or with quotes by default. */
  writer: AnswerGenerator
}

/** Answers questions: retrieves passages, generates the answer, and locates its citations. */
export function createAskService(deps: AskDeps): AskService {
  const { writer } = deps
  return {
    async ask(searched, request, signal) {
      const prepared = await prepareInConversation(deps, { searched, request, signal })
      return prepared.describe(prepared.written ?? (await writer.generate(prepared.request)))
    },

    async streamAsk(searched, request, signal) {
      return streamAnswer(writer, await prepareInConversation(deps, { searched, request, signal }))
    },

    async askOnce(_caller, request, signal) {
      const prepared = await prepareContentQuestion(deps, request, signal)
      return prepared.describe(await writer.generate(prepared.request))
    },

    async streamAskOnce(_caller, request, signal) {
      return streamAnswer(writer, await prepareContentQuestion(deps, request, signal))
    },
  }
}

/**
 * Prepares a question with the messages before. Of several complete questions, prepares the first
 * with an answer, or else the first one.
 */
async function prepareInConversation(deps: AskDeps, asked: MemoryQuestion): Promise<QuestionInConversation> {
  const { searched, request, signal } = asked
  const { question, earlier = [] } = request
  const clock = startClock()
  const languages = languagesOf(searched)
  const questionLanguage = await detectQuestionLanguage(deps.detectLanguage, { question, languages })
  const prepare = (rewritten: string, rewriting = NO_USAGE) =>
    prepareMemoryQuestion(deps, { ...asked, languages, questionLanguage, rewritten, rewriting, clock })
  if (earlier.length === 0) return prepare(question)
  const conversation = { question, earlier, language: questionLanguage, signal }
  const { questions, usage } = await deps.writer.complete(conversation)
  let first: QuestionInConversation | null = null
  for (const rewritten of questions) {
    const prepared = await prepare(rewritten, usage)
    if (questions.length === 1) return prepared
    const written = await deps.writer.generate(prepared.request)
    if (written.answered) return { ...prepared, written }
    first ??= { ...prepared, written }
  }
  return first ?? prepare(question)
}

/** A prepared question; `written` is the answer if it was needed to choose the question. */
type QuestionInConversation = PreparedQuestion<AskAnswer> & { written?: GeneratedAnswer }

function languagesOf(searched: Searched): string[] {
  const memories = 'memory' in searched ? [searched] : searched
  return [...new Set(memories.flatMap((one) => one.languages))]
}

/**
 * Answers questions over a memory or a text. A question without an answer resolves with `answered:
 * false`. All methods reject with `model_failed`; the streams throw it.
 */
export type AskService = {
  /** Answers from a memory. */
  ask(searched: Searched, request: AskRequest, signal: AbortSignal): Promise<AskAnswer>
  /** Streams the answer; resolves after retrieval. Leaving the loop cancels the generation. */
  streamAsk(searched: Searched, request: AskRequest, signal: AbortSignal): Promise<AsyncIterable<AskEvent<AskAnswer>>>
  /** Answers from a text without storing it. */
  askOnce(caller: Caller, request: AskRequest & { content: string }, signal: AbortSignal): Promise<AskOnceAnswer>
  streamAskOnce(
    caller: Caller,
    request: AskRequest & { content: string },
    signal: AbortSignal,
  ): Promise<AsyncIterable<AskEvent<AskOnceAnswer>>>
}

/** A question; `model` is the model that the caller named, or `null`. */
export type AskRequest = {
  question: string
  /** Messages before the question, oldest first. */
  earlier?: readonly EarlierMessage[]
  model: string | null
  maxContextChunks: number
  /** As `AnswerRequest.minConfidence`. */
  minConfidence?: number | undefined
  includeSources: boolean
  /** Documents of the memory to answer from. */
  filter?: DocumentFilter | null
}

/** A chunk of a streamed answer; the final `done` event has the authoritative answer. */
export type AskEvent<Answer extends AskAnswer | AskOnceAnswer> =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: Answer['citations'][number] }
  | { type: 'done'; answer: Answer }

/** Retrieves passages from a text without storing it. */
async function prepareContentQuestion(
  parts: { analyzer: Analyzer; embedder: Embedder; detectLanguage: DetectLanguage },
  {
    question,
    content,
    model,
    maxContextChunks: limit,
    minConfidence,
    includeSources,
  }: AskRequest & { content: string },
  signal: AbortSignal,
): Promise<PreparedQuestion<AskOnceAnswer>> {
  const clock = startClock()
  const { detectLanguage } = parts
  const language = (await detectLanguage(content)) ?? (await detectLanguage(question)) ?? DEFAULT_LANGUAGE
  const questionLanguage = await detectQuestionLanguage(detectLanguage, { question, languages: [language] })
  const passages = await findInContent(parts, { question, content, language, limit }, signal)
  clock.retrieved()
  const cite = (citation: GeneratedCitation) => citePassage(citation, passages)
  const sources = includeSources ? describeSources(parts.analyzer, { question, language, passages }) : []
  return {
    request: {
      ...{ question, questionLanguage, languages: [language], minConfidence, signal },
      sources: passages.map(toContentSource),
    },
    cite,
    describe: (written) => ({
      ...describeAnswer({ question, questionLanguage, model, retrieved: passages.length, clock }, written),
      citations: written.citations.flatMap(cite),
      sources,
      warnings: [...warnOfModel(model, written), ...written.warnings],
    }),
  }
}

function toContentSource({ text, startOffset, section, header, score, semantic }: FoundPassage): Source {
  return { kind: 'document', text, document: '', startOffset, title: null, section, header, score, semantic }
}

function citePassage(
  { index, start, end, answerStart, answerEnd }: GeneratedCitation,
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

/** A memory, or several memories whose citations name their memory. */
type Searched = SearchedMemory | readonly SearchedMemory[]

/** A question about memories. */
type MemoryQuestion = { searched: Searched; request: AskRequest; signal: AbortSignal }

const NO_USAGE: GeneratedAnswer['usage'] = { promptTokens: 0, completionTokens: 0 }

/** A question, rewritten by earlier messages. */
type RewrittenQuestion = MemoryQuestion & {
  rewritten: string
  /** Tokens of the rewriting. */
  rewriting: GeneratedAnswer['usage']
  languages: readonly string[]
  questionLanguage: string
  clock: AnswerTimer
}

/** Retrieves passages from a memory. Rejects with the signal's reason. */
async function prepareMemoryQuestion(
  { db, search }: Pick<AskDeps, 'db' | 'search'>,
  { searched, request, rewritten, rewriting, languages, questionLanguage, clock, signal }: RewrittenQuestion,
): Promise<PreparedQuestion<AskAnswer>> {
  const { question, model, maxContextChunks: limit, minConfidence, filter = null } = request
  const isRewritten = rewritten !== question
  const find = { query: rewritten, mode: 'hybrid', limit, highlight: false, filter, signal } as const
  const memories = 'memory' in searched ? [searched] : searched
  const { hits, warnings } = await ('memory' in searched
    ? search.find(searched, find)
    : findAcross(search.find, searched, find))
  const memoryIds = memories.map(({ memory }) => memory.id)
  const pageOf = await locatePages(db, memoryIds, hits)
  clock.retrieved()
  const cite = (citation: GeneratedCitation) => citeHit(citation, hits, pageOf)
  return {
    request: {
      ...{ question: rewritten, isRewritten, questionLanguage, languages, minConfidence, signal },
      sources: hits.map(toMemorySource),
    },
    cite,
    describe: (written) => ({
      ...describeAnswer(
        { question, questionLanguage, model, retrieved: hits.length, clock },
        { ...written, usage: addUsage(written.usage, rewriting) },
      ),
      ...(isRewritten ? { rewrittenQuestion: rewritten } : {}),
      // A model may emit a citation every three characters.
      citations: takeFitting(written.citations.flatMap(cite)),
      sources: request.includeSources ? hits.map(describeSource) : [],
      warnings: [...warnings, ...warnOfModel(model, written), ...written.warnings],
    }),
  }
}

function toMemorySource(hit: HitResource): Source {
  const { kind, text, correction, createdAt, documentId: document, startOffset, section, header, score, scores } = hit
  return {
    kind,
    text,
    correctedOn: correction?.createdAt.slice(0, 10) ?? null,
    document,
    createdAt,
    startOffset,
    title: getOwnTitle(hit),
    section,
    header,
    score,
    semantic: scores.semantic,
  }
}

function citeHit(
  { index, start, end, answerStart, answerEnd }: GeneratedCitation,
  hits: readonly HitResource[],
  pageOf: PageLocator,
) {
  const hit = hits[index - 1]
  if (hit === undefined) return []
  const { documentId, chunkId, title, correction, startOffset } = hit
  const place = { startOffset: startOffset + start, endOffset: startOffset + end, answerStart, answerEnd }
  return [{ index, documentId, chunkId, title, page: pageOf(hit, start), correction, ...place, ...ownerOf(hit) }]
}

function describeSource(hit: HitResource, place: number): AskSource {
  const { documentId, chunkId, title, filename, page, snippet, text, startOffset, endOffset, score, kind } = hit
  const passage = { snippet, text, startOffset, endOffset, score, kind, correction: hit.correction }
  return { index: place + 1, documentId, chunkId, title, filename, page, ...passage, ...ownerOf(hit) }
}

function ownerOf({ memoryId }: HitResource): { memoryId?: string } {
  return memoryId === undefined ? {} : { memoryId }
}

/** A question with its sources, ready for the answer writer. */
type PreparedQuestion<Answer extends AskAnswer | AskOnceAnswer> = {
  request: AnswerRequest
  /** Converts the answer for the response. */
  describe(written: GeneratedAnswer): Answer
  /** Converts a citation for the response; empty if its source does not exist. */
  cite(citation: GeneratedCitation): Answer['citations']
}

/** Streams tokens and citations, then the final answer. Leaving the loop cancels the generation. */
async function* streamAnswer<Answer extends AskAnswer | AskOnceAnswer>(
  writer: AnswerGenerator,
  { request, describe, cite }: PreparedQuestion<Answer>,
): AsyncGenerator<AskEvent<Answer>> {
  let isTold = false
  for await (const piece of writer.stream(request)) {
    if (piece.type === 'token') {
      isTold = true
      yield piece
    } else if (piece.type === 'citation') {
      for (const citation of cite(piece.citation)) yield { type: 'citation', citation }
    } else {
      const answer = describe(piece.answer)
      if (!isTold) yield { type: 'token', text: answer.answer }
      yield { type: 'done', answer }
    }
  }
}

/** A detector is unreliable for a few words, and known words are not. */
async function detectQuestionLanguage(
  detectLanguage: DetectLanguage,
  { question, languages }: { question: string; languages: readonly string[] },
): Promise<string> {
  const spoken = readQuestionLanguage(question, languages) ?? (await detectLanguage(question))
  return spoken ?? languages[0] ?? DEFAULT_LANGUAGE
}

function addUsage(one: GeneratedAnswer['usage'], other: GeneratedAnswer['usage']): GeneratedAnswer['usage'] {
  const promptTokens = one.promptTokens + other.promptTokens
  return { promptTokens, completionTokens: one.completionTokens + other.completionTokens }
}

/** The configured model answers, whichever was named. */
function warnOfModel(named: string | null, { model: used }: GeneratedAnswer): Warning[] {
  if (named === null || named === used) return []
  return [{ code: 'model_ignored', message: `The model ${used} answered: it is the configured one.`, param: 'model' }]
}

/** Facts about an answer: the question, the number of retrieved passages, and the timing. */
type AnswerFacts = Pick<AskRequest, 'question' | 'model'> & {
  questionLanguage: string
  retrieved: number
  clock: AnswerTimer
}

/** Fields shared by answers from memories and from texts. */
function describeAnswer(
  { question, questionLanguage, model, retrieved, clock }: AnswerFacts,
  { answer, answered, confidence, draft, model: used, usage, grounding, warnings }: GeneratedAnswer,
) {
  const { noAnswer, incompleteQuestion } = remarksIn(questionLanguage)
  const declined = warnings.includes(INCOMPLETE_QUESTION) ? incompleteQuestion : noAnswer
  return {
    question,
    answer: answered ? answer : declined,
    model: used,
    requestedModel: model ?? ASK.model,
    answered,
    confidence,
    ...(draft === undefined ? {} : { draft }),
    usage: { retrieved, ...usage, totalTokens: usage.promptTokens + usage.completionTokens },
    stats: clock.read(),
    grounding,
  }
}

/** Timing of an answer. */
type AnswerTimer = {
  /** Marks the end of retrieval. */
  retrieved(): void
  read(): AskAnswer['stats']
}

function startClock(): AnswerTimer {
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
