import { fold } from './analysis/fold.ts'
import { listWords } from './languages/language.ts'
import { languagesWith, type Selector } from './languages/languages.ts'

/**
 * The kind of text that patterns are for, with the pattern of each sign of the notation
 * (`Language`).
 */
export type Notation = {
  /**
   * The text is in the form of `normalizeForMatch`: lower case without accents, one space around
   * each word.
   */
  isNormalized: boolean
  /** `^` */
  start: string
  /** `*` at the begin of a word, and elsewhere. */
  beginning: string
  ending: string
  /** `…` */
  text: string
}

/** For texts in the form of `normalizeForMatch`. */
export const NORMALIZED: Notation = { isNormalized: true, start: '^', beginning: '\\S*', ending: '\\S*', text: '.*' }
/** For texts as written. Every repetition is bounded, so that a search is linear. */
export const WRITTEN: Notation = {
  isNormalized: false,
  start: '^\\W*',
  beginning: '\\p{L}{0,20}',
  ending: '\\p{Ll}{0,8}',
  text: '[^?\\n]{1,200}',
}

/** The phrases of one list of every language that has it. */
export function phrasesOfAll(select: Selector): string[] {
  return languagesWith(select).flatMap((language) => listPhrases(select(language)))
}

/**
 * The words of one list of all languages with spaces between words, as alternatives of a pattern.
 */
export function wordPattern(select: Selector, notation: Notation): string {
  const spaced = languagesWith(select).filter((language) => language.isUnspaced !== true)
  return joinAlternatives(spaced.map((language) => wordsToPattern(select(language), notation)))
}

/** The same of the languages without spaces between words. */
export function unspacedPattern(select: Selector): string {
  const unspaced = languagesWith(select).filter((language) => language.isUnspaced === true)
  return joinAlternatives(unspaced.map((language) => wordsToPattern(select(language), WRITTEN)))
}

function joinAlternatives(patterns: readonly string[]): string {
  return patterns.filter((pattern) => pattern !== '').join('|')
}

/** The phrases of a text, one a line. */
export function listPhrases(text: string | undefined): string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The words of a list as alternatives of a pattern; empty where there are none. */
function wordsToPattern(list: string | undefined, notation: Notation): string {
  return listWords(list)
    .map((word) => phraseToPattern(word.replaceAll('_', ' '), notation))
    .join('|')
}

/** A phrase as the source of a pattern. */
export function phraseToPattern(phrase: string, notation: Notation): string {
  const text = notation.isNormalized ? fold(phrase.toLowerCase()) : phrase
  return createReader(text, notation)()
}

/**
 * The source of a pattern for the part in braces, with the rest as look-behind and look-ahead.
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

/** Recursive descent over one phrase. */
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

  /** The space behind an optional word belongs to that word. */
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
