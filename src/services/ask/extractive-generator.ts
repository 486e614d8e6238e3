import { channel } from 'node:diagnostics_channel'
import type { Warning } from '../../api/values.ts'
import { createEventLoopYielder, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { decodeEscapes } from '../../engine/analysis/escapes.ts'
import { answerExtractively } from '../../engine/answering/answer-extractively.ts'
import { readAnswerKind } from '../../engine/answering/answer-kinds.ts'
import { isNegationAmbiguous } from '../../engine/answering/negation.ts'
import type { QuotedSentence } from '../../engine/answering/quotes/choose-quotes.ts'
import { splitSentences } from '../../engine/answering/split-sentences.ts'
import { isTableRow, ROW_START } from '../../engine/answering/table-rows.ts'
import { isIncompleteQuestion } from '../../engine/conversation/incomplete-question.ts'
import { rewriteFollowUp } from '../../engine/conversation/rewrite-follow-up.ts'
import { type DatedPassage, type EditionQuote, type Editions, findEditions } from '../../engine/editions.ts'
import { remarksIn } from '../../engine/languages/remarks.ts'
import { FENCE_MARK, findCodeOfPassage, ITEM_MARK } from '../../engine/markup.ts'
import { dotProduct } from '../../engine/vectors.ts'
import { type Embedder, isCalibrated } from '../../models/embedder.ts'
import type { DetectLanguage } from '../ingest/indexing/language-detector.ts'
import type {
  AnswerChunk,
  AnswerGenerator,
  AnswerRequest,
  Conversation,
  GeneratedAnswer,
  GeneratedCitation,
  Source,
} from './answer-generator.ts'

/** The rated sentences of each question, for training (`bench/trust/train.ts`). */
const RATED = channel('recollect.answer.rated')
/** Event-loop budget of concurrent answers per turn, in milliseconds; some take less. */
const SLICE_MS = 8
/** Model name in answers (contract, "ask"). */
const MODEL_NAME = 'extractive'
const BLOCK = String.raw`[ \t]*(?:${ITEM_MARK}\s|${FENCE_MARK})|${ROW_START}`
/** Code, list or table after its introductory sentence. A mark would corrupt its last line. */
const BLOCK_START = new RegExp(String.raw`\n(?:${BLOCK})`, 'u')
/** Several items, or code. */
const BLOCK_LINE = new RegExp(String.raw`^(?:${BLOCK})[^\n]*\n`, 'u')
/** Reference marks in the source, which would read as citations of the answer. */
const SOURCE_NOTE_MARKS = /\s?(?:\[\d{1,4}\])+$/

/**
 * Creates a writer that answers with verbatim quotes, unescaped; citations refer to the stored
 * text. If a correction answers, only corrections are quoted, because documents may contradict
 * them.
 */
export function createExtractiveGenerator(
  deps: { analyzer: Analyzer } & PassageDeps,
  yieldToEventLoop = createEventLoopYielder(SLICE_MS),
): AnswerGenerator {
  const generate: AnswerGenerator['generate'] = async (request) => {
    const { question, isRewritten = false, questionLanguage, minConfidence, signal } = request
    if (!isRewritten && isIncompleteQuestion(question, questionLanguage))
      return { ...emptyAnswer(), warnings: [INCOMPLETE_QUESTION] }
    const { passages, vector } = await preparePassages(deps, request)
    const similarityOf = await compareWords(deps, request)
    const spoken = await readLanguages(deps, request)
    const knowsSynonyms = spoken.every((language) => isCalibrated(deps.embedder, language))
    const asked = { text: question, languages: spoken, vector, similarityOf, knowsSynonyms, minConfidence }
    const answer = answerExtractively(deps.analyzer, asked, passages)
    const found = await runCooperatively(answer, yieldToEventLoop, signal)
    if (RATED.hasSubscribers) RATED.publish({ question, passages, candidates: found.candidates })
    const { confidence } = found
    if (!found.answered) return { ...emptyAnswer(), confidence }
    const { sentences, editions } = orderEditions(request, { passages, sentences: found.sentences })
    const joined = joinQuotes(request, sentences)
    const told = editions === null ? joined : appendEditions(request, { ...joined, editions })
    return { ...emptyAnswer(), answered: true, confidence, ...told }
  }
  return {
    complete: async (conversation) => ({ questions: completeQuestion(conversation), usage: emptyAnswer().usage }),
    generate,
    async *stream(request) {
      yield* streamQuotes(await generate(request))
    },
  }
}

/** Takes the subject over from the question before. */
function completeQuestion({ question, earlier, language }: Conversation): readonly string[] {
  if (!isIncompleteQuestion(question, language)) return [question]
  let previous: string | null = null
  for (const { role, text } of earlier) {
    if (role !== 'user') continue
    const isFollowUp: boolean = previous !== null && isIncompleteQuestion(text, language)
    previous = (isFollowUp ? rewriteFollowUp(text, previous ?? '', language)[0] : text) ?? text
  }
  return previous === null ? [question] : rewriteFollowUp(question, previous, language)
}

/** Warning of an answer that was declined because the question has no subject. */
export const INCOMPLETE_QUESTION: Warning = {
  code: 'incomplete_question',
  message: 'The question does not say what it is about. Name its subject, or send the messages before it in messages.',
  param: 'question',
}

/** Streams each quote, followed by its citation. */
function* streamQuotes(answer: GeneratedAnswer): Generator<AnswerChunk> {
  let told = 0
  for (const citation of answer.citations) {
    yield { type: 'token', text: answer.answer.slice(told, citation.answerEnd) }
    told = citation.answerEnd
    yield { type: 'citation', citation }
  }
  if (told < answer.answer.length && told > 0) yield { type: 'token', text: answer.answer.slice(told) }
  yield { type: 'answer', answer }
}

function emptyAnswer(): GeneratedAnswer {
  return {
    answer: '',
    answered: false,
    confidence: 0,
    model: MODEL_NAME,
    citations: [],
    usage: { promptTokens: 0, completionTokens: 0 },
    grounding: null,
    warnings: [],
  }
}

/** Sources whose language is detected. */
const MAX_DETECTED = 10

/**
 * Known languages of the memory, with that of the question unless all sources have others. Short
 * documents, such as a table, have no known language and may be in that of the question.
 */
async function readLanguages(
  { detectLanguage }: Pick<PassageDeps, 'detectLanguage'>,
  { sources, languages, questionLanguage }: AnswerRequest,
): Promise<readonly string[]> {
  if (languages.includes(questionLanguage)) return languages
  const detected = await Promise.all(sources.slice(0, MAX_DETECTED).map(({ text }) => detectLanguage(text)))
  const isOther = !detected.includes(questionLanguage) && detected.some((language) => language !== null)
  return isOther ? languages : [...languages, questionLanguage]
}

type PassageDeps = { embedder: Embedder; detectLanguage: DetectLanguage }

/**
 * An embedder without windows is a remote, expensive model: use the passage's similarity for each
 * sentence.
 */
async function preparePassages(
  { embedder, detectLanguage }: PassageDeps,
  { sources, question, languages: spoken, signal }: AnswerRequest,
): Promise<{ passages: DatedPassage[]; vector: Float32Array | null }> {
  const code = sources.map(({ text }) => findCodeOfPassage(text))
  const split = sources.map(({ text }, index) => splitSentences(text, code[index]))
  const isNear = embedder.windowCharacters !== null
  const texts = sources.flatMap(({ text }, index) =>
    (split[index] ?? []).map(({ start, end }) => decodeEscapes(text.slice(start, end), text)),
  )
  const [[asked], vectors] = isNear
    ? await Promise.all([embedder.embed([question], 'query', { signal }), embedder.embed(texts, 'passage', { signal })])
    : [[], []]
  const asksReason = readAnswerKind(question).kind === 'reason'
  const languages = await Promise.all(
    sources.map(({ text }) => (asksReason || isNegationAmbiguous(text, spoken) ? detectLanguage(text) : null)),
  )
  let next = 0
  const passages = sources.map((source, index) => {
    const sentences = split[index] ?? []
    const own = isNear ? vectors.slice(next, next + sentences.length) : null
    next += sentences.length
    const [section, language] = [sectionAndHeader(source), languages[index] ?? null]
    const createdAt = source.createdAt ?? null
    return { ...source, createdAt, section, language, sentences, code: code[index] ?? [], vectors: own }
  })
  return { passages, vector: asked?.some((component) => component !== 0) ? asked : null }
}

/** Words of a question and its passages that get a vector. */
const MAX_COMPARED_WORDS = 1500

/** Returns the cosine of two words; `null` for a remote model, and for words without a vector. */
async function compareWords(
  { embedder }: PassageDeps,
  { question, sources, signal }: AnswerRequest,
): Promise<(one: string, other: string) => number | null> {
  if (embedder.windowCharacters === null) return () => null
  const texts = [question, ...sources.flatMap(({ text, title, section }) => [title ?? '', section ?? '', text])]
  const words = [...new Set(texts.flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []))].slice(
    0,
    MAX_COMPARED_WORDS,
  )
  const vectors = await embedder.embed(words, 'passage', { signal })
  const vectorOf = new Map(words.map((word, index) => [word, vectors[index]]))
  return (one, other) => {
    const [first, second] = [vectorOf.get(one.toLowerCase()), vectorOf.get(other.toLowerCase())]
    return first === undefined || second === undefined ? null : dotProduct(first, second)
  }
}

function sectionAndHeader({ section, header }: Source): string | null {
  return section === null ? header : header === null ? section : `${section}\n${header}`
}

type Quote = { passage: number; start: number; end: number }
type LabelledQuote = Quote & { label: string | null }

/** Puts the newest edition of the best quote first, in place of the older ones. */
function orderEditions(
  { sources, question }: AnswerRequest,
  { passages, sentences }: { passages: readonly DatedPassage[]; sentences: readonly QuotedSentence[] },
): { sentences: readonly LabelledQuote[]; editions: Editions | null } {
  const best = sentences.find(({ isBest }) => isBest)
  const documentOf = ({ passage }: Quote) => sources[passage]?.document ?? ''
  const isOfDocument = best !== undefined && sources[best.passage]?.kind === 'document'
  const editions = isOfDocument ? findEditions(best, passages, question) : null
  if (editions === null) return { sentences, editions }
  const told = [documentOf(editions.newer), documentOf(editions.older)]
  const rest = sentences.filter((one) => one !== best && !told.includes(documentOf(one)))
  return { sentences: [{ ...editions.newer, label: null }, ...rest], editions }
}

/** Names both editions: "(Handbook 2025; Handbook 2023 differs: It lasts three months. [2])". */
function appendEditions(
  { questionLanguage, sources }: AnswerRequest,
  {
    answer,
    citations,
    editions: { newer, older },
  }: { answer: string; citations: GeneratedCitation[]; editions: Editions },
) {
  const [one, other] = [sources[newer.passage], sources[older.passage]]
  const isOneDocument = one?.document === other?.document
  const isAmbiguous = one?.title === other?.title
  const nameOf = ({ headings }: EditionQuote, source: Source | undefined) => {
    if (isOneDocument) return headings.at(-1) ?? ''
    const added = isAmbiguous ? source?.createdAt?.slice(0, 10) : undefined
    return [source?.title ?? headings[0], added].filter(Boolean).join(', ')
  }
  const differs = remarksIn(questionLanguage).differs.replace('{title}', () => nameOf(older, other))
  const parts = [nameOf(newer, one), `${differs}: ${older.text} `]
  const lead = `${answer} (${parts.filter((part) => part !== '').join('; ')}`
  const index = older.passage + 1
  const mark = `[${index}]`
  const place = { start: older.start, end: older.end, answerStart: lead.length, answerEnd: lead.length + mark.length }
  return { answer: `${lead}${mark})`, citations: [...citations, { index, ...place }], warnings: [SOURCES_DIFFER] }
}

const SOURCES_DIFFER: Warning = {
  code: 'sources_differ',
  message: 'Two editions answer the question differently. The newer one is quoted first.',
  param: null,
}

/**
 * Joins the quotes, each followed by the number of its source. A label precedes the quote that
 * needs it, unless the previous quote has the same label. It belongs to no citation.
 */
function joinQuotes({ sources, questionLanguage }: AnswerRequest, sentences: readonly LabelledQuote[]) {
  let answer = ''
  let wasBlock = false
  let told: string | null = null
  const remarks = remarksIn(questionLanguage)
  const citations: GeneratedCitation[] = []
  for (const { passage, start, end, label } of sentences) {
    const words = (sources[passage]?.text ?? '').slice(start, end).replace(SOURCE_NOTE_MARKS, '')
    const index = passage + 1
    const correctedOn = sources[passage]?.correctedOn ?? null
    const note = correctedOn === null ? '' : `(${remarks.correctedOn.replace('{date}', correctedOn)}) `
    const isBlock = BLOCK_START.test(words)
    const gapBefore = answer === '' ? '' : isBlock || wasBlock || isTableRow(words) ? '\n' : ' '
    const said = decodeEscapes(`${leadOf(label === told ? null : label, words)}${words}`, sources[passage]?.text)
    answer += `${gapBefore}${said}${isBlock ? '\n' : ' '}${note}`
    wasBlock = isBlock
    told = label
    const mark = `[${index}]`
    const answerStart = answer.length
    answer += mark
    citations.push({ index, start, end: start + words.length, answerStart, answerEnd: answer.length })
  }
  return { answer, citations }
}

/** A table header is on the line above its row, another label before the quote or above a block. */
function leadOf(label: string | null, words: string): string {
  if (label === null) return ''
  return isTableRow(words) && isTableRow(label) ? `${label}\n` : `${label}:${BLOCK_LINE.test(words) ? '\n' : ' '}`
}
