import { FAST_PREFIXES, LOOSE_PREFIXES } from './german-forms.ts'
import { createBaseForms } from './irregular-forms.ts'
import type { Word } from './split-words.ts'

/** Each word of a longer query would be looked up in four forms, of which its other words do better. */
const MOST_WORDS = 40

const WITH_LOOSE = new RegExp(`^((?:${LOOSE_PREFIXES})*)(.+)$`)
/** These have a participle without `ge`, or one that is another word to the stemmer. */
const WITHOUT_GE = new RegExp(`^(?:ge|${FAST_PREFIXES})|ier$|es$`)
const PARTICIPLE = new RegExp(`^((?:${LOOSE_PREFIXES})*)ge(.{2,}?[^e])e?t(?:e[mnrs]?)?$`)
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
 * Other forms of the words of a query that are regular verbs of its language (ISO 639-1): of `kaufen` also `gekauft`, of `maken` also `gemaakt`. English verbs
 * have them by their stem; of `heat` and `part` German rules would make words that are none.
 */
export function verbForms(words: readonly Word[], language: string): Word[] {
  const formsOf = language === 'de' ? germanVerbForms : language === 'nl' ? dutchVerbForms : undefined
  if (formsOf === undefined || words.length > MOST_WORDS) return []
  return words
    .filter(({ kind }) => kind === 'word')
    .flatMap((word) => formsOf(word.text).map((text) => ({ ...word, text })))
}

/**
 * Forms that a regular German verb may have beside the one that is given, in lower case as verbs are written: `kauft` and `gekauft` of `kaufen`. The stemmer
 * makes a term of each. Of a word that is no verb they are no words.
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

/** What stands before the ending: `kauf` of `gekauft`, `kaufte`, `kauft` and `kaufen`; of `gehört` also `gehör`. */
function germanStemsOf(word: string): string[] {
  const [, before = '', inside] = PARTICIPLE.exec(word) ?? []
  if (inside !== undefined) return [before + inside, ...(GE_VERB.test(inside) ? [`${before}ge${inside}`] : [])]
  const [, past] = /^(.{3,}?)te(?:n|st)?$/.exec(word) ?? []
  if (past !== undefined && !T_STEM.test(`${past}t`)) return [past.replace(/e$/, '')]
  const [, finite] = /^(.{3,})t$/.exec(word) ?? []
  if (finite !== undefined) return [EXTENDED.test(finite.slice(0, -1)) ? finite.replace(/e$/, '') : finite]
  return /^(.{2,}e[lr])n$/.exec(word)?.slice(1) ?? /^(.{3,})en$/.exec(word)?.slice(1) ?? []
}

/** Prefixes of Dutch verbs that stand before the `ge` of their participles, and those in place of it. */
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

/** As it stands before a consonant, `maak` of `gemaakt`, `maakte`, `maakt` and `maken`; where `t` or `d` may be its own, with it and without. */
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
