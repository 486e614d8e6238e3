import type { StatementWords } from '../../engine/languages/language.ts'
import { WRITTEN, wordPattern } from '../../engine/phrases.ts'
import type { Candidate, FieldSearch } from '../field.ts'
import type { LabelWord } from '../label-words.ts'
import type { ReadPassage } from '../read-passage.ts'
import { collectKeys, contradicts } from '../score-label.ts'

/** Words that leave a statement open: "only with consent", "not without consent". */
export const CONDITION = new RegExp(`(?<!\\p{L})(?:${statementWords(({ conditions }) => conditions)})(?!\\p{L})`, 'iu')
const CONTRAST = /,?\s(?:but|while|whereas|although|aber|sondern|jedoch|mais|pero|sino|mientras)\s/giu
const SCORE = { denied: 0.72, stated: 0.7 } as const

/**
 * Reads yes or no from sentences: `Pets are not allowed`, `The price includes breakfast`,
 * `The barn is not wheelchair accessible`. Mere mentions and conditional statements give no
 * candidate.
 */
export function listBooleanCandidates(passage: ReadPassage, { asked, keys }: FieldSearch): Candidate[] {
  return passage.clauses.flatMap(({ start, end, words }): Candidate[] => {
    const text = passage.text.slice(start, end)
    if (asked.length === 0 || /\?\s*$/.test(text) || contradicts(keys, collectKeys(words))) return []
    const own = words.map((word) => ({ ...word, start: word.start - start, end: word.end - start }))
    return splitContrasts(text, own).flatMap((part): Candidate[] => {
      const statements = findStatements(text.slice(0, part.end), part.words, asked)
      const [first] = statements
      if (first === undefined || statements.some(({ isNegated }) => isNegated !== first.isNegated)) return []
      const said = text.slice(part.start, part.end)
      if (CONDITION.test(said) || (!first.isNegated && NEGATION.test(said))) return []
      const score = first.isNegated ? SCORE.denied : SCORE.stated
      return statements.map((one) => {
        return { value: !one.isNegated, start: start + one.start, end: start + one.end, score }
      })
    })
  })
}

type Part = { start: number; end: number; words: readonly LabelWord[] }

/**
 * Splits at contrasts: "Lunch is included, but no drinks" has two statements. `words` are in order.
 */
function splitContrasts(text: string, words: readonly LabelWord[]): Part[] {
  const borders = [...text.matchAll(CONTRAST)]
  const starts = [0, ...borders.map((border) => border.index + border[0].length)]
  let at = 0
  return starts.map((start, index) => {
    const end = borders[index]?.index ?? text.length
    while ((words[at]?.start ?? start) < start) at += 1
    const from = at
    while ((words[at]?.end ?? text.length + 1) <= end) at += 1
    return { start, end, words: words.slice(from, at) }
  })
}

/** A positive or negative statement. Offsets in UTF-16 code units. */
type Statement = { isNegated: boolean; start: number; end: number }

/** Keys of predicates. */
const PREDICATE_KEYS = ['permit', 'prohibit', 'include', 'require', 'provide', 'cover']
/** Opposite predicates: forbidden means not allowed. */
const PERMISSION_KEYS = ['permit', 'prohibit']
/** Modal verbs that permit without a predicate: `may be kept`. */
const MODAL = new RegExp(`(?<!\\p{L})(?:${statementWords(({ modals }) => modals)})(?!\\p{L})`, 'giu')
const MODAL_WORD = new RegExp(`^${MODAL.source}$`, 'iu')
const COPULA_WORDS = statementWords(({ copulas }) => copulas)
const COPULA_BEFORE = new RegExp(`(?<!\\p{L})(?:${COPULA_WORDS})\\s+(?:\\p{L}+\\s+)?$`, 'iu')
const COPULA = new RegExp(`(?<!\\p{L})(?:${COPULA_WORDS})(?!\\p{L})`, 'iu')
const NOT_WORDS = statementWords(({ negations }) => negations)
/** Negative determiners. */
const NO_WORDS = statementWords(({ negatedArticles }) => negatedArticles)
/** Negation of a sentence. */
const NEGATION = new RegExp(
  `(?<!\\p{L})(?:${NOT_WORDS}|${NO_WORDS}|${statementWords(({ without }) => without)})(?!\\p{L})|n['’]t(?!\\p{L})`,
  'iu',
)
/** Modal verbs of possibility: "may require a survey". */
const POSSIBILITY_BEFORE = new RegExp(
  `(?<!\\p{L})(?:${statementWords(({ uncertain }) => uncertain)})\\s+(?:\\p{L}+\\s+)?$`,
  'iu',
)
/** Negation before a predicate: "does not", "sind im Preis nicht". */
const NOT_BEFORE = new RegExp(`(?:(?<!\\p{L})(?:${NOT_WORDS})|n['’]t)\\s+(?:\\p{L}+\\s+){0,2}$`, 'iu')
/** Negation after a predicate: "may not", "n'inclut pas", "enthält kein". */
const NOT_AFTER = new RegExp(`^\\s+(?:${NOT_WORDS}|${NO_WORDS})(?!\\p{L})`, 'iu')
const NO_SUBJECT = new RegExp(`(?<!\\p{L})(?:${NO_WORDS})\\s+(?:\\p{L}+\\s+){0,2}$`, 'iu')
/**
 * `The flat is unfurnished`, with an adverb at most before the word; no article, and no noun with a
 * capital.
 */
const COMPLEMENT = new RegExp(
  `(?<!\\p{L})(?:${COPULA_WORDS})\\s+(?:(${NOT_WORDS})\\s+)?(?:\\p{Ll}+(?:ly|ment|mente)\\s+)?$`,
  'iu',
)
/** Words of one list of all languages, as alternatives of a pattern. */
function statementWords(select: (statements: StatementWords) => string | undefined): string {
  return wordPattern(({ statements }) => statements && select(statements), WRITTEN)
}

/** Maximum number of words between subject and verb. */
const MAX_WORDS_BETWEEN = 3
/** Characters searched for a negation on either side. */
const NEGATION_REACH_CHARACTERS = 120

/**
 * Returns what a clause states about all asked words. `words` are the words of the clause, with
 * offsets in the text.
 */
function findStatements(text: string, words: readonly LabelWord[], asked: readonly LabelWord[]): Statement[] {
  // In "Work permit required" the last predicate is the asked property.
  const predicate = asked.findLast((word) => PREDICATE_KEYS.some((key) => word.keys.includes(key)))
  const kind = PREDICATE_KEYS.find((key) => predicate?.keys.includes(key))
  const things = asked.filter((word) => word !== predicate)
  const named = words.filter((word) => things.some((thing) => sharesKey(thing, word)))
  if (things.length === 0 || !things.every((thing) => named.some((word) => sharesKey(thing, word)))) return []
  const stating = kind === undefined ? PREDICATE_KEYS : PERMISSION_KEYS.includes(kind) ? PERMISSION_KEYS : [kind]
  const predicates = words.filter(({ keys }) => stating.some((key) => keys.includes(key)))
  const may = kind === undefined || kind === 'permit' ? findModals(text, words[0]?.start ?? 0) : []
  const stated = [...predicates, ...may].flatMap((predicate: Predicate) => {
    const isOpposite = predicate.keys?.includes('prohibit') === (kind !== 'prohibit')
    return readPredicate(text, predicate, named).map((one) => ({ ...one, isNegated: one.isNegated !== isOpposite }))
  })
  return kind === undefined ? [...stated, ...readComplement(text, named)] : stated
}

/** A predicate; modal verbs have no keys. */
type Predicate = { start: number; end: number; keys?: readonly string[] }

function findModals(text: string, from: number): { start: number; end: number }[] {
  return [...text.slice(from).matchAll(MODAL)].map(({ index, 0: word }) => {
    return { start: from + index, end: from + index + word.length }
  })
}

/**
 * Words before the predicate are the subject, with a copula between or adjacent. Words after are
 * the object.
 */
function readPredicate(
  text: string,
  { start, end }: Pick<LabelWord, 'start' | 'end'>,
  named: readonly LabelWord[],
): Statement[] {
  const [first, last] = [named[0], named.at(-1)]
  if (first === undefined || last === undefined) return []
  const before = text.slice(Math.max(0, start - NEGATION_REACH_CHARACTERS), start)
  const isObject = first.start >= end && !COPULA_BEFORE.test(before)
  const between = last.end <= start ? text.slice(last.end, start).slice(0, NEGATION_REACH_CHARACTERS) : ''
  const copula = COPULA.exec(between)
  const isNear = countWords(between.slice(0, copula?.index)) <= MAX_WORDS_BETWEEN
  // Without a copula the predicate must end the clause: `Breakfast included.`, but not "Guests who
  // want breakfast need to ask".
  const isVerb = copula !== null || MODAL_WORD.test(text.slice(start, end))
  const isSubject = last.end <= start && isNear && (isVerb || /^\P{L}*$/u.test(text.slice(end)))
  if ((!isObject && !isSubject) || POSSIBILITY_BEFORE.test(before)) return []
  const from = Math.max(0, first.start - NEGATION_REACH_CHARACTERS)
  const denial = NOT_BEFORE.exec(before) ?? NO_SUBJECT.exec(text.slice(from, first.start))
  const behind = NOT_AFTER.exec(text.slice(end, end + NEGATION_REACH_CHARACTERS))
  return [
    {
      isNegated: denial !== null || behind !== null,
      start: Math.min(first.start, start - (denial?.[0].length ?? 0)),
      end: Math.max(last.end, end + (behind?.[0].length ?? 0)),
    },
  ]
}

/**
 * `The barn is not wheelchair accessible`, `Parking is free`: an asked word follows the copula, the
 * rest is adjacent or before.
 */
function readComplement(text: string, named: readonly LabelWord[]): Statement[] {
  return named.flatMap((word, index): Statement[] => {
    const match = COMPLEMENT.exec(text.slice(Math.max(0, word.start - NEGATION_REACH_CHARACTERS), word.start))
    if (match === null || !/^\p{Ll}/u.test(text.slice(word.start))) return []
    const rest = named.slice(index, index + MAX_WORDS_BETWEEN)
    const isNear = rest.every(
      (next, place) => countWords(text.slice(rest[place - 1]?.end ?? word.start, next.start)) <= 1,
    )
    return isNear
      ? [
          {
            isNegated: match[1] !== undefined,
            start: Math.min(word.start, named[0]?.start ?? 0),
            end: rest.at(-1)?.end ?? word.end,
          },
        ]
      : []
  })
}

function countWords(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0
}

function sharesKey(one: LabelWord, other: LabelWord): boolean {
  return one.keys.some((key) => other.keys.includes(key))
}
