import { randomBytes } from 'node:crypto'
import type { Warning } from '../../api/values.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { PlacedCitation } from '../../engine/citing/resolve-citations.ts'
import { supportSettledCitations } from '../../engine/citing/support-citations.ts'
import { invalid } from '../../errors.ts'
import { QUERY_CHARACTERS } from '../../limits.ts'
import type { ChatAnswer, ChatModel, ChatRequest, ChatUsage } from '../../models/chat-model.ts'
import { estimatePromptTokens, estimateTokens } from '../../models/endpoints/estimate-tokens.ts'
import { isLongerThan } from '../../text/characters.ts'
import type { DetectLanguage } from '../ingest/indexing/language-detector.ts'
import { renderPassage } from '../render-passage.ts'
import type {
  AnswerChunk,
  AnswerGenerator,
  AnswerRequest,
  CompletedQuestion,
  Conversation,
  EarlierMessage,
  GeneratedAnswer,
  GeneratedCitation,
  Source,
} from './answer-generator.ts'
import { buildAnswerPrompt, buildRewritingPrompt, renderSource } from './answer-prompt.ts'
import { createCitationStreamBuffer, emptyAnswer, type ParsedAnswer, parseModelAnswer } from './citation-stream.ts'

/** Token limits of the answer: a few paragraphs, and at most a quarter of a small context. */
const MAX_ANSWER_TOKENS = 1500
const MAX_ANSWER_SHARE = 0.25
/** Minimum room for sources, in tokens. */
const MIN_SOURCE_TOKENS = 200
/** Possible end of a sentence: only then a citation can be resolved. */
const SENTENCE_END = /[.!?…。！？\n]/u

/** Dependencies of the model writer. */
type ModelGeneratorDeps = { chat: ChatModel; analyzer: Analyzer; detectLanguage: DetectLanguage }

/**
 * Creates a writer that generates answers with a language model and checks the citations; see
 * {@link parseModelAnswer}. Without sources, the model is not called. A failing model is
 * `model_failed`, without a silent fallback. Rejects with `validation_failed` if the question
 * leaves no room for sources.
 */
export function createModelGenerator(deps: ModelGeneratorDeps): AnswerGenerator {
  const { chat } = deps
  return {
    complete: (conversation) => completeQuestion(chat, conversation),

    async generate(request) {
      const asked = preparePrompt(chat, request)
      if (asked === null) return toGeneratedAnswer(chat, emptyAnswer([]))
      return await finalizeAnswer(deps, asked, await chat.generate(asked.chatRequest))
    },

    async *stream(request): AsyncGenerator<AnswerChunk> {
      const asked = preparePrompt(chat, request)
      if (asked === null) return yield { type: 'answer', answer: toGeneratedAnswer(chat, emptyAnswer([])) }
      const told = createCitationStreamBuffer(asked.sources)
      let cited = 0
      let text = ''
      for await (const part of chat.stream(asked.chatRequest)) {
        if (part.type === 'end') {
          const answer = await finalizeAnswer(deps, asked, { ...part, text })
          yield* toTokenChunks(told.end(answer.draft ?? answer.answer))
          yield* answer.citations.slice(cited).map(toCitationChunk)
          return yield { type: 'answer', answer }
        }
        text += part.text
        const news = told.push(text)
        yield* toTokenChunks(news)
        if (!SENTENCE_END.test(news)) continue
        const settled = resolveNewCitations(deps, asked, { ...told.read(), known: cited })
        cited += settled.length
        yield* settled.map(toCitationChunk)
      }
    },
  }
}

/** Tokens of a rewritten question, thinking included. */
const MAX_QUESTION_TOKENS = 500
/** Share of the context for the messages before the question. */
const MAX_HISTORY_SHARE = 0.25

/** Rewrites a question by the latest messages. Without messages, the model is not called. */
async function completeQuestion(
  chat: ChatModel,
  { question, earlier, signal }: Conversation,
): Promise<CompletedQuestion> {
  const latest: EarlierMessage[] = []
  let room = Math.floor(chat.contextTokens * MAX_HISTORY_SHARE)
  for (const message of earlier.toReversed()) {
    room -= estimateTokens(message.text)
    if (room < 0) break
    latest.unshift(message)
  }
  if (latest.length === 0) return { questions: [question], usage: toUsage() }
  const messages = buildRewritingPrompt(question, latest)
  const { text, usage } = await chat.generate({ messages, maxOutputTokens: MAX_QUESTION_TOKENS, signal })
  const rewritten = text.trim().replace(/\s+/g, ' ')
  return { questions: [isLongerThan(rewritten, QUERY_CHARACTERS) ? question : rewritten], usage: toUsage(usage) }
}

/** Request to the model, with the sources in the prompt. */
type PreparedPrompt = {
  question: string
  chatRequest: ChatRequest
  sources: string[]
  /** Sources with titles and headings. */
  contexts: string[]
  languages: readonly string[]
  warnings: Warning[]
}

/** `null` without sources. */
function preparePrompt(
  chat: ChatModel,
  { question, languages, sources: given, signal }: AnswerRequest,
): PreparedPrompt | null {
  if (given.length === 0) return null
  const tag = randomBytes(6).toString('hex')
  const maxOutputTokens = Math.min(MAX_ANSWER_TOKENS, Math.floor(chat.contextTokens * MAX_ANSWER_SHARE))
  const beside = estimatePromptTokens(buildAnswerPrompt({ question, sources: [], tag }))
  const maxTokens = chat.contextTokens - maxOutputTokens - beside
  if (maxTokens < MIN_SOURCE_TOKENS) throw invalid('question', `is too long for the context of ${chat.name}`)
  const { sources, order } = packSources(given, { maxTokens, tag })
  const numbered = order.flatMap((number) => {
    const source = sources[number - 1]
    return source === undefined ? [] : [{ number, source }]
  })
  const messages = buildAnswerPrompt({ question, sources: numbered, tag })
  return {
    chatRequest: { messages, maxOutputTokens, signal },
    question,
    sources: sources.map(({ text }) => text),
    contexts: sources.map((source) => `${renderPassage(source)}\n${source.correctedOn ?? ''}`),
    languages,
    warnings: sources.length < given.length ? [contextFull(sources.length, given.length)] : [],
  }
}

async function finalizeAnswer(
  { chat, ...parts }: ModelGeneratorDeps,
  { warnings, ...prompt }: PreparedPrompt,
  { text, usage, isCut }: ChatAnswer,
): Promise<GeneratedAnswer> {
  const read = await parseModelAnswer(parts, { ...prompt, text })
  const notes = [...(isCut ? [ANSWER_CUT] : []), ...(usage.isEstimated ? [USAGE_ESTIMATED] : [])]
  return toGeneratedAnswer(chat, { ...read, warnings: [...warnings, ...read.warnings, ...notes] }, usage)
}

function toGeneratedAnswer(chat: ChatModel, read: ParsedAnswer, usage?: ChatUsage): GeneratedAnswer {
  return { ...read, confidence: null, model: chat.name, usage: toUsage(usage) }
}

function toUsage({ inputTokens = 0, outputTokens = 0 }: Partial<ChatUsage> = {}): GeneratedAnswer['usage'] {
  return { promptTokens: inputTokens, completionTokens: outputTokens }
}

function resolveNewCitations(
  { analyzer }: ModelGeneratorDeps,
  { sources, languages }: PreparedPrompt,
  { answer, citations, known }: { answer: string; citations: readonly PlacedCitation[]; known: number },
): GeneratedCitation[] {
  return supportSettledCitations(analyzer, { answer, citations, sources, languages }, known)
}

function toTokenChunks(text: string): AnswerChunk[] {
  return text === '' ? [] : [{ type: 'token', text }]
}

function toCitationChunk(citation: GeneratedCitation): AnswerChunk {
  return { type: 'citation', citation }
}

const ANSWER_CUT: Warning = {
  code: 'answer_cut',
  message: 'The model stopped before the answer was complete.',
  param: null,
}
const USAGE_ESTIMATED: Warning = {
  code: 'usage_estimated',
  message: 'The model did not report token usage. The usage is estimated from the length of the texts.',
  param: null,
}

function contextFull(fitting: number, given: number): Warning {
  const message = `Only the best ${fitting} of ${given} passages fit into the model's context.`
  return { code: 'context_full', message, param: 'options.maxContextChunks' }
}

/** Sources that fit the context, and their reading order. */
type PackedSources = {
  /** Best first; a first source that is too long is truncated. */
  sources: Source[]
  /** Source numbers: corrections, then document by document (best first), in text order. */
  order: number[]
}

/** Takes sources, best first, up to a number of tokens. */
export function packSources(
  candidates: readonly Source[],
  { maxTokens, tag }: { maxTokens: number; tag: string },
): PackedSources {
  const sources: Source[] = []
  let left = maxTokens
  for (const [index, source] of candidates.entries()) {
    const tokens = estimateTokens(renderSource(index + 1, source, tag))
    if (tokens > left && index > 0) break
    sources.push(tokens > left ? truncateSource(source, left / tokens) : source)
    left -= tokens
  }
  return { sources, order: listReadingOrder(sources) }
}

/** Truncates without splitting a surrogate pair. */
function truncateSource(source: Source, share: number): Source {
  const text = source.text.slice(0, Math.max(1, Math.floor(source.text.length * share)))
  return { ...source, text: text.isWellFormed() ? text : text.slice(0, -1) }
}

function listReadingOrder(sources: readonly Source[]): number[] {
  const ranks = new Map<string, number>()
  for (const [rank, { document }] of sources.entries()) if (!ranks.has(document)) ranks.set(document, rank)
  const placed = sources.map(({ kind, document, startOffset }, index) => {
    const rank = kind === 'correction' ? index - sources.length : (ranks.get(document) ?? index)
    return { number: index + 1, rank, startOffset }
  })
  return placed.sort((a, b) => a.rank - b.rank || a.startOffset - b.startOffset).map(({ number }) => number)
}
