import { normalizeWord, normalizeWordForMatch } from '../engine/analysis/fold.ts'
import { createLexicon } from '../engine/analysis/lexicon.ts'
import { splitWords, type Word } from '../engine/analysis/split-words.ts'
import { listWords } from '../engine/languages/language.ts'
import { MAX_PHRASE_WORDS, OWN_SYNONYMS, SYNONYMS } from '../engine/synonyms.ts'
import { IDENTIFIER_LABELS } from './values/identifiers.ts'
import { createOverlapTest } from './values/value.ts'

/** A word or phrase of a label or sentence, normalized to its meaning. */
export type LabelWord = {
  /**
   * The meaning, or the stems in the languages of the memory. Two words match if their keys
   * intersect.
   */
  keys: readonly string[]
  start: number
  end: number
  /** Specificity, 0.2 to 1: "invoice" is high, "date" is low. */
  weight: number
}

/** Reads words by meaning. */
export type WordReader = {
  /**
   * Returns the significant words of a text in order; `invoiceDate` and `invoice_date` are two
   * words.
   */
  read(text: string): LabelWord[]
}

/** Words that occur in every form and do not distinguish one field from another. */
const WORD_WEIGHTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    number: 0.35,
    date: 0.2,
    name: 0.35,
    amount: 0.3,
    value: 0.3,
    full: 0.2,
    total: 0.9,
    detail: 0.2,
    cost: 0.4,
    price: 0.5,
    fee: 0.5,
    rate: 0.4,
    percent: 0.3,
    payment: 0.5,
    quantity: 0.4,
    reference: 0.6,
    type: 0.5,
    day_count: 0.6,
    size: 0.3,
    period: 0.4,
    length: 0.4,
    level: 0.4,
    status: 0.5,
    month: 0.6,
    within: 0.4,
    year: 0.6,
    week: 0.6,
    plus: 0.1,
    per: 0.1,
  }),
)
const DIGITS_WEIGHT = 0.2
/** German compounds: the last part is the head, the first part qualifies the head. */
const COMPOUND = new RegExp(
  String.raw`^(\p{L}{4,}?)(s|n|en|es)?(nummer|datum|betrag|adresse|satz|frist|dauer|name|kosten|miete|preis|` +
    'beginn|ende|ablauf|note|sats|zahlung|gebühr|stand|sitzung|versammlung|zeitraum|vertrag|verhältnis)$',
  'u',
)
const COMPOUND_HEAD_WEIGHT = 0.6

/** Meanings in labels and forms alone, as words of all languages. */
const LABEL_MEANINGS = {
  construction: `
    built constructed construction gebaut erbaut errichtet baujahr construit construite construido
    construida construcción costruito costruita costruzione gebouwd bouwjaar construído construída
    construção zbudowany wybudowany zbudowano wybudowano budowy построен построена построено постройки
    byggt byggdes byggd byggår bygget byggeår`,
  permit: `
    welcome willkommen bienvenus bienvenue bienvenues bienvenu bienvenidos bienvenidas benvenuti benvenute welkom
    bem-vindos välkomna velkomne`,
  percent: 'percentage procent',
  rate: 'sats',
  tax: 'moms mva',
  quantity: 'antal antall',
}

function listLabelMeanings(): (readonly [string, string])[] {
  return Object.entries(LABEL_MEANINGS).flatMap(([meaning, words]) =>
    listWords(words).map((word) => [word, meaning] as const),
  )
}

/** Meaning of each form of a word or phrase, normalized. */
const COMMON_MEANINGS: ReadonlyMap<string, string> = new Map(
  listForms(new Map([...SYNONYMS, ...IDENTIFIER_LABELS, ...listLabelMeanings()])),
)

function listForms(meanings: ReadonlyMap<string, string>): (readonly [string, string])[] {
  return [...meanings].flatMap(([phrase, meaning]) =>
    withFeminine(normalizePhrase(phrase)).map((form) => [form, meaning] as const),
  )
}

/** Creates a reader for the languages of a memory (ISO 639-1). Caches the words read. */
export function createWordReader(languages: readonly string[]): WordReader {
  const lexicons = [...new Set(['en', ...languages])].map(createLexicon)
  const known = new Map<string, readonly string[]>()
  const stemmed = mapStemsToMeanings(stemsOf)
  const meanings = new Map([
    ...COMMON_MEANINGS,
    ...languages.toReversed().flatMap((code) => listForms(OWN_SYNONYMS[code] ?? new Map())),
  ])
  function stemsOf(word: string): string[] {
    return [...new Set(lexicons.map((lexicon) => lexicon.termOf(word, true)))]
  }

  function keysOf(word: string): readonly string[] {
    const remembered = known.get(word)
    if (remembered !== undefined) return remembered
    const stems = lexicons.some((lexicon) => lexicon.isStopWord(normalizeWord(word))) ? [] : stemsOf(word)
    const keys = [...new Set(stems.map((stem) => stemmed.get(stem) ?? stem))]
    known.set(word, keys)
    return keys
  }

  function readWord(text: string, span: { start: number; end: number }): LabelWord[] {
    const compound = COMPOUND.exec(text.toLowerCase())
    if (compound !== null && !meanings.has(normalizeForm(text))) {
      const [, head = '', link = '', tail = ''] = compound
      const last = meanings.get(normalizeForm(tail)) ?? tail
      const known = [head, `${head}e`]
        .map((word) => meanings.get(normalizeForm(word)))
        .find((meaning) => meaning !== undefined)
      // The n of "Lieferscheinnummer" is no link.
      const stems = [...new Set([...keysOf(head), ...keysOf(head + link)])]
      // "nach" is a stop word, but not in "Nachzahlung".
      const first = known === undefined ? (stems.length > 0 ? stems : [normalizeForm(head)]) : [known]
      return [
        { keys: first, ...span, weight: COMPOUND_HEAD_WEIGHT },
        { keys: [last], ...span, weight: weightOf(last) },
      ]
    }
    const keys = keysOf(text)
    return keys.length === 0 ? [] : [{ keys, ...span, weight: weightOf(keys[0] ?? '') }]
  }

  return {
    read(text) {
      const words = splitLabel(text, meanings)
      const read: LabelWord[] = []
      for (let index = 0; index < words.length; ) {
        const phrase = findLongestPhrase(text, words.slice(index, index + MAX_PHRASE_WORDS), meanings)
        const first = words[index]
        if (first === undefined) break
        if (phrase !== null) {
          const { meaning, length, end } = phrase
          read.push({ keys: [meaning], start: first.start, end, weight: weightOf(meaning) })
          index += length
        } else {
          read.push(...readWord(first.text, { start: first.start, end: first.end }))
          index += 1
        }
      }
      return read
    },
  }
}

type LabelSpan = { text: string; start: number; end: number }

/** The words and the signs for "number" of a text, in order. */
function splitLabel(text: string, meanings: ReadonlyMap<string, string>): LabelSpan[] {
  const split = splitWords(text)
  // `MwSt` is a word and no two; `invoiceDate` is two.
  const isKnown = ({ kind, text: word }: Word) => kind === 'whole' && meanings.has(word.toLowerCase())
  const isPart = createOverlapTest(split.filter(isKnown))
  const plain = split.filter((word) => isKnown(word) || (word.kind !== 'whole' && !isPart(word)))
  const signs = [...text.matchAll(/[#№]|n°|nº/giu)].map((sign) => {
    return { text: '#', start: sign.index, end: sign.index + sign[0].length }
  })
  const atSigns = new Set(signs.map(({ start }) => start))
  return [...plain.filter(({ start }) => !atSigns.has(start)), ...signs].sort((a, b) => a.start - b.start)
}

/**
 * Maps stems to meanings. Foreign words are skipped: the English stemmer would turn `durée` into
 * the stem of "during".
 */
function mapStemsToMeanings(stemsOf: (word: string) => string[]): Map<string, string> {
  const stemmed = new Map<string, string>()
  for (const [word, meaning] of SYNONYMS) {
    if (/^[a-z]+$/.test(word)) for (const stem of stemsOf(word)) if (!stemmed.has(stem)) stemmed.set(stem, meaning)
  }
  return stemmed
}

/** `Vermieter` is `Vermieterin` as well. */
function withFeminine(form: string): string[] {
  return /^\p{L}+er$/u.test(form) ? [`${form}innen`, `${form}in`, form] : [form]
}

function findLongestPhrase(
  text: string,
  words: readonly LabelSpan[],
  meanings: ReadonlyMap<string, string>,
): { meaning: string; length: number; end: number } | null {
  for (let length = words.length; length > 0; length -= 1) {
    const last = words[length - 1]
    const meaning = meanings.get(
      words
        .slice(0, length)
        .map((word) => normalizeForm(word.text))
        .join(' '),
    )
    const isOneLine = !text.slice(words[0]?.start, last?.end).includes('\n')
    if (meaning !== undefined && last !== undefined && isOneLine) return { meaning, length, end: last.end }
  }
  return null
}

function normalizePhrase(phrase: string): string {
  return phrase.split(' ').map(normalizeForm).join(' ')
}

function normalizeForm(text: string): string {
  return /^(?:[#№]|n[°º])$/u.test(text) ? '#' : normalizeWordForMatch(text)
}

function weightOf(key: string): number {
  const weight = WORD_WEIGHTS.get(key)
  if (weight !== undefined) return weight
  return /^\d+$/.test(key) ? DIGITS_WEIGHT : 1
}
