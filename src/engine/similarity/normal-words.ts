import { UNSPACED } from '../analysis/unspaced-terms.ts'
import { mix } from './min-hash.ts'

/** Normalizes the words of a text in pieces, so that equal texts give equal words. */
export type NormalWords = {
  /** Reads complete words; a word at the end of the piece may continue in the next one. */
  add(piece: string): void
  /** Reads the remaining words. */
  finish(): void
}

/** Receives the words in order. */
export type WordSink = {
  /** Takes words, each followed by a space. Bytes are UTF-8 and valid only during the call. */
  text(words: string | Uint8Array): void
  /** Takes the 32-bit hash of the next word. */
  word(hash: number): void
}

/** A longer run of letters is split from its start, so that piece borders have no effect. */
const MAX_WORD_CHARACTERS = 64
const RUNS = /[\p{L}\p{M}\p{N}]+/gv
const NOT_LETTERS = /[^\p{L}\p{M}\p{N}]+/gv
const ASCII_ALONE = /^[\0-\x7f]*$/
const ASCII = 0x80
const SPACE = 0x20
/** Lower case of each ASCII letter or digit; 0 for all others. */
const SMALL_LETTERS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[0-9A-Za-z]/.test(character) ? character.toLowerCase().charCodeAt(0) : 0
})
/** FNV-1a over UTF-16 code units. */
const FNV = { offset: 0x811c9dc5, prime: 0x01000193 } as const
/** Buffer size for words. */
const HELD_BYTES = 4096
/**
 * Characters read by the slow path after a non-ASCII word: in most languages more such words
 * follow, in English few.
 */
const OTHERS_CHARACTERS = 1000

/**
 * Creates the reader of one text. Words are NFKC, lower case, without punctuation and white space.
 * In scripts without spaces each bigram is a word, so that a shingle of five words is short in
 * every script.
 */
export function createNormalWords(sink: WordSink): NormalWords {
  const bytes = new Uint8Array(HELD_BYTES)
  let end = 0
  let held = ''

  function read(text: string, isEnd: boolean): void {
    held = ''
    for (let at = readAscii(text, 0); at < text.length; at = readAscii(text, at)) {
      const stop = endOfLetters(text, at + OTHERS_CHARACTERS)
      readRuns(text.slice(at, stop), isEnd || stop < text.length)
      at = stop
    }
    handOn()
  }

  /**
   * Reads ASCII words without allocating strings, in a third of the time. Returns the start of the
   * first word that has other characters or may continue.
   */
  function readAscii(text: string, from: number): number {
    let letters = 0
    let hash: number = FNV.offset
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code >= ASCII) {
        end -= letters
        return at - letters
      }
      const letter = SMALL_LETTERS[code] ?? 0
      if (letters > 0 && (letter === 0 || letters === MAX_WORD_CHARACTERS)) {
        endWord(hash)
        letters = 0
        hash = FNV.offset
      }
      if (letter === 0) continue
      bytes[end++] = letter
      hash = Math.imul(hash ^ letter, FNV.prime)
      letters += 1
    }
    end -= letters
    return text.length - letters
  }

  function endWord(hash: number): void {
    bytes[end++] = SPACE
    sink.word(mix(hash))
    if (end + MAX_WORD_CHARACTERS + 1 > HELD_BYTES) handOn()
  }

  function handOn(): void {
    if (end > 0) sink.text(bytes.subarray(0, end))
    end = 0
  }

  function readRuns(text: string, isEnd: boolean): void {
    handOn()
    const words: string[] = []
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      const isWhole = isEnd || index + run.length < text.length
      const complete = isWhole ? run.length : Math.floor((run.length - 1) / MAX_WORD_CHARACTERS) * MAX_WORD_CHARACTERS
      for (let start = 0; start < complete; start += MAX_WORD_CHARACTERS) {
        pushNormal(words, run.slice(start, start + MAX_WORD_CHARACTERS))
      }
      held = run.slice(complete)
    }
    if (words.length > 0) sink.text(`${words.join(' ')} `)
    for (const word of words) sink.word(hashWord(word))
  }

  return {
    add: (piece) => read(held + piece, false),
    finish: () => read(held, true),
  }
}

/** Returns the next ASCII character other than a letter from `at`, or the end. No word spans it. */
function endOfLetters(text: string, at: number): number {
  let end = at
  while (end < text.length && SMALL_LETTERS[text.charCodeAt(end)] !== 0) end += 1
  return Math.min(end, text.length)
}

function pushNormal(words: string[], run: string): void {
  if (ASCII_ALONE.test(run)) {
    words.push(run.toLowerCase())
    return
  }
  const word = run.normalize('NFKC').toLowerCase().replace(NOT_LETTERS, '')
  const characters = UNSPACED.test(word) ? [...word] : []
  if (characters.length < 2) words.push(word)
  for (let index = 1; index < characters.length; index++) words.push(`${characters[index - 1]}${characters[index]}`)
}

function hashWord(word: string): number {
  let hash: number = FNV.offset
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), FNV.prime)
  return mix(hash)
}
