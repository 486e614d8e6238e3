import { createEventLoopYielder, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { withoutEscapes } from '../../engine/analysis/escapes.ts'
import { answerExtractively } from '../../engine/answering/answer-extractively.ts'
import { isToldByLanguage } from '../../engine/answering/negation.ts'
import type { Passage } from '../../engine/answering/passage.ts'
import { splitSentences } from '../../engine/answering/split-sentences.ts'
import { FENCE_MARK, findCodeOfPassage, ITEM_MARK } from '../../engine/markup.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { DetectLanguage } from '../ingest/indexing/language-detector.ts'
import type {
  AnswerWriter,
  Source,
  WriteRequest,
  WrittenAnswer,
  WrittenCitation,
  WrittenPiece,
} from './answer-writer.ts'

/** Event-loop budget of concurrent answers per turn, in milliseconds; some take less. */
const SLICE_MS = 8
/** Model name in answers (contract, "ask"). */
const MODEL = 'extractive'
/** Code, list or table after its introductory sentence. A mark would corrupt its last line. */
const BLOCK = new RegExp(String.raw`\n[ \t]*(?:${ITEM_MARK}\s|\||${FENCE_MARK})`, 'u')
/** Reference marks in the source, which would read as citations of the answer. */
const OWN_NOTES = /\s?(?:\[\d{1,4}\])+$/

/**
 * Creates a writer that answers with verbatim quotes, unescaped; citations refer to the stored
 * text. If a correction answers, only corrections are quoted, because documents may contradict
 * them.
 */
export function createExtractiveWriter(
  parts: { analyzer: Analyzer } & ReadingParts,
  shareLoop = createEventLoopYielder(SLICE_MS),
): AnswerWriter {
  const write: AnswerWriter['write'] = async (request) => {
    const { sources, question, languages, signal } = request
    const { passages, vector } = await readPassages(parts, request)
    const asked = { text: question, languages, vector }
    const count = sources.filter(({ kind }) => kind === 'correction').length
    const answer = (some: readonly Passage[]) =>
      runCooperatively(answerExtractively(parts.analyzer, asked, some), shareLoop, signal)
    const corrected = await answer(passages.slice(0, count))
    const found = corrected.answered ? corrected : await answer(passages)
    return { ...nothingSaid(), answered: found.answered, ...quote(sources, found.sentences) }
  }
  return {
    write,
    async *stream(request) {
      yield* tellQuotes(await write(request))
    },
  }
}

/** Streams each quote, followed by its citation. */
function* tellQuotes(answer: WrittenAnswer): Generator<WrittenPiece> {
  let told = 0
  for (const citation of answer.citations) {
    yield { type: 'token', text: answer.answer.slice(told, citation.answerEnd) }
    told = citation.answerEnd
    yield { type: 'citation', citation }
  }
  yield { type: 'answer', answer }
}

function nothingSaid(): WrittenAnswer {
  const usage = { promptTokens: 0, completionTokens: 0 }
  return { answer: '', answered: false, model: MODEL, citations: [], usage, grounding: null, warnings: [] }
}

type ReadingParts = { embedder: Embedder; detectLanguage: DetectLanguage }

/**
 * An embedder without windows is a remote, expensive model: use the passage's similarity for each
 * sentence.
 */
async function readPassages(
  { embedder, detectLanguage }: ReadingParts,
  { sources, question, languages: spoken, signal }: WriteRequest,
): Promise<{ passages: Passage[]; vector: Float32Array | null }> {
  const code = sources.map(({ text }) => findCodeOfPassage(text))
  const split = sources.map(({ text }, index) => splitSentences(text, code[index]))
  const isNear = embedder.windowCharacters !== null
  const texts = sources.flatMap(({ text }, index) =>
    (split[index] ?? []).map(({ start, end }) => withoutEscapes(text.slice(start, end), text)),
  )
  const [[asked], vectors] = isNear
    ? await Promise.all([embedder.embed([question], 'query', signal), embedder.embed(texts, 'passage', signal)])
    : [[], []]
  const languages = await Promise.all(
    sources.map(({ text }) => (isToldByLanguage(text, spoken) ? detectLanguage(text) : null)),
  )
  let next = 0
  const passages = sources.map((source, index) => {
    const sentences = split[index] ?? []
    const own = isNear ? vectors.slice(next, next + sentences.length) : null
    next += sentences.length
    const [section, language] = [contextOf(source), languages[index] ?? null]
    return { ...source, section, language, sentences, code: code[index] ?? [], vectors: own }
  })
  return { passages, vector: asked?.some((component) => component !== 0) ? asked : null }
}

function contextOf({ section, header }: Source): string | null {
  return section === null ? header : header === null ? section : `${section}\n${header}`
}

/** Joins the quotes, each followed by the number of its source. */
function quote(sources: readonly Source[], sentences: readonly { passage: number; start: number; end: number }[]) {
  let answer = ''
  let wasBlock = false
  const citations: WrittenCitation[] = []
  for (const { passage, start, end } of sentences) {
    const words = (sources[passage]?.text ?? '').slice(start, end).replace(OWN_NOTES, '')
    const index = passage + 1
    const correctedOn = sources[passage]?.correctedOn ?? null
    const note = correctedOn === null ? '' : `(corrected on ${correctedOn}) `
    const isBlock = BLOCK.test(words)
    const gapBefore = answer === '' ? '' : isBlock || wasBlock ? '\n' : ' '
    answer += `${gapBefore}${withoutEscapes(words, sources[passage]?.text)}${isBlock ? '\n' : ' '}${note}`
    wasBlock = isBlock
    const mark = `[${index}]`
    const answerStart = answer.length
    answer += mark
    citations.push({ index, start, end: start + words.length, answerStart, answerEnd: answer.length })
  }
  return { answer, citations }
}
