import { languagesWith } from '../languages/languages.ts'
import { FENCE_MARK, ITEM_MARK } from '../markup.ts'
import { listPhrases, phraseToPattern, unspacedPattern, WRITTEN, wordPattern } from '../phrases.ts'
import { type Passage, sentenceAt } from './passage.ts'

/**
 * After a closing quotation mark the mark may belong to a title: "Who's Afraid of Virginia Woolf?".
 * In brackets the mark expresses doubt.
 */
const QUESTION_MARK = /(?<![([])[?？؟]!?[)\]*_]*$/u
/** Greek question mark, a semicolon in other languages. */
const GREEK_MARK = /[;\u037e]$/
const GREEK = /\p{Script=Greek}{2}/u
const LINE_END = /^[ \t]*\n/
/** A list item, a table row or code. */
const ITEM = new RegExp(String.raw`^\s*(?:${ITEM_MARK}\s|\||${FENCE_MARK})`, 'u')
const LAST_SENTENCE = /(?<=^|[.!?…]\s)(?!.*[.!?…]\s)/u
const SENTENCE_END = /[.!?…。！？]$/u

/** "ですか", "吗": ends of a question, with or without a full stop. */
const QUESTION_END = new RegExp(
  `(?:${unspacedPattern(({ questions }) => questions?.ends)}` +
    `|(?<![\\p{L}\\p{N}])(?:${wordPattern(({ questions }) => questions?.ends, WRITTEN)}))[.。．｡!！]?[)\\]*_]*$`,
  'u',
)

/** The longest end of a question. */
const MAX_END_CHARACTERS = 30
/** Marks, an item mark and the time of a message before its first word. */
const LEAD = String.raw`[^\p{L}\p{N}\n]{0,12}(?:\d{1,3}[.)] )?`
const HOUR = String.raw`\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\b\.?)?`
const STAMP = String.raw`[\[(<]?(?:${HOUR}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})[\])>]?`
const NAME_WORD =
  String.raw`(?:@?\p{Lu}[\p{L}\p{M}'’.-]{0,30}|@[\p{L}\p{N}._-]{1,30}|\p{Lo}[\p{Lo}\p{M}]{0,11}` +
  '|v(?:an|on)|d[aei]|del|den|der|el|al|la|le|bin|ten|ter)'
const NAME = `${NAME_WORD}(?: ${NAME_WORD}){0,3}`
/** Between the name and the time, or two times: ` – `, `, Today at `. */
const GAP = String.raw`[\s,;|·–—\-*_>\])]{1,6}(?:\p{L}{1,9} ){0,2}`
/** `**Maya Lindqvist** 09:12`, `[09:12] Maya:`, `Interviewer:` */
const SPEAKER_LINE = new RegExp(
  String.raw`^[^\p{L}\p{N}\n@]{0,6}(?:(?:${STAMP}${GAP}){1,2}(?<late>${NAME})` +
    String.raw`|(?<early>${NAME})(?:(?:${GAP}${STAMP}){1,2}|(?=[*_]{0,3}[:：])))` +
    String.raw`[*_>\])]{0,4}[:：]?[*_]{0,3}$`,
  'u',
)
const MAX_SPEAKER_CHARACTERS = 100
/** Every speaker's line has a time, a date or a colon at its end. */
const SPEAKER_SIGN = /\d[:.h/-]\d|[:：][*_]{0,3}$/
/** `Maya: …`, `[09:12] **Maya:** …` */
const SPEAKER_LABEL = new RegExp(
  String.raw`^[^\p{L}\p{N}\n@]{0,6}(?:${STAMP}[\s,;|·–—\-*_>\])]{1,6}){0,2}` +
    String.raw`(${NAME})[*_>\])]{0,4}[:：][*_]{0,3}\s*(?=\S)`,
  'u',
)

/** "Please show me where the key is.", "Bitte sagen Sie mir, wo …" */
const REQUEST = new RegExp(`^${LEAD}(?:${writtenPhrases('requests')})(?![\\p{L}\\p{N}])`, 'iu')
/** "who has the key", in a chat. */
const UNMARKED = new RegExp(`^${LEAD}(?:${writtenPhrases('unmarked')})(?![\\p{L}\\p{N}])`, 'iu')
/** `Q: opening hours`, `问：营业时间` */
const ASKING_LABEL = new RegExp(
  `^${LEAD}(?:${[
    wordPattern(({ questions }) => questions?.labels, WRITTEN),
    unspacedPattern(({ questions }) => questions?.labels),
  ].join('|')})[*_]{0,3}[:：]`,
  'u',
)

/** "No idea, sorry", "Das weiß ich nicht." */
const UNKNOWING = new RegExp(
  `(?<![\\p{Lu}\\p{Ll}\\p{N}])(?:${writtenPhrases('unknown')})(?![\\p{Lu}\\p{Ll}\\p{N}])`,
  'iu',
)
/** A longer reply may say what is known. */
const MAX_UNKNOWING_WORDS = 10
const MAX_OPENING_WORDS = 3
/** A name or a number, which may be the answer. */
const VALUE_WORD = /^[\p{Lu}]|\p{N}/u
const WORD = /[\p{L}\p{N}'’]+/gu

function writtenPhrases(list: 'requests' | 'unmarked' | 'unknown'): string {
  return languagesWith(({ questions }) => questions?.[list])
    .flatMap(({ questions }) => listPhrases(questions?.[list]))
    .map((phrase) => phraseToPattern(phrase, WRITTEN))
    .join('|')
}

/**
 * True for a text whose last line is a question. It ends with a question mark or like a question
 * ("ですか。"), begins as a request, or is the question of a speaker without a mark.
 */
export function isQuestion(text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  if (QUESTION_MARK.test(line) || (GREEK_MARK.test(line) && GREEK.test(line))) return true
  if (QUESTION_END.test(line.slice(-MAX_END_CHARACTERS)) || ASKING_LABEL.test(line)) return true
  const label = SPEAKER_LABEL.exec(line)
  const words = label === null ? line : line.slice(label[0].length)
  return REQUEST.test(words) || (label !== null && isUnmarkedQuestion(words))
}

/** True for "who has the key": the start of a question, without any mark at the end. */
export function isUnmarkedQuestion(text: string): boolean {
  return UNMARKED.test(text) && !SENTENCE_END.test(text)
}

/**
 * True for a reply that only says that the speaker does not know. Behind these words it has no
 * number and no name but that of a speaker.
 */
function saysUnknown(reply: string, speakers: string): boolean {
  const label = SPEAKER_LABEL.exec(reply)?.[0] ?? ''
  const text = reply.slice(label.length)
  const found = UNKNOWING.exec(text)
  if (found === null || [...text.matchAll(WORD)].length > MAX_UNKNOWING_WORDS) return false
  if ([...text.slice(0, found.index).matchAll(WORD)].length > MAX_OPENING_WORDS) return false
  const rest = [...text.slice(found.index + found[0].length).matchAll(WORD)].map(([word]) => word)
  return !rest.some((word) => VALUE_WORD.test(word) && !speakers.includes(word))
}

/** Returns the question of a line without its speaker and without the sentences before. */
export function readSpokenQuestion(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  const words = line.slice(SPEAKER_LABEL.exec(line)?.[0].length ?? 0).trim()
  return words.slice(words.search(LAST_SENTENCE))
}

/** True for the name and time above a message: `**Maya Lindqvist** 09:12`. */
export function isSpeakerLine({ text, sentences }: Passage, place: number): boolean {
  const [line, below] = [sentences[place], sentences[place + 1]]
  if (line === undefined || below === undefined || readSpeakerLine(text.slice(line.start, line.end)) === null)
    return false
  const start = text.lastIndexOf('\n', line.start - 1) + 1
  return (
    LINE_END.test(text.slice(line.end, below.start)) &&
    text.slice(start, line.start).trim() === '' &&
    !ITEM.test(text.slice(below.start, below.end))
  )
}

/** Returns the speaker of a line that consists of a name and a time; `null` for other lines. */
export function readSpeakerLine(line: string): string | null {
  if (line.length > MAX_SPEAKER_CHARACTERS || !SPEAKER_SIGN.test(line)) return null
  const groups = SPEAKER_LINE.exec(line)?.groups
  return groups?.['late'] ?? groups?.['early'] ?? null
}

/** The message that a sentence belongs to. */
type Turn = { key: string; speaker: string | null; isSpeakerLine: boolean }

/** Lists the turn of each sentence: a message below its speaker's name, or a line. */
function listTurns(passage: Passage): Turn[] {
  const { text, sentences } = passage
  let spoken: { place: number; speaker: string | null } | null = null
  let [line, label]: [number, string | null] = [0, null]
  return sentences.map((span, place) => {
    if (place === 0 || text.slice(sentences[place - 1]?.end, span.start).includes('\n')) {
      line = place
      label = SPEAKER_LABEL.exec(sentenceAt(passage, place))?.[1] ?? null
    }
    const isName = isSpeakerLine(passage, place)
    if (isName) spoken = { place, speaker: readSpeakerLine(sentenceAt(passage, place)) }
    if (spoken === null) return { key: `${line}`, speaker: label, isSpeakerLine: false }
    return { key: `message ${spoken.place}`, speaker: spoken.speaker, isSpeakerLine: isName }
  })
}

/** What a sentence is to the question above it. `aside`: said by the one who asked. */
type Role = 'reply' | 'aside' | 'after'

/**
 * Reads which sentences reply to a question: the rest of its line or the next line. In a chat it is
 * the next message of someone who knows. `ask` opens a question; it is true for a question back,
 * whose reply answers both. `isOpen`: a question precedes the first sentence.
 */
export function createReplyReader(passage: Passage, isOpen: boolean) {
  const turns = listTurns(passage)
  let question: { key: string; asker: string | null } | null = isOpen ? { key: '', asker: null } : null
  let reply: string | null = null
  let unknowing: string | null = null
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].join(' ')
  return {
    read: (place: number): Role => {
      const turn = turns[place]
      if (question === null || turn === undefined) return 'reply'
      const isOwn = turn.key === question.key && turn.key.startsWith('message')
      const isAsker = turn.speaker !== null && turn.speaker === question.asker
      if (turn.isSpeakerLine || isOwn || (isAsker && reply === null)) return 'aside'
      if (reply === null && saysUnknown(sentenceAt(passage, place), speakers)) unknowing = turn.key
      if (turn.key === unknowing) return 'aside'
      reply ??= turn.key
      if (reply === turn.key) return 'reply'
      question = null
      return 'after'
    },
    ask: (place: number): boolean => {
      const { key = '', speaker = null } = turns[place] ?? {}
      const isBack = question !== null && question.asker !== null && speaker !== null
      question = { key, asker: (isBack ? question?.asker : null) ?? speaker }
      reply = null
      return isBack
    },
    close: (): false => {
      question = null
      reply = null
      return false
    },
  }
}
