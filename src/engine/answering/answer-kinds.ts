import { normalizeForMatch } from '../analysis/fold.ts'
import type { AnswerKind, QuestionWords } from '../languages/language.ts'
import { NORMALIZED, phrasesOfAll, phraseToPattern, wordPattern } from '../phrases.ts'
import { EVIDENCE_FORMS } from './evidence-patterns.ts'

/** Kinds with a recognizable form. */
export const STRONG_KINDS: ReadonlySet<AnswerKind> = new Set([
  'date',
  'hour',
  'number',
  'measure',
  'amount',
  'percentage',
  'money',
  'duration',
  'parties',
  'identifier',
  'email',
  'version',
])
/** Kinds with a sign or a unit: the 5 of `Manual of the Aroma 5` has neither. */
export const SIGNED_KINDS: ReadonlySet<AnswerKind> = new Set(['money', 'percentage', 'measure'])
/** Kinds indicated by a capital or a word. */
export const SOFT_KINDS: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'organization', 'permission'])

/** Order of tests: narrower kinds precede kinds with the same words. */
const KINDS: readonly AnswerKind[] = [
  'percentage',
  'money',
  'duration',
  'hour',
  'date',
  'measure',
  'amount',
  'email',
  'identifier',
  'version',
  'number',
  'parties',
  'permission',
  'person',
  'place',
  'organization',
  'reason',
]

const NEVER = '(?!)'
const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]/u

/**
 * "what year", "in welchem Jahr", "en quelle année": an interrogative, up to two words, the noun.
 */
const WHICH = ` (?:${questionPattern(({ which }) => which)}) (?:\\S+ ){0,2}?`
const WHICH_VALUE = ` (?:${questionPattern(({ which }) => which)}) (?:\\S+ )?`
/** No other interrogative may precede: "what happens when …" asks for no date. */
const FIRST = `^ (?:(?!(?:${questionWords(({ interrogatives }) => interrogatives)}) )\\S+ )*?`
/** "How much" with a word of time asks for a duration. */
const TIME_NOUN = new RegExp(` (?:${questionWords(({ timeNouns }) => timeNouns)}) `, 'u')

/** Words that no request for a value begins with: "Is the fee …?", "Where is the date …?" */
const VERBS = [
  questionWords(({ interrogatives }) => interrogatives),
  wordPattern(({ questionWords }) => questionWords, NORMALIZED),
  wordPattern(({ auxiliaries }) => auxiliaries, NORMALIZED),
].join('|')
/** Forms of "to be", as alternatives over texts of `normalizeForMatch`. */
export const COPULAS = wordPattern(({ definitions }) => definitions?.copulas, NORMALIZED)
const VALUE_LINKS = [
  wordPattern(({ beforeNouns }) => beforeNouns, NORMALIZED),
  questionWords(({ valueLinks }) => valueLinks),
].join('|')
/**
 * "What is the monthly …", "Which is the …", "Monthly …". "Which plan has no …" asks for no value.
 */
const VALUE_START =
  `(?:${questionPattern(({ which }) => which)}) (?:${COPULAS})|` +
  `(?:${questionPattern(({ whatIs }) => whatIs)})(?: (?:${COPULAS}))?`
const VALUE_OF = `^ (?:(?:\\S+ )?(?:${VALUE_START}) )?(?:(?!(?:${VERBS}) )\\S+ ){0,3}?`

/** No other value may follow: "the pension age" is no money. */
const NO_VALUE = `(?!(?:${KINDS.flatMap((kind) => [
  questionWords(({ nouns }) => nouns?.[kind]),
  questionWords(({ values }) => values?.[kind]),
])
  .filter((list) => list !== '')
  .join('|')}) )`

/**
 * Question patterns by kind, over texts of `normalizeForMatch`: the interrogative alone, or a noun
 * after the interrogative.
 */
const QUESTION_FORMS = KINDS.map((kind) => ({
  kind,
  plain: new RegExp(`${listPlainForms(kind).join('|') || NEVER}`, 'u'),
  noun: new RegExp(nounForm(kind), 'u'),
}))

function listPlainForms(kind: AnswerKind): string[] {
  const first = questionWords((words) => words.first?.[kind])
  const phrases = phrasesOfAll(({ questions }) => questions?.phrases?.[kind]).map(phraseForm)
  return first === '' ? phrases : [`${FIRST}(?:${first}) `, ...phrases]
}

/** "Which year", "Which deposit", "What is the monthly fee for …?", "Monthly fee?" */
function nounForm(kind: AnswerKind): string {
  const nouns = questionWords((words) => words.nouns?.[kind])
  const values = questionWords((words) => words.values?.[kind])
  const forms = [
    nouns === '' ? [] : `${WHICH}(?:${nouns}) ${NO_VALUE}`,
    values === ''
      ? []
      : `${WHICH_VALUE}(?:${values}) ${NO_VALUE}|${VALUE_OF}(?:${values}) (?:(?:${VALUE_LINKS}) |(?:\\S*\\d\\S* )?$)`,
  ]
  return forms.flat().join('|') || NEVER
}

/** Adds the spaces around a phrase; Chinese and Japanese have none. */
function phraseForm(phrase: string): string {
  if (UNSPACED.test(phrase)) return phraseToPattern(phrase, NORMALIZED)
  const start = phrase.startsWith('^') ? '' : ' '
  return phraseToPattern(`${start}${phrase}${phrase.endsWith('$') ? '' : ' '}`, NORMALIZED)
}

/** Words of one question list, over all languages, as alternatives of a pattern. */
function questionWords(select: (words: QuestionWords) => string | undefined): string {
  return wordPattern(({ questions }) => (questions === undefined ? undefined : select(questions)), NORMALIZED)
}

/** Phrases of one question list, over all languages, as alternatives of a pattern. */
export function questionPattern(select: (words: QuestionWords) => string | undefined): string {
  return phrasesOfAll(({ questions }) => (questions === undefined ? undefined : select(questions)))
    .map((phrase) => phraseToPattern(phrase, NORMALIZED))
    .join('|')
}

/**
 * A kind, and whether the interrogative alone asks for the kind: "when", but not "which period",
 * which may ask for a name.
 */
type AskedKind = { kind: AnswerKind; isPlain: boolean }

const ADDRESS = new RegExp(` (?:${questionPattern(({ addresses }) => addresses)})(?: |$)`, 'u')
const MONEY = EVIDENCE_FORMS.money ?? NEVER
/** "Which plan costs 3 dollars?" asks for a name. */
const ASKS_PRICED = new RegExp(`${WHICH}(?:${questionWords(({ nouns }) => nouns?.money)}) (?:\\S+ )?\\d`, 'u')
const WHO = new RegExp(` (?:${questionWords((words) => (words.hasPlainWho ? words.first?.person : undefined))}) `, 'u')

/** Returns the expected kind of answer, by interrogatives and nouns; `other` if there are none. */
export function readAnswerKind(question: string): AskedKind {
  const words = normalizeForMatch(question)
  const hasTime = TIME_NOUN.test(words)
  // "Who is in charge of …?" asks for no charge.
  const asksWho = QUESTION_FORMS.some(({ kind, plain }) => kind === 'person' && plain.test(words))
  for (const { kind, plain, noun } of QUESTION_FORMS) {
    if (kind === 'amount' && hasTime) continue
    if (plain.test(words)) return { kind, isPlain: kind !== 'person' || WHO.test(words) }
    if (kind === 'money' && ASKS_PRICED.test(words) && question.search(MONEY) >= 0) continue
    // No other text is an address. "Which emails" asks for mails.
    if (!asksWho && noun.test(words)) return { kind, isPlain: kind === 'email' && ADDRESS.test(words) }
  }
  return { kind: 'other', isPlain: false }
}

/** "Is there …?", "Hat sie einen …?" */
const ASKS_WHETHER = new RegExp(`^ (?:${questionPattern(({ whether }) => whether)}) `, 'u')

/**
 * True for a question about the existence of a thing. Only a sentence with that thing is an answer.
 */
export function asksWhether(question: string): boolean {
  return ASKS_WHETHER.test(normalizeForMatch(question))
}
