import type { Candidate, FieldSearch } from '../field.ts'
import type { LabelWord } from '../label-words.ts'
import type { ReadPassage } from '../read-passage.ts'
import { findValues } from '../values/find-values.ts'
import type { Clause } from './clauses.ts'
import { createProximityScorer, withoutSiblingClauses } from './proximity.ts'
import { listBooleanCandidates } from './statements.ts'
import { listTypedCandidates } from './typed-candidates.ts'

/**
 * Returns possible values in running text, a list per passage. List fields are read from layout
 * only.
 */
export function listProseCandidates(given: readonly ReadPassage[], search: FieldSearch): Candidate[][] {
  const passages = withoutSiblingClauses(given, withoutImplied(search.asked))
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

const TRUST = 0.9
/** Words that the value implies: an e-mail address needs no "e-mail" nearby. */
const IMPLIED_KEYS: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'website',
  'address',
  'number',
  'contact',
  'kontakt',
  'url',
])
/** Roles whose address is on a document without a label, as the document's author. */
const AUTHOR_KEYS: ReadonlySet<string> = new Set([
  'supplier',
  'sender',
  'company',
  'person',
  'general',
  'applic',
  'candid',
])
/**
 * Score of the only address of its kind in all passages, which most likely belongs to the author.
 */
const ONLY_ADDRESS_SCORE = 0.68

function withoutImplied(asked: readonly LabelWord[]): LabelWord[] {
  return asked.filter(({ keys }) => !keys.some((key) => IMPLIED_KEYS.has(key)))
}

/** The e-mail addresses, telephone numbers and web addresses of running text. */
function listContactCandidates(passages: readonly ReadPassage[], search: FieldSearch): Candidate[][] {
  const qualifiers = withoutImplied(search.asked)
  const found = passages.map((passage) => listContacts(passage, search, qualifiers))
  const distinct = new Set(found.flat().map(({ value }) => value))
  const isWriters = qualifiers.every(({ keys }) => keys.some((key) => AUTHOR_KEYS.has(key)))
  const mayStandAlone = distinct.size === 1 && isWriters
  return found.map((candidates) =>
    candidates.map((candidate) => ({
      ...candidate,
      score: mayStandAlone ? Math.max(candidate.score, ONLY_ADDRESS_SCORE) : candidate.score,
    })),
  )
}

function listContacts(passage: ReadPassage, search: FieldSearch, qualifiers: readonly LabelWord[]): Candidate[] {
  const { type, conventions, asked } = search
  return passage.clauses.flatMap((clause) => {
    const text = passage.text.slice(clause.start, clause.end)
    const values = findValues(text, type, conventions).map(({ value, start, end }) => {
      return { value, start: start + clause.start, end: end + clause.start }
    })
    const nearness = createProximityScorer({ asked: qualifiers.length > 0 ? qualifiers : asked, clause, values })
    return values.flatMap((value) => {
      const near = nearness(value)
      if (near === 0 && isOfOther(passage.text, clause, value.start)) return []
      return [{ ...value, score: TRUST * (qualifiers.length > 0 ? near : Math.max(near, ONLY_ADDRESS_SCORE)) }]
    })
  })
}

/** A label and a name before an address: `References: Dr Sam Poole, `. */
const NAMED_LABEL = /^\s*([^:：\n]{2,40})[:：]\s*(\S.*)$/u

/** True for the address of somebody whom a label and a name introduce, other than the author. */
function isOfOther(text: string, { words }: Clause, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const match = NAMED_LABEL.exec(text.slice(start, at))
  // The only line of a text is about its author, with any label.
  if (match === null || start === 0 || !/\p{Lu}\p{L}+ \p{Lu}/u.test(match[2] ?? '')) return false
  const end = start + match[0].indexOf(match[2] ?? '')
  const label = words.filter((word) => word.start >= start && word.end <= end)
  return (
    label.length > 0 && !label.some(({ keys }) => keys.some((key) => IMPLIED_KEYS.has(key) || AUTHOR_KEYS.has(key)))
  )
}

const NAMED_SCORE = 0.7
/** Maximum distance between the label's words in a sentence that states the field. */
const MAX_SPREAD_WORDS = 5
/** A name after "is", "to" or "by": capitalized words, with particles inside. */
const NAME_AFTER_LABEL = new RegExp(
  String.raw`^["”)]?(?:[:：]|,?\s+(?:is|are|was|will be|shall be|to|by|is called|ist|wird|wurde|bleibt|lautet|est|es|` +
    String.raw`è|é|jest|heet)|\s+[—–-])(?:\s+(?:the|to|der|die|` +
    String.raw`das|le|la))?\s+((?:(?:Dr|Prof|Mr|Mrs|Ms)\.\s+)?\p{Lu}[\p{L}\p{N}.'’&-]*(?:\s+(?:(?:of|and|the|de|du|` +
    String.raw`von|van|der|den|&)\s+)*\p{Lu}[\p{L}\p{N}.'’&-]*){0,6})`,
  'u',
)
const CODE_AFTER_LABEL = new RegExp(
  String.raw`^\s+(?:(?:is|ist|lautet|est|number|no\.?|nr\.?)\s+)*((?=[\p{L}\p{N}/.-]*\d)` +
    String.raw`[\p{L}\p{N}][\p{L}\p{N}/.-]{2,30}[\p{L}\p{N}])(?![\p{L}\p{N}])`,
  'u',
)

/** A name after a topic particle or a verb of being, in a script without spaces: `館長は篠崎晴香、`. */
const UNSPACED_NAME = String.raw`(?<=[はが是为為：])[\p{Script=Han}\p{Script=Katakana}ー々·・]{2,20}(?=[、，,。；;\n]|です|である|$)`
const UNSPACED_LABEL = /^[\p{Script=Han}\p{Script=Katakana}ー々]{2,20}$/u

/** Names and identifiers that follow the label's words: `you will report to Professor Beddoes`. */
function listNamedCandidates(passage: ReadPassage, { asked, keys, name }: FieldSearch): Candidate[] {
  const strong = asked.filter(({ weight }) => weight > 0.5)
  const isCode = keys.has('number') || keys.has('reference')
  if (!isCode && UNSPACED_LABEL.test(name.trim())) return listUnspacedNames(passage.text, name.trim())
  if (strong.length === 0) return []
  return passage.clauses.flatMap(({ words, end }): Candidate[] =>
    findPhrases(words, strong).flatMap((phrase) => {
      if (!isCode && isQualified(passage, words, phrase)) return []
      const behind = passage.text.slice(phrase.end, end)
      const match = (isCode ? CODE_AFTER_LABEL : NAME_AFTER_LABEL).exec(behind)
      const raw = match?.[1]?.replace(/[.,]$/, '')
      if (match === null || raw === undefined) return []
      const start = phrase.end + match[0].lastIndexOf(raw)
      return [{ value: raw.replaceAll(/\s+/g, ' '), start, end: start + raw.length, score: NAMED_SCORE }]
    }),
  )
}

/** Names in a script without spaces. In `副館長は…` the label is part of another one. */
function listUnspacedNames(text: string, label: string): Candidate[] {
  const form = new RegExp(
    String.raw`(?<![\p{Script=Han}\p{Script=Katakana}ー々])${label}[はが是为為：]${UNSPACED_NAME}`,
    'gu',
  )
  return [...text.matchAll(form)].map(({ index, 0: whole }) => {
    const start = index + label.length + 1
    const end = index + whole.length
    return { value: text.slice(start, end), start, end, score: NAMED_SCORE }
  })
}

type Phrase = { start: number; end: number }

/** True for a word directly before the label that makes it another one: `operations manager`. */
function isQualified({ text, contextKeys }: ReadPassage, words: readonly LabelWord[], { start }: Phrase): boolean {
  const before = words.find(({ end }) => end === start - 1)
  const isLinked = before !== undefined && /[ -]/.test(text.slice(before.end, start))
  return isLinked && before.weight > 0.5 && !before.keys.some((key) => contextKeys.has(key))
}

/** The phrases that contain all asked words close together. */
function findPhrases(words: readonly LabelWord[], asked: readonly LabelWord[]): Phrase[] {
  const isAsked = (word: LabelWord) => asked.some((one) => one.keys.some((key) => word.keys.includes(key)))
  return words.flatMap((word, index) => {
    if (!isAsked(word)) return []
    const phrase = words.slice(Math.max(0, index - MAX_SPREAD_WORDS + 1), index + 1).filter(isAsked)
    const isWhole = asked.every((one) => phrase.some((own) => own.keys.some((key) => one.keys.includes(key))))
    return isWhole ? [{ start: phrase[0]?.start ?? word.start, end: word.end }] : []
  })
}
