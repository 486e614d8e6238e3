import { fold } from './analysis/fold.ts'
import { listWords } from './languages/language.ts'
import { languagesWith, type Selector } from './languages/languages.ts'

/** A kind of text, with the pattern of each sign of the notation (`Language`). */
export type Notation = {
  /** Texts of `normalizeForMatch`: lower case without accents, one space around each word. */
  isNormalized: boolean
  /** `^` */
  start: string
  /** `*` at the start of a word, and elsewhere. */
  beginning: string
  ending: string
  /** `…` */
  text: string
}

/** For texts of `normalizeForMatch`. */
export const NORMALIZED: Notation = { isNormalized: true, start: '^', beginning: '\\S*', ending: '\\S*', text: '.*' }
/** For texts as written. Every repetition is bounded, so that a search is linear. */
export const WRITTEN: Notation = {
  isNormalized: false,
  start: '^\\W*',
  beginning: '\\p{L}{0,20}',
  ending: '\\p{Ll}{0,8}',
  text: '[^?\\n]{1,200}',
}

/** Returns the phrases of one list over all languages. */
export function phrasesOfAll(select: Selector): string[] {
  return languagesWith(select).flatMap((language) => listPhrases(select(language)))
}

/** Returns the words of one list as alternatives of a pattern, over all languages with spaces. */
export function wordPattern(select: Selector, notation: Notation): string {
  const spaced = languagesWith(select).filter((language) => language.isUnspaced !== true)
  return joinAlternatives(spaced.map((language) => wordsToPattern(select(language), notation)))
}

/** Same for languages without spaces. */
export function unspacedPattern(select: Selector): string {
  const unspaced = languagesWith(select).filter((language) => language.isUnspaced === true)
  return joinAlternatives(unspaced.map((language) => wordsToPattern(select(language), WRITTEN)))
}

function joinAlternatives(patterns: readonly string[]): string {
  return patterns.filter((pattern) => pattern !== '').join('|')
}

/** Splits a list into phrases, one per line. */
export function listPhrases(text: string | undefined): string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Returns words as alternatives of a pattern; empty for an empty list. */
export function wordsToPattern(list: string | undefined, notation: Notation): string {
  return listWords(list)
    .map((word) => phraseToPattern(word.replaceAll('_', ' '), notation))
    .join('|')
}

/** Returns the pattern source of a phrase. */
export function phraseToPattern(phrase: string, notation: Notation): string {
  const text = notation.isNormalized ? fold(phrase.toLowerCase()) : phrase
  return createReader(text, notation)()
}

/**
 * Returns the pattern source of the part in braces, with the rest as look-behind and look-ahead.
 * `end` is a pattern for the end of the phrase.
 */
export function markedToPattern(phrase: string, notation: Notation, end = ''): string {
  const [, before = '', marked = '', after = ''] = /^([^{]*)\{(.*)\}([^}]*)$/u.exec(phrase) ?? ['', '', phrase, '']
  const behind = before === '' ? '' : `(?<=${phraseToPattern(before, notation)})`
  const ahead = after === '' ? end : `(?=${phraseToPattern(after, notation)}${end})`
  return `${behind}${phraseToPattern(marked, notation)}${ahead}`
}

const SIGN = /^(?:!\(|<(\d+)-(\d+)> ?|.)/u
const PATTERNS: Readonly<Record<string, string>> = { '?': '\\p{L}', '#': '\\d', '.': '\\.', '+': '\\+' }

/** Recursive descent parser for one phrase. */
function createReader(phrase: string, { start, beginning, ending, text }: Notation): () => string {
  let at = 0

  function read(): string {
    let pattern = ''
    while (at < phrase.length) {
      const [sign = '', least, most] = SIGN.exec(phrase.slice(at)) ?? []
      if (sign === ')' || sign === ']') break
      const isWordStart = at === 0 || ' (|['.includes(phrase[at - 1] ?? '')
      at += sign.length
      if (least !== undefined) pattern += `(?:\\S+ ){${least},${most}}?`
      else pattern += readSign(sign, isWordStart)
    }
    return pattern
  }

  function readSign(sign: string, isWordStart: boolean): string {
    if (sign === '(') return `(?:${readInner()})`
    if (sign === '!(') return `(?!(?:${readInner()})${takeSpace()})`
    if (sign === '[') return `(?:${readOptional(isWordStart)})?`
    if (sign === '*') return isWordStart ? beginning : ending
    if (sign === '^') return start
    return sign === '…' ? text : (PATTERNS[sign] ?? sign)
  }

  function readInner(): string {
    const inner = read()
    at += 1
    return inner
  }

  /** The space after an optional word is optional as well. */
  function readOptional(isWordStart: boolean): string {
    const inner = readInner()
    return isWordStart ? `(?:${inner})${takeSpace()}` : inner
  }

  function takeSpace(): string {
    if (phrase[at] !== ' ') return ''
    at += 1
    return ' '
  }

  return read
}
