import type { LabelWord } from '../label-words.ts'

/** Where a sentence says of something that it is so, or is not. Offsets in UTF-16 code units. */
export type Statement = { isNegated: boolean; start: number; end: number }

/** Meanings of words that state something of another. */
const PREDICATES = ['permit', 'prohibit', 'include', 'require', 'provide', 'cover']
/** What is forbidden is not allowed. */
const PERMISSIONS = ['permit', 'prohibit']
/** What permits without one of their words: `may be kept`. */
const MODAL = /(?<!\p{L})(?:may|darf|dürfen)(?!\p{L})/giu
const IS_MAY = new RegExp(`^${MODAL.source}$`, 'iu')
const COPULA_WORDS = 'is|are|was|were|be|ist|sind|wird|werden|est|sont|sera|seront|es|son|está|están'
const COPULA_BEFORE = new RegExp(`(?<!\\p{L})(?:${COPULA_WORDS})\\s+(?:\\p{L}+\\s+)?$`, 'iu')
const COPULA = new RegExp(`(?<!\\p{L})(?:${COPULA_WORDS})(?!\\p{L})`, 'iu')
const NOT_WORDS = 'not|never|nicht|nie|no|pas|jamais|non|nunca|não|niet'
/** Before what is not there. */
const NO_WORDS = 'no|kein\\p{L}*|aucune?|ning[uú]n\\p{L}*|nenhuma?|nessun\\p{L}*|geen'
/** What denies something of a sentence. */
export const NEGATION = new RegExp(
  `(?<!\\p{L})(?:${NOT_WORDS}|${NO_WORDS}|without|ohne|sans|sin|sem|senza|zonder)(?!\\p{L})|n['’]t(?!\\p{L})`,
  'iu',
)
/** What only may be so: "may require a survey". */
const MAY_BEFORE = /(?<!\p{L})(?:may|might|could|can|kann|können|könnte|peut|puede)\s+(?:\p{L}+\s+)?$/iu
/** At the end of what stands before a predicate: "does not", "sind im Preis nicht". */
const NOT_BEFORE = new RegExp(`(?:(?<!\\p{L})(?:${NOT_WORDS})|n['’]t)\\s+(?:\\p{L}+\\s+){0,2}$`, 'iu')
/** At the beginning of what stands behind it: "may not", "n'inclut pas", "enthält kein". */
const NOT_BEHIND = new RegExp(`^\\s+(?:${NOT_WORDS}|${NO_WORDS})(?!\\p{L})`, 'iu')
const NO_SUBJECT = new RegExp(`(?<!\\p{L})(?:${NO_WORDS})\\s+(?:\\p{L}+\\s+){0,2}$`, 'iu')
/** `The flat is unfurnished`, with an adverb at most before the word; no article, and no noun with a capital. */
const COMPLEMENT = new RegExp(
  `(?<!\\p{L})(?:${COPULA_WORDS})\\s+(?:(${NOT_WORDS})\\s+)?(?:\\p{Ll}+(?:ly|ment|mente)\\s+)?$`,
  'iu',
)
/** A subject stands this near before its verb. */
const MOST_WORDS_BETWEEN = 3
/** How far around a word is looked for what denies it. */
const REACH_CHARACTERS = 120

/** What a part of a sentence says of all the words that are asked for; `words` are its own, by their places in the text. */
export function findStatements(text: string, words: readonly LabelWord[], asked: readonly LabelWord[]): Statement[] {
  // "Work permit required" asks for what is required.
  const predicate = asked.findLast((word) => PREDICATES.some((key) => word.keys.includes(key)))
  const kind = PREDICATES.find((key) => predicate?.keys.includes(key))
  const things = asked.filter((word) => word !== predicate)
  const named = words.filter((word) => things.some((thing) => sharesKey(thing, word)))
  if (things.length === 0 || !things.every((thing) => named.some((word) => sharesKey(thing, word)))) return []
  const stating = kind === undefined ? PREDICATES : PERMISSIONS.includes(kind) ? PERMISSIONS : [kind]
  const predicates = words.filter(({ keys }) => stating.some((key) => keys.includes(key)))
  const may = kind === undefined || kind === 'permit' ? listMay(text, words[0]?.start ?? 0) : []
  const stated = [...predicates, ...may].flatMap((predicate: Stating) => {
    const isOpposite = predicate.keys?.includes('prohibit') === (kind !== 'prohibit')
    return readPredicate(text, predicate, named).map((one) => ({ ...one, isNegated: one.isNegated !== isOpposite }))
  })
  return kind === undefined ? [...stated, ...readComplement(text, named)] : stated
}

/** A word that states; of what permits without one of their words no meaning is known. */
type Stating = { start: number; end: number; keys?: readonly string[] }

function listMay(text: string, from: number): { start: number; end: number }[] {
  return [...text.slice(from).matchAll(MODAL)].map(({ index, 0: word }) => {
    return { start: from + index, end: from + index + word.length }
  })
}

/** Things before it are its subject, with "is" between or right before; those behind it its object. */
function readPredicate(
  text: string,
  { start, end }: Pick<LabelWord, 'start' | 'end'>,
  named: readonly LabelWord[],
): Statement[] {
  const [first, last] = [named[0], named.at(-1)]
  if (first === undefined || last === undefined) return []
  const before = text.slice(Math.max(0, start - REACH_CHARACTERS), start)
  const isObject = first.start >= end && !COPULA_BEFORE.test(before)
  const between = last.end <= start ? text.slice(last.end, start).slice(0, REACH_CHARACTERS) : ''
  const copula = COPULA.exec(between)
  const isNear = countWords(between.slice(0, copula?.index)) <= MOST_WORDS_BETWEEN
  // Without "is" no more follows: `Breakfast included.`, but "Guests who want breakfast need to ask".
  const isVerb = copula !== null || IS_MAY.test(text.slice(start, end))
  const isSubject = last.end <= start && isNear && (isVerb || /^\P{L}*$/u.test(text.slice(end)))
  if ((!isObject && !isSubject) || MAY_BEFORE.test(before)) return []
  const from = Math.max(0, first.start - REACH_CHARACTERS)
  const denial = NOT_BEFORE.exec(before) ?? NO_SUBJECT.exec(text.slice(from, first.start))
  const behind = NOT_BEHIND.exec(text.slice(end, end + REACH_CHARACTERS))
  return [
    {
      isNegated: denial !== null || behind !== null,
      start: Math.min(first.start, start - (denial?.[0].length ?? 0)),
      end: Math.max(last.end, end + (behind?.[0].length ?? 0)),
    },
  ]
}

/** `The barn is not wheelchair accessible`, `Parking is free`: the words behind "is" are asked for, the others stand beside them or before. */
function readComplement(text: string, named: readonly LabelWord[]): Statement[] {
  return named.flatMap((word, index): Statement[] => {
    const match = COMPLEMENT.exec(text.slice(Math.max(0, word.start - REACH_CHARACTERS), word.start))
    if (match === null || !/^\p{Ll}/u.test(text.slice(word.start))) return []
    const rest = named.slice(index, index + MOST_WORDS_BETWEEN)
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
