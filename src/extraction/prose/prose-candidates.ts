import type { Candidate, FieldSearch } from '../field.ts'
import type { LabelWord } from '../label-words.ts'
import type { ReadPassage } from '../read-passage.ts'
import { contradicts, keysOf } from '../score-label.ts'
import { findValues } from '../values/find-values.ts'
import { findStatements, NEGATION } from './find-statements.ts'
import { createNeighbourhood } from './neighbourhood.ts'
import { listTypedCandidates } from './typed-candidates.ts'

/** The values in running text that may be the one asked for, a list for each passage; lists are read from layouts alone. */
export function listProseCandidates(passages: readonly ReadPassage[], search: FieldSearch): Candidate[][] {
  switch (search.type) {
    case 'list':
      return passages.map(() => [])
    case 'string':
      return passages.map((passage) => listNamedCandidates(passage, search))
    case 'boolean':
      return passages.map((passage) => listBooleanCandidates(passage, search))
    case 'email':
    case 'phone':
    case 'url':
      return listContactCandidates(passages, search)
    default:
      return passages.map((passage) => listTypedCandidates(passage, search))
  }
}

/** What leaves open whether something holds, where nothing denies it. */
const EXCEPTION =
  /(?<!\p{L})(?:unless|except|if|without|provided that|only|ohne|sofern|wenn|nur|außer|sauf|sans|seulement|salvo|sin|solo|sólo|si)(?!\p{L})/iu
const CONTRAST = /,?\s(?:but|while|whereas|although|aber|sondern|jedoch|mais|pero|sino|mientras)\s/giu
const SCORE = { denied: 0.72, stated: 0.7 } as const

/**
 * What a sentence states or denies of the words of the label: `Pets are not allowed`, `The price includes breakfast`, `The barn is not wheelchair accessible`. Others
 * that only mention a thing are no answer, nor is one under a condition.
 */
function listBooleanCandidates(passage: ReadPassage, { asked, keys }: FieldSearch): Candidate[] {
  return passage.clauses.flatMap(({ start, end, words }): Candidate[] => {
    const text = passage.text.slice(start, end)
    if (asked.length === 0 || /\?\s*$/.test(text) || contradicts(keys, keysOf(words))) return []
    const own = words.map((word) => ({ ...word, start: word.start - start, end: word.end - start }))
    return splitContrasts(text, own).flatMap((part): Candidate[] => {
      const statements = findStatements(text.slice(0, part.end), part.words, asked)
      const [first] = statements
      if (first === undefined || statements.some(({ isNegated }) => isNegated !== first.isNegated)) return []
      const said = text.slice(part.start, part.end)
      if (!first.isNegated && (NEGATION.test(said) || EXCEPTION.test(said))) return []
      const score = first.isNegated ? SCORE.denied : SCORE.stated
      return statements.map((one) => {
        return { value: !one.isNegated, start: start + one.start, end: start + one.end, score }
      })
    })
  })
}

type Part = { start: number; end: number; words: readonly LabelWord[] }

/** "Lunch is included, but no drinks" says two things. `words` are those of the text, in order. */
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

const TRUST = 0.9
/** Words that the value says itself: an e-mail address needs no "e-mail" beside it. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'website',
  'address',
  'number',
  'contact',
  'kontakt',
  'url',
])
/** Whose address stands on a paper without saying so: that of the one who wrote it. */
const WRITERS: ReadonlySet<string> = new Set(['supplier', 'sender', 'company', 'person', 'general', 'applic', 'candid'])
/** The one address of its kind in all passages is the writer's, or that of whoever is to be asked. */
const ONLY_ONE = 0.68

/** The e-mail addresses, telephone numbers and web addresses of running text. */
function listContactCandidates(passages: readonly ReadPassage[], search: FieldSearch): Candidate[][] {
  const qualifiers = search.asked.filter(({ keys }) => !keys.some((key) => OWN_WORDS.has(key)))
  const found = passages.map((passage) => listPlaces(passage, search, qualifiers))
  const distinct = new Set(found.flat().map(({ value }) => value))
  const isWriters = qualifiers.every(({ keys }) => keys.some((key) => WRITERS.has(key)))
  const mayStandAlone = distinct.size === 1 && isWriters
  return found.map((candidates) =>
    candidates.map((candidate) => ({
      ...candidate,
      score: mayStandAlone ? Math.max(candidate.score, ONLY_ONE) : candidate.score,
    })),
  )
}

function listPlaces(passage: ReadPassage, search: FieldSearch, qualifiers: readonly LabelWord[]): Candidate[] {
  const { type, conventions, asked } = search
  return passage.clauses.flatMap((clause) => {
    const text = passage.text.slice(clause.start, clause.end)
    const values = findValues(text, type, conventions).map(({ value, start, end }) => {
      return { value, start: start + clause.start, end: end + clause.start }
    })
    const nearness = createNeighbourhood(qualifiers.length > 0 ? qualifiers : asked, clause, values)
    return values.map((value) => {
      const near = nearness(value)
      return { ...value, score: TRUST * (qualifiers.length > 0 ? near : Math.max(near, ONLY_ONE)) }
    })
  })
}

const NAMED_SCORE = 0.7
/** The words of a label stand this near together where a sentence says what the label does. */
const MAX_SPREAD_WORDS = 5
/** A name behind "is", "to", "by": capitals, with the small words that stand inside of names. */
const NAMED =
  /^["”)]?,?\s+(?:is|are|was|will be|shall be|to|by|is called|ist|lautet|est)(?:\s+(?:the|to|der|die|das|le|la))?\s+((?:(?:Dr|Prof|Mr|Mrs|Ms)\.\s+)?\p{Lu}[\p{L}\p{N}.'’&-]*(?:\s+(?:(?:of|and|the|de|du|von|van|der|den|&)\s+)*\p{Lu}[\p{L}\p{N}.'’&-]*){0,6})/u
const CODE =
  /^\s+(?:(?:is|ist|lautet|est|number|no\.?|nr\.?)\s+)*((?=[\p{L}\p{N}/.-]*\d)[\p{L}\p{N}][\p{L}\p{N}/.-]{2,30}[\p{L}\p{N}])(?![\p{L}\p{N}])/u

/** Names and numbers of running text that follow the words of the label: `you will report to Professor Beddoes`. */
function listNamedCandidates(passage: ReadPassage, { asked, keys }: FieldSearch): Candidate[] {
  const strong = asked.filter(({ weight }) => weight > 0.5)
  const isCode = keys.has('number') || keys.has('reference')
  if (strong.length === 0) return []
  return passage.clauses.flatMap(({ words, end }): Candidate[] =>
    phraseEnds(words, strong).flatMap((at) => {
      const behind = passage.text.slice(at, end)
      const match = (isCode ? CODE : NAMED).exec(behind)
      const raw = match?.[1]?.replace(/[.,]$/, '')
      if (match === null || raw === undefined) return []
      const start = at + match[0].lastIndexOf(raw)
      return [{ value: raw.replaceAll(/\s+/g, ' '), start, end: start + raw.length, score: NAMED_SCORE }]
    }),
  )
}

/** Where the words of a phrase end that has all of the asked ones close together. */
function phraseEnds(words: readonly LabelWord[], asked: readonly LabelWord[]): number[] {
  return words.flatMap((word, index) => {
    if (!asked.some((one) => one.keys.some((key) => word.keys.includes(key)))) return []
    const phrase = words.slice(Math.max(0, index - MAX_SPREAD_WORDS + 1), index + 1)
    const isWhole = asked.every((one) => phrase.some((own) => own.keys.some((key) => one.keys.includes(key))))
    return isWhole ? [word.end] : []
  })
}
