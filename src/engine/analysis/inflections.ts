import { listWords } from '../languages/language.ts'
import { LANGUAGES } from '../languages/languages.ts'
import type { Word } from './split-words.ts'

/**
 * Prefixes before which a participle keeps its `ge-`; longer ones first where one begins another.
 * Two may stand together: `herauf`, `voraus`.
 */
const SEPARABLE_PREFIXES =
  'ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|her|hin|hoch|los|mit|nach|nieder|statt|teil|über|um|vor|weg|weiter|wieder|zurück|zusammen|zu'
/** Prefixes that take the place of that `ge-`. */
const INSEPARABLE_PREFIXES = 'be|ent|er|hinter|miss|über|unter|ver|wider|zer'
const WITH_ONE_LOOSE = new RegExp(`^(${SEPARABLE_PREFIXES})(.+)$`)
const WITH_FAST = new RegExp(`^(${INSEPARABLE_PREFIXES})(.+)$`)
const PARTICIPLE_START = /^(?:be|emp|ent|er|ge|über|ver)/
/** What participles end in when they stand before a noun. */
const ADJECTIVE_ENDING = /(?<=[nt])e[mnrs]?$/

/**
 * The base form of an irregular German form with the prefixes and the ending it may have, by the
 * bases of forms without: of `ging` also `anging` and `verging`, of `gegangen` also `vergangen`,
 * `ausgegangen` and `ausgegangenen`, of `gekannt` also `anerkannt`. `undefined` for other words.
 */
function germanBaseForm(word: string, bases: ReadonlyMap<string, string>): string | undefined {
  const bare = bases.get(word) ?? ofParticiple(word, bases)
  if (bare !== undefined) return bare
  const [, loose = '', behindLoose = ''] = WITH_ONE_LOOSE.exec(word) ?? []
  const withLoose = loose === '' ? undefined : germanBaseForm(behindLoose, bases)
  if (withLoose !== undefined) return loose + withLoose
  const [, fast = '', behindFast = ''] = WITH_FAST.exec(word) ?? []
  const withFast = bases.get(behindFast) ?? ofParticiple(behindFast, bases) ?? ofParticiple(`ge${behindFast}`, bases)
  return withFast === undefined ? undefined : fast + withFast
}

function ofParticiple(form: string, bases: ReadonlyMap<string, string>): string | undefined {
  if (!PARTICIPLE_START.test(form)) return undefined
  return bases.get(form) ?? bases.get(form.replace(ADJECTIVE_ENDING, ''))
}

type Bases = ReadonlyMap<string, string>

/** By language (ISO 639-1), each form with the form of its word that gives the term. */
const BASES: Readonly<Record<string, Bases>> = Object.fromEntries(
  Object.values(LANGUAGES).flatMap(({ code, irregularForms: list }) =>
    list === undefined ? [] : [[code, readList(list)]],
  ),
)
const NONE: Bases = new Map()

function readList(list: string): Bases {
  return new Map(
    list.split(',').flatMap((group) => {
      const [base = '', ...forms] = listWords(group)
      return forms.map((form): [string, string] => [form, base])
    }),
  )
}

/**
 * What makes of a word in lower case the form that has its term by the stem, in a language (ISO
 * 639-1): `buy` of `bought`; the word itself of nearly all.
 */
export function createBaseForms(language: string): (word: string) => string {
  const bases = BASES[language] ?? NONE
  if (language === 'de') return (word) => germanBaseForm(word, bases) ?? word
  return (word) => bases.get(word) ?? word
}

/**
 * The first letters of irregular forms whose base form begins otherwise, by that base: `w` for
 * `go`.
 */
export function otherBeginnings(language: string): Map<string, Set<string>> {
  const letters = new Map<string, Set<string>>()
  for (const [form, base] of BASES[language] ?? NONE)
    if (form[0] !== base[0]) letters.set(base, (letters.get(base) ?? new Set()).add(form.slice(0, 1)))
  return letters
}

/**
 * Each word of a longer query would be looked up in four forms, of which its other words do better.
 */
const MOST_WORDS = 40

const WITH_LOOSE = new RegExp(`^((?:${SEPARABLE_PREFIXES})*)(.+)$`)
/** These have a participle without `ge`, or one that is another word to the stemmer. */
const WITHOUT_GE = new RegExp(`^(?:ge|${INSEPARABLE_PREFIXES})|ier$|es$`)
const PARTICIPLE = new RegExp(`^((?:${SEPARABLE_PREFIXES})*)ge(.{2,}?[^e])e?t(?:e[mnrs]?)?$`)
/** Stems that end in `t`: their `-ten` is no past of a stem without. */
const T_STEM =
  /(?:arbeit|art|wort|wert|halt|walt|schalt|stalt|spalt|falt|tracht|bacht|pacht|[^e]icht|ücht|ürcht|[dlr]eit|deut|beut|[aä]ut|att|ett|itt|bet|iet|rat|ret|öt|[mhl][uü]t|est|ist|ast|ost|üst|haupt|[aei]ft|üft)$/
/** Words that look like forms of verbs. */
const NO_VERB = /(?:dicht|echt|feucht|hundert|leicht|recht|schlecht|schlicht|seicht|gesamt|text)(?:e[mnrs]?)?$/
/** Verbs that begin with `ge` themselves. */
const GE_VERB = /^(?:brauch|bühr|fährd|horch|hör|lang|nehmig|nüg|stalt|statt|währ|wöhn)/
const DUTCH_GE_VERB = /^(?:bruik|beur|loof|hoorzaam)/
/** Stems with an `e` before their endings: `arbeitet`, `öffnet`. */
const EXTENDED = /[td]$|[^aeioulrhmnäöü][mn]$/

const germanBaseOf = createBaseForms('de')

/**
 * Other forms of the words of a query that are regular verbs of its language (ISO 639-1): of
 * `kaufen` also `gekauft`, of `maken` also `gemaakt`. English verbs have them by their stem; of
 * `heat` and `part` German rules would make words that are none.
 */
export function verbForms(words: readonly Word[], language: string): Word[] {
  const formsOf = language === 'de' ? germanVerbForms : language === 'nl' ? dutchVerbForms : undefined
  if (formsOf === undefined || words.length > MOST_WORDS) return []
  return words
    .filter(({ kind }) => kind === 'word')
    .flatMap((word) => formsOf(word.text).map((text) => ({ ...word, text })))
}

/**
 * Forms that a regular German verb may have beside the one that is given, in lower case as verbs
 * are written: `kauft` and `gekauft` of `kaufen`. The stemmer makes a term of each. Of a word that
 * is no verb they are no words.
 */
function germanVerbForms(written: string): string[] {
  const word = /^[a-zäöüß]{4,40}$/.test(written) ? germanBaseOf(written) : ''
  if (word === '' || NO_VERB.test(word) || T_STEM.test(word)) return []
  return germanStemsOf(word)
    .filter((stem) => /[aeiouyäöü]/.test(stem))
    .flatMap(germanFormsOf)
}

function germanFormsOf(stem: string): string[] {
  const end = EXTENDED.test(stem) ? 'et' : 't'
  const [, before = '', rest = ''] = WITH_LOOSE.exec(stem) ?? []
  const participle = WITHOUT_GE.test(rest) ? [] : [`${before}ge${rest}${end}`]
  return [stem + (/(?:el|(?:[^i]|ei)er)$/.test(stem) ? 'n' : 'en'), stem + end, ...participle]
}

/**
 * What stands before the ending: `kauf` of `gekauft`, `kaufte`, `kauft` and `kaufen`; of `gehört`
 * also `gehör`.
 */
function germanStemsOf(word: string): string[] {
  const [, before = '', inside] = PARTICIPLE.exec(word) ?? []
  if (inside !== undefined) return [before + inside, ...(GE_VERB.test(inside) ? [`${before}ge${inside}`] : [])]
  const [, past] = /^(.{3,}?)te(?:n|st)?$/.exec(word) ?? []
  if (past !== undefined && !T_STEM.test(`${past}t`)) return [past.replace(/e$/, '')]
  const [, finite] = /^(.{3,})t$/.exec(word) ?? []
  if (finite !== undefined) return [EXTENDED.test(finite.slice(0, -1)) ? finite.replace(/e$/, '') : finite]
  return /^(.{2,}e[lr])n$/.exec(word)?.slice(1) ?? /^(.{3,})en$/.exec(word)?.slice(1) ?? []
}

/**
 * Prefixes of Dutch verbs that stand before the `ge` of their participles, and those in place of
 * it.
 */
const DUTCH_LOOSE = 'aan|achter|af|bij|binnen|door|in|mee|na|om|onder|op|over|samen|tegen|terug|toe|uit|vast|voor|weg'
const DUTCH_FAST = /^(?:be|er|ge|her|ont|ver)/
const WITH_DUTCH_LOOSE = new RegExp(`^((?:${DUTCH_LOOSE})?)(.+)$`)
const DUTCH_PARTICIPLE = new RegExp(`^((?:${DUTCH_LOOSE})?)ge(.{2,}[td])e?$`)
const VOICELESS = /(?:[fkpstx]|ch)$/
/** Syllables before an ending that are not stressed as a rule: `verzamel`, `verander`. */
const UNSTRESSED = /[aeiou].*e[lmnr]$/

const dutchBaseOf = createBaseForms('nl')

/** The same of a Dutch verb: `maakt` and `gemaakt` of `maken`. */
function dutchVerbForms(written: string): string[] {
  const word = /^[a-zë]{4,40}$/.test(written) ? dutchBaseOf(written) : ''
  const stems = new Set(dutchStemsOf(word).filter((stem) => /[aeiouy].*[^aeiou]$/.test(stem)))
  return [...stems].flatMap(dutchFormsOf)
}

function dutchFormsOf(stem: string): string[] {
  const [, before = '', rest = ''] = WITH_DUTCH_LOOSE.exec(stem) ?? []
  const pasts = /[td]$/.test(rest) ? [''] : /[fs]$/.test(rest) ? ['t', 'd'] : [VOICELESS.test(rest) ? 't' : 'd']
  const participles = DUTCH_FAST.test(rest) ? [] : pasts.map((past) => `${before}ge${rest}${past}`)
  return [...basesOf(stem), stem.endsWith('t') ? stem : `${stem}t`, ...pasts.map((past) => stem + past), ...participles]
}

/**
 * As it stands before a consonant, `maak` of `gemaakt`, `maakte`, `maakt` and `maken`; where `t` or
 * `d` may be its own, with it and without.
 */
function dutchStemsOf(word: string): string[] {
  const [, before = '', inside] = DUTCH_PARTICIPLE.exec(word) ?? []
  if (inside !== undefined) {
    const isBase = DUTCH_GE_VERB.test(inside)
    return isBase ? [`${before}ge${inside.slice(0, -1)}`] : [before + inside.slice(0, -1), before + inside]
  }
  const finite = /^(.{2,})[td](?:en?)?$/.exec(word)?.slice(1) ?? []
  return [...finite, ...(word.endsWith('en') ? closed(word.slice(0, -2)) : [])]
}

/** `maak` of `mak`, `zet` of `zett`, `leef` of `lev`. */
function closed(stem: string): string[] {
  const single = stem.replace(/([^aeiou])\1$/, '$1')
  const long = single === stem ? stem.replace(/(?<![aeiou])([aeou])(?=[^aeiouwx]$)/, '$1$1') : single
  const hardened = long.replace(/v$/, 'f').replace(/z$/, 's')
  return UNSTRESSED.test(stem) ? [stem, hardened] : [hardened]
}

/** What may be the infinitive: `maken` of `maak`, `leven` of `leef`, `zetten` of `zet`. */
function basesOf(stem: string): string[] {
  const open = stem.replace(/([aeou])\1(?=[^aeiou]$)/, '$1')
  const doubled =
    open === stem && /[^aeiou][aeiou][^aeiouw]$/.test(stem) && !UNSTRESSED.test(stem) ? stem + stem.slice(-1) : open
  const voiced = open.replace(/f$/, 'v').replace(/s$/, 'z')
  return [...new Set([`${doubled}en`, `${voiced}en`])]
}
