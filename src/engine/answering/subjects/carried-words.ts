import { FOLLOW_UPS } from '../../languages/follow-ups.ts'
import { listWords } from '../../languages/language.ts'
import { readAnswerKind } from '../answer-kinds.ts'
import { type AskedWord, CAPITAL, CLAUSE_END, findRivals, type PlacedWord } from './asked-words.ts'
import { holds, type PlacedText } from './placed-texts.ts'

/** The words of a question; `question` is in the form of `normalizeForMatch`. */
type Asked = { asked: readonly AskedWord[]; question: string; languages: readonly string[] }

/**
 * Tests of an asked word and its index. `isInText`: a pronoun shows that the text before belongs to
 * the statement.
 */
export type CarryTest = Readonly<Record<'isCarriedOver' | 'isInText', (word: AskedWord, index: number) => boolean>>

/**
 * Creates a test for asked words that a statement takes over from the text before: "The pool is in
 * Hull. Entry costs 5 euros." The statement has a word of the question. It has no other word in the
 * place of the missing one, and no other subject. "Who" asks for another subject: "Priya is on
 * holiday. Tomasz is on call for her."
 */
export function createCarryTest(knowledge: Asked, own: PlacedText, before: PlacedText): CarryTest {
  const { asked, question } = knowledge
  const asksForPerson = readAnswerKind(question).kind === 'person'
  const isBefore = (neighbour: AskedWord['before']) =>
    neighbour?.gap === '' && holds(asked, neighbour.index, before) && holds(asked, neighbour.index, own)
  // "The tent Tatra weighs 3 kg" says nothing of the tent Rysy in the statement after it.
  const isOfSibling = asked.some(
    (word, index) =>
      word.isName &&
      holds(asked, index, own) &&
      !holds(asked, index, before) &&
      [word.before, word.after].some(isBefore),
  )
  const isRelated = !isOfSibling && asked.some((_, index) => holds(asked, index, own))
  const person = isRelated && asksForPerson ? findStandIn(knowledge, own, before) : []
  const hasRival = (word: AskedWord) =>
    (!word.isLiteral && !asksForPerson && hasOwnSubject(own)) ||
    findRivals({ asked, question }, word, own).some(
      ({ text, isOpposite, isSameGap }) => (!isOpposite || isSameGap) && !person.includes(text),
    )
  const test = (word: AskedWord, index: number) => isRelated && holds(asked, index, before) && !hasRival(word)
  return { isCarriedOver: test, isInText: (word, index) => person.length > 0 && test(word, index) }
}

/** True for a text that begins with a word not asked for, and no label: "Omar has a salary". */
function hasOwnSubject({ text, placed }: PlacedText): boolean {
  const first = placed.find(({ isFunction }) => !isFunction)
  return first !== undefined && first.asked.size === 0 && !first.isNumeric && !LABEL_END.test(text.slice(first.end))
}

/** Between a label and its value: "Resolution: 300 dpi". */
const LABEL_END = /^\s*[:|]/u

/**
 * Returns the name that begins a statement about another person, who is named before: "Tomasz" of
 * "Tomasz is on call for her". Empty for one about that name: "Omar parks his car".
 */
function findStandIn({ asked, languages }: Asked, own: PlacedText, before: PlacedText): string[] {
  const { text, placed } = own
  const pronouns = new Set(languages.flatMap(listPronouns))
  const at = placed.findIndex((word) => pronouns.has(word.text.toLowerCase()))
  const ahead = placed.slice(0, Math.max(0, at))
  const isName = (word: PlacedWord) => !word.isFunction && word.asked.size === 0 && CAPITAL.test(word.text)
  const end = ahead.findIndex((word) => !isName(word))
  const isOfAnother = ahead.slice(Math.max(0, end)).some(isName) || CLAUSE_END.test(text.slice(0, placed[at]?.start))
  const isOwn = [...(placed[at + 1]?.asked ?? [])].some((index) => holds(asked, index, before))
  const conditions = [...asked.keys()].filter((index) => holds(asked, index, before) && !holds(asked, index, own))
  if (end < 1 || isOfAnother || isOwn || conditions.length < MIN_CONDITION_WORDS) return []
  return ahead.slice(0, end).map((word) => word.text)
}

/** "Helen is away" has only the name of "Who parks the car of Helen?", and no condition. */
const MIN_CONDITION_WORDS = 2

/** Pronouns of a language (ISO 639-1) for a person or thing that is named elsewhere. */
function listPronouns(language: string): readonly string[] {
  const { pronouns, possessives } = FOLLOW_UPS[language] ?? {}
  return [...listWords(pronouns), ...listWords(possessives)]
}
