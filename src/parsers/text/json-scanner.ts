/**
 * Streaming validator of JSON (RFC 8259) that builds no values and reports the start of structural
 * parts. Memory is one character per nesting level, so files of any size can be scanned.
 */

/**
 * Called at the start of each object key and array element. `depth` counts the enclosing
 * containers, from 1.
 */
type OnItem = (offset: number, depth: number, item: { inArray: boolean; isContainer: boolean }) => void

/** A syntax error. `line` and `column` count from 1, `offset` in UTF-16 code units from 0. */
export type JsonProblem = { message: string; offset: number; line: number; column: number }

type JsonScanner = {
  /** Returns `null` if valid so far; otherwise the first problem, also on later calls. */
  write(text: string): JsonProblem | null
  /** Also reports an incomplete value. */
  end(): JsonProblem | null
  /** True if exactly one complete value was read so far. */
  isComplete(): boolean
}

/**
 * Deeper nesting is rejected. Real files never come close, and the limit bounds memory on hostile
 * input.
 */
const MAX_DEPTH = 1000
/** Maximum length of a number: a double needs at most 1,100 characters. */
const MAX_NUMBER_CHARACTERS = 2000
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

type ExpectedToken = 'value' | 'element-or-end' | 'key-or-end' | 'key' | 'colon' | 'comma-or-end' | 'nothing'

/** Descriptions for messages. */
const EXPECTED: Readonly<Record<ExpectedToken, string>> = {
  value: 'a value',
  'element-or-end': 'a value or ]',
  'key-or-end': 'a key in double quotes or }',
  key: 'a key in double quotes',
  colon: 'a colon',
  'comma-or-end': 'a comma or the end of the array or object',
  nothing: 'the end of the file',
}

/** Creates a scanner for a single JSON text. */
export function createJsonScanner(onItem: OnItem = () => {}): JsonScanner {
  return new Scanner(onItem)
}

class Scanner implements JsonScanner {
  readonly #onItem: OnItem
  /** `{` and `[` of the open containers. */
  #open = ''
  #expecting: ExpectedToken = 'value'
  /** Token that the current characters belong to. */
  #inside: 'string' | 'escape' | 'unicode' | 'number' | 'word' | null = null
  #isKey = false
  /** Collected characters of a number, a word or a `\u` escape. */
  #gathered = ''
  #base = 0
  #line = 1
  #lineStart = 0
  #problem: JsonProblem | null = null

  constructor(onItem: OnItem) {
    this.#onItem = onItem
  }

  write(text: string): JsonProblem | null {
    let at = 0
    while (at < text.length && this.#problem === null) {
      at = this.#inside === null ? this.#readStructure(text, at) : this.#readInside(text, at)
    }
    this.#base += text.length
    return this.#problem
  }

  end(): JsonProblem | null {
    if (this.#problem === null && (this.#inside === 'number' || this.#inside === 'word')) this.#finishScalar(0)
    if (this.#problem === null && this.#expecting !== 'nothing')
      this.#fail(0, `the text ends before ${EXPECTED[this.#expecting]}`)
    return this.#problem
  }

  isComplete(): boolean {
    return this.#problem === null && this.#expecting === 'nothing' && this.#inside === null
  }

  #fail(at: number, message: string): void {
    const offset = this.#base + at
    this.#problem ??= { message, offset, line: this.#line, column: offset - this.#lineStart + 1 }
  }

  #readStructure(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    if (unit === 10) {
      this.#line += 1
      this.#lineStart = this.#base + at + 1
      return at + 1
    }
    if (unit === 32 || unit === 13 || unit === 9) return at + 1
    switch (this.#expecting) {
      case 'colon':
        if (unit !== 58) break
        this.#expecting = 'value'
        return at + 1
      case 'comma-or-end':
        return this.#readSeparator(text, at)
      case 'key':
      case 'key-or-end':
        return this.#readKey(text, at)
      case 'value':
      case 'element-or-end':
        return this.#readValue(text, at)
    }
    return this.#unexpected(text, at)
  }

  #unexpected(text: string, at: number): number {
    const found = String.fromCodePoint(text.codePointAt(at) ?? 0)
    this.#fail(at, `${EXPECTED[this.#expecting]} is expected, not ${JSON.stringify(found)}`)
    return at
  }

  #readSeparator(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    const container = this.#open.at(-1)
    if (unit === 44) {
      this.#expecting = container === '{' ? 'key' : 'value'
      return at + 1
    }
    if (unit === (container === '{' ? 125 : 93)) return this.#close(at)
    return this.#unexpected(text, at)
  }

  #readKey(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    if (unit === 34) {
      this.#onItem(this.#base + at, this.#open.length, { inArray: false, isContainer: false })
      this.#inside = 'string'
      this.#isKey = true
      return at + 1
    }
    if (unit === 125 && this.#expecting === 'key-or-end') return this.#close(at)
    return this.#unexpected(text, at)
  }

  #readValue(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    if (unit === 93 && this.#expecting === 'element-or-end') return this.#close(at)
    const opens = unit === 123 || unit === 91
    if (this.#open.endsWith('[')) {
      this.#onItem(this.#base + at, this.#open.length, { inArray: true, isContainer: opens })
    }
    if (opens) return this.#openContainer(unit === 123 ? '{' : '[', at)
    this.#isKey = false
    this.#gathered = ''
    if (unit === 34) this.#inside = 'string'
    else if (unit === 45 || (unit >= 48 && unit <= 57)) this.#inside = 'number'
    else if (unit === 116 || unit === 102 || unit === 110) this.#inside = 'word'
    else return this.#unexpected(text, at)
    return unit === 34 ? at + 1 : at
  }

  #openContainer(container: '{' | '[', at: number): number {
    if (this.#open.length >= MAX_DEPTH) this.#fail(at, `the nesting is deeper than ${MAX_DEPTH} levels`)
    this.#open += container
    this.#expecting = container === '{' ? 'key-or-end' : 'element-or-end'
    return at + 1
  }

  #close(at: number): number {
    this.#open = this.#open.slice(0, -1)
    this.#finishValue()
    return at + 1
  }

  #finishValue(): void {
    this.#inside = null
    this.#expecting = this.#isKey ? 'colon' : this.#open === '' ? 'nothing' : 'comma-or-end'
    this.#isKey = false
  }

  #readInside(text: string, at: number): number {
    switch (this.#inside) {
      case 'string':
        return this.#readString(text, at)
      case 'escape':
        return this.#readEscape(text, at)
      case 'unicode':
        return this.#readUnicode(text, at)
      default:
        return this.#readScalar(text, at)
    }
  }

  #readString(text: string, start: number): number {
    for (let at = start; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === 34) {
        this.#finishValue()
        return at + 1
      }
      if (unit === 92) {
        this.#inside = 'escape'
        return at + 1
      }
      if (unit < 32) {
        this.#fail(at, 'a string holds a line end or another control character')
        return at
      }
    }
    return text.length
  }

  #readEscape(text: string, at: number): number {
    const mark = text[at] ?? ''
    if (!'"\\/bfnrtu'.includes(mark)) this.#fail(at, `\\${mark} is not a valid escape`)
    this.#inside = mark === 'u' ? 'unicode' : 'string'
    this.#gathered = ''
    return at + 1
  }

  #readUnicode(text: string, at: number): number {
    if (!/[0-9a-fA-F]/.test(text[at] ?? '')) this.#fail(at, '\\u is not followed by four hexadecimal digits')
    this.#gathered += text[at] ?? ''
    if (this.#gathered.length === 4) this.#inside = 'string'
    return at + 1
  }

  #readScalar(text: string, start: number): number {
    let at = start
    while (at < text.length && /[\w+.-]/.test(text[at] ?? '')) at += 1
    this.#gathered += text.slice(start, at)
    if (this.#gathered.length > MAX_NUMBER_CHARACTERS) this.#fail(start, 'a number or word is too long')
    else if (at < text.length) this.#finishScalar(at)
    return at
  }

  #finishScalar(at: number): void {
    const scalar = this.#gathered
    const valid = this.#inside === 'number' ? NUMBER.test(scalar) : /^(?:true|false|null)$/.test(scalar)
    if (!valid) this.#fail(at - scalar.length, `${JSON.stringify(scalar.slice(0, 40))} is not a valid value`)
    else this.#finishValue()
  }
}
