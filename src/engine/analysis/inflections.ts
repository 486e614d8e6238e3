import { listWords } from '../languages/language.ts'
import { LANGUAGES } from '../languages/languages.ts'
import type { Word } from './split-words.ts'

/**
 * Separable prefixes, before which a participle keeps `ge-`; longer prefixes first. Two prefixes
 * may be combined: `herauf`, `voraus`.
 */
const SEPARABLE_PREFIXES =
  'ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|her|hin|hoch|los|mit|nach|nieder|statt|teil|über' +
  '|um|vor|weg|weiter|wieder|zurück|zusammen|zu'
/** Inseparable prefixes, which replace `ge-`. */
const INSEPARABLE_PREFIXES = 'be|ent|er|hinter|miss|über|unter|ver|wider|zer'
const WITH_ONE_LOOSE = new RegExp(`^(${SEPARABLE_PREFIXES})(.+)$`)
const WITH_FAST = new RegExp(`^(${INSEPARABLE_PREFIXES})(.+)$`)
const PARTICIPLE_START = /^(?:be|emp|ent|er|ge|über|ver)/
/** Adjective endings of participles. */
const ADJECTIVE_ENDING = /(?<=[nt])e[mnrs]?$/

/**
 * Returns the base form of an irregular German form with optional prefixes and ending. `bases` maps
 * forms without prefixes: `ging` also covers `anging` and `verging`, `gegangen` also `vergangen`,
 * `ausgegangen` and `ausgegangenen`, `gekannt` also `anerkannt`. Returns `undefined` for other
 * words.
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

/** Base form of each irregular form, by language (ISO 639-1). */
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
 * Returns a function that maps an irregular lower-case form to its base form before stemming (ISO
 * 639-1): `bought` to `buy`. Other words are returned unchanged.
 */
export function createBaseForms(language: string): (word: string) => string {
  const bases = BASES[language] ?? NONE
  if (language === 'de') return (word) => germanBaseForm(word, bases) ?? word
  return (word) => bases.get(word) ?? word
}

/**
 * Returns first letters of irregular forms that differ from the first letter of the base form, by
 * base form: `w` for `go`.
 */
export function otherFirstLetters(language: string): Map<string, Set<string>> {
  const letters = new Map<string, Set<string>>()
  for (const [form, base] of BASES[language] ?? NONE)
    if (form[0] !== base[0]) letters.set(base, (letters.get(base) ?? new Set()).add(form.slice(0, 1)))
  return letters
}

/** Longer queries get no verb forms: four lookups a word, and the other words suffice. */
const MAX_WORDS = 40

const WITH_LOOSE = new RegExp(`^((?:${SEPARABLE_PREFIXES})*)(.+)$`)
/** Verbs whose participle has no `ge`, or whose participle is a different word to the stemmer. */
const WITHOUT_GE = new RegExp(`^(?:ge|${INSEPARABLE_PREFIXES})|ier$|es$`)
const PARTICIPLE = new RegExp(`^((?:${SEPARABLE_PREFIXES})*)ge(.{2,}?[^e])e?t(?:e[mnrs]?)?$`)
/** Stems that end in `t`: here `-ten` is no past tense of a stem without `t`. */
const T_STEM_ENDINGS = [
  'arbeit|art|wort|wert|halt|walt|schalt|stalt|spalt|falt|tracht|bacht|pacht|[^e]icht|ücht|ürcht',
  '[dlr]eit|deut|beut|[aä]ut|att|ett|itt|bet|iet|rat|ret|öt|[mhl][uü]t|est|ist|ast|ost|üst|haupt',
  '[aei]ft|üft',
].join('|')
const T_STEM = new RegExp(`(?:${T_STEM_ENDINGS})$`)
/** Words that look like verb forms. */
const NO_VERB = /(?:dicht|echt|feucht|hundert|leicht|recht|schlecht|schlicht|seicht|gesamt|text)(?:e[mnrs]?)?$/
/** Verbs that begin with `ge`. */
const GE_VERB = /^(?:brauch|bühr|fährd|horch|hör|lang|nehmig|nüg|stalt|statt|währ|wöhn)/
const DUTCH_GE_VERB = /^(?:bruik|beur|loof|hoorzaam)/
/** Stems that insert an `e` before endings: `arbeitet`, `öffnet`. */
const EXTENDED = /[td]$|[^aeioulrhmnäöü][mn]$/

const germanBaseOf = createBaseForms('de')

/**
 * Returns other forms of regular verbs in a query (ISO 639-1): `gekauft` for `kaufen`, `gemaakt`
 * for `maken`. The English stemmer covers English verbs; German rules would make non-words of
 * `heat` and `part`.
 */
export function listVerbForms(words: readonly Word[], language: string): Word[] {
  const formsOf = language === 'de' ? germanVerbForms : language === 'nl' ? dutchVerbForms : undefined
  if (formsOf === undefined || words.length > MAX_WORDS) return []
  return words
    .filter(({ kind }) => kind === 'word')
    .flatMap((word) => formsOf(word.text).map((text) => ({ ...word, text })))
}

/**
 * Returns forms of a regular German verb in lower case: `kauft` and `gekauft` for `kaufen`. The
 * stemmer turns each form into a term. Forms of a word that is no verb are non-words.
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
 * Returns verb stems: `kauf` for `gekauft`, `kaufte`, `kauft` and `kaufen`; for `gehört` also
 * `gehör`.
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

/** Separable and inseparable prefixes of Dutch verbs. */
const DUTCH_LOOSE = 'aan|achter|af|bij|binnen|door|in|mee|na|om|onder|op|over|samen|tegen|terug|toe|uit|vast|voor|weg'
const DUTCH_FAST = /^(?:be|er|ge|her|ont|ver)/
const WITH_DUTCH_LOOSE = new RegExp(`^((?:${DUTCH_LOOSE})?)(.+)$`)
const DUTCH_PARTICIPLE = new RegExp(`^((?:${DUTCH_LOOSE})?)ge(.{2,}[td])e?$`)
const VOICELESS = /(?:[fkpstx]|ch)$/
/** Usually unstressed syllables before an ending: `verzamel`, `verander`. */
const UNSTRESSED = /[aeiou].*e[lmnr]$/

const dutchBaseOf = createBaseForms('nl')

/** Same for Dutch: `maakt` and `gemaakt` for `maken`. */
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
 * Returns stems as spelled before a consonant: `maak` for `gemaakt`, `maakte`, `maakt` and `maken`.
 * A final `t` or `d` may belong to the stem, so both variants are returned.
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

/** `mak` becomes `maak`, `zett` `zet`, `lev` `leef`. */
function closed(stem: string): string[] {
  const single = stem.replace(/([^aeiou])\1$/, '$1')
  const long = single === stem ? stem.replace(/(?<![aeiou])([aeou])(?=[^aeiouwx]$)/, '$1$1') : single
  const hardened = long.replace(/v$/, 'f').replace(/z$/, 's')
  return UNSTRESSED.test(stem) ? [stem, hardened] : [hardened]
}

/** Possible infinitives: `maken` of `maak`, `leven` of `leef`, `zetten` of `zet`. */
function basesOf(stem: string): string[] {
  const open = stem.replace(/([aeou])\1(?=[^aeiou]$)/, '$1')
  const doubled =
    open === stem && /[^aeiou][aeiou][^aeiouw]$/.test(stem) && !UNSTRESSED.test(stem) ? stem + stem.slice(-1) : open
  const voiced = open.replace(/f$/, 'v').replace(/s$/, 'z')
  return [...new Set([`${doubled}en`, `${voiced}en`])]
}
