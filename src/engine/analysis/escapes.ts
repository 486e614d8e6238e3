import type { Span } from '../chunking/split-text.ts'

const ESCAPE = '\u001b'
const BACKSPACE = '\b'
const HEX = '[\\da-fA-F]'
/**
 * Overstruck character: manual pages print bold letters twice and underlined letters over a line.
 */
const OVERSTRUCK = '(?:[\\ud800-\\udbff][\\udc00-\\udfff]|[^\\n\\x08])\\x08'
/**
 * Terminal escape sequence: a colour if the sequence ends with `m`, a cursor movement otherwise.
 * JSON writes the first character as `\u001b`.
 */
const TERMINAL = '(?:\\x1b|\\\\{1,8}u001[bB])\\[[\\d;:?]{0,32}[@-~]'
/** JSON nested in JSON doubles the backslash. Unpaired surrogates have no meaning. */
const PAIR = `\\\\{1,8}u[dD][89abAB]${HEX}{2}\\\\{1,8}u[dD][c-fC-F]${HEX}{2}`
const UNICODE = `\\\\{1,8}u(?![dD][89a-fA-F])${HEX}{4}`
const ANYWHERE = new RegExp(`${OVERSTRUCK}|${TERMINAL}|${PAIR}|${UNICODE}`, 'g')
/** RFC 8259, section 7. */
const IN_JSON = new RegExp(`${OVERSTRUCK}|${TERMINAL}|${PAIR}|${UNICODE}|\\\\["\\\\/bfnrt]`, 'g')
/**
 * Patterns that are frequent in JSON and rare elsewhere. A chunk of a long string may lack a member
 * name.
 */
const SEEMS_JSON = /"\s{0,8}:\s{0,8}(?:["[{\d]|-\d|true|false|null)|\\n\\n|\\r\\n/
/** JSON doubles this backslash. */
const WINDOWS_PATH = /\b[A-Za-z]:\\(?!\\)/
const SPACES = 'bfnrt'

/**
 * Decodes escapes for search: `\u00fc` becomes its letter, terminal colours and bold marks
 * disappear, and `\n` becomes white space in text that looks like JSON. The stored text keeps its
 * escapes (docs/decisions/0005). Returns the text unchanged if it has no escapes. `within` is the
 * surrounding text, used to recognize JSON.
 */
export function decodeEscapes(text: string, within = text): string {
  return hasEscapes(text) ? text.replace(patternOf(within), read) : text
}

/** Applies `find` to the decoded text and maps the offsets back to the original text. */
export function findInDecoded<Found extends Span>(text: string, find: (readable: string) => Found[]): Found[] {
  if (!hasEscapes(text)) return find(text)
  /** Original offsets by decoded offset. */
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

/** Cheap tests, because every text is checked. */
function hasEscapes(text: string): boolean {
  return text.includes('\\') || text.includes(ESCAPE) || text.includes(BACKSPACE)
}

function patternOf(text: string): RegExp {
  return isJson(text) ? IN_JSON : ANYWHERE
}

/** True if every backslash begins a JSON escape. */
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
