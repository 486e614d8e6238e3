import type { Span } from '../chunking/split-text.ts'

const ESCAPE = '\u001b'
const BACKSPACE = '\b'
const HEX = '[\\da-fA-F]'
/**
 * A character that is struck over by the next: manual pages print bold letters twice, and
 * underlined ones over a line.
 */
const OVERSTRUCK = '(?:[\\ud800-\\udbff][\\udc00-\\udfff]|[^\\n\\x08])\\x08'
/**
 * A sequence of a terminal, which sets a colour where it ends with `m`, and moves about otherwise;
 * in JSON its first character is written as `\u001b`.
 */
const TERMINAL = '(?:\\x1b|\\\\{1,8}u001[bB])\\[[\\d;:?]{0,32}[@-~]'
/**
 * Of text in text in JSON the backslash is doubled. Halves of pairs of surrogates stand for nothing
 * alone.
 */
const PAIR = `\\\\{1,8}u[dD][89abAB]${HEX}{2}\\\\{1,8}u[dD][c-fC-F]${HEX}{2}`
const UNICODE = `\\\\{1,8}u(?![dD][89a-fA-F])${HEX}{4}`
const ANYWHERE = new RegExp(`${OVERSTRUCK}|${TERMINAL}|${PAIR}|${UNICODE}`, 'g')
/** RFC 8259, section 7. */
const IN_JSON = new RegExp(`${OVERSTRUCK}|${TERMINAL}|${PAIR}|${UNICODE}|\\\\["\\\\/bfnrt]`, 'g')
/**
 * What stands in JSON and hardly in other texts; a chunk of a long string has no name of a member.
 */
const SEEMS_JSON = /"\s{0,8}:\s{0,8}(?:["[{\d]|-\d|true|false|null)|\\n\\n|\\r\\n/
/** In JSON its backslash is doubled. */
const WINDOWS_PATH = /\b[A-Za-z]:\\(?!\\)/
const SPACES = 'bfnrt'

/**
 * A text as it reads: `\u00fc` is the letter it stands for, what colours a log or makes a letter
 * bold is nothing, and in what seems to be JSON `\n` is white space. The text itself stays as the
 * file has it (docs/decisions/0005); this is what is searched. The text as it is where it has no
 * escapes. `within`: what it is a part of, which tells whether that is JSON.
 */
export function withoutEscapes(text: string, within = text): string {
  return hasEscapes(text) ? text.replace(patternOf(within), read) : text
}

/** What `find` finds in a text as it reads, with the places in the text as it is written. */
export function findBehindEscapes<Found extends Span>(text: string, find: (readable: string) => Found[]): Found[] {
  if (!hasEscapes(text)) return find(text)
  /** By the places in what reads. */
  const starts: number[] = []
  const ends: number[] = []
  let readable = ''
  let at = 0
  const copy = (until: number): void => {
    readable += text.slice(at, until)
    for (; at < until; at += 1) ends[starts.push(at) - 1] = at + 1
  }
  for (const { 0: sequence, index } of text.matchAll(patternOf(text))) {
    copy(index)
    at = index + sequence.length
    const characters = read(sequence)
    readable += characters
    for (let length = characters.length; length > 0; length -= 1) ends[starts.push(index) - 1] = at
  }
  copy(text.length)
  return find(readable).map((found) => ({
    ...found,
    start: starts[found.start] ?? text.length,
    end: ends[found.end - 1] ?? text.length,
  }))
}

/** Looks that cost next to nothing: all texts are asked. */
function hasEscapes(text: string): boolean {
  return text.includes('\\') || text.includes(ESCAPE) || text.includes(BACKSPACE)
}

function patternOf(text: string): RegExp {
  return isJson(text) ? IN_JSON : ANYWHERE
}

/** True where every backslash begins an escape of JSON. */
function isJson(text: string): boolean {
  if (!SEEMS_JSON.test(text) || WINDOWS_PATH.test(text)) return false
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2)) {
    const next = text[at + 1]
    if (next !== undefined && !'"\\/bfnrtu'.includes(next)) return false
  }
  return true
}

function read(sequence: string): string {
  if (sequence.endsWith(BACKSPACE)) return ''
  if (sequence.includes('[')) return sequence.endsWith('m') ? '' : ' '
  const codes = sequence.match(/[\da-fA-F]{4}/g)
  if (codes !== null) return String.fromCharCode(...codes.map((code) => Number.parseInt(code, 16)))
  const character = sequence.slice(-1)
  return SPACES.includes(character) ? ' ' : character
}
