import { cutText, findCutPosition, MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createJsonScanner, type JsonProblem } from './json-scanner.ts'

/** A part of a JSON text; `isRecord` is true for records, and for what they and other values were split into. */
export type JsonPart = { text: string; isRecord: boolean }

/** Takes one JSON text in pieces. */
export type JsonSplitter = {
  /** The problem that was met, if any: nothing after it is split by structure, but all of it still comes out. */
  write(text: string): JsonProblem | null
  end(): JsonProblem | null
}

/** Size at which a value is split where its structure allows: that of a chunk. */
const TARGET_CHARACTERS = 1000
/** A place to split at is no good when it leaves a scrap. */
const MIN_CHARACTERS = 250

/**
 * Splits one JSON text into parts of its own raw text. Where `findRecords` is true, each object or array in a top-level array, and in an
 * array that is a property of the top-level object, is a part; otherwise the whole text is one record. What is longer than
 * about 1,000 characters is split between its elements and properties, the outer ones first; a long string is cut at
 * {@link MAX_BLOCK_CHARACTERS}.
 */
export function createJsonSplitter(onPart: (part: JsonPart) => void, findRecords: boolean): JsonSplitter {
  return new Splitter(onPart, findRecords)
}

class Splitter implements JsonSplitter {
  readonly #onPart: (part: JsonPart) => void
  readonly #findRecords: boolean
  readonly #scanner = createJsonScanner((offset, depth, item) => this.#item(offset, depth, item))
  /** What was written and not yet given out; it begins at offset `#start`. */
  #pending = ''
  #start = 0
  #isRecord: boolean
  #rootIsArray = false
  #hasItem = false
  /** True once a value was split between its elements or properties: its parts are not to be read as one run of prose. */
  #isSplit = false
  #best: { offset: number; depth: number } | null = null

  constructor(onPart: (part: JsonPart) => void, findRecords: boolean) {
    this.#onPart = onPart
    this.#findRecords = findRecords
    this.#isRecord = !findRecords
  }

  write(text: string): JsonProblem | null {
    this.#pending += text
    const problem = this.#scanner.write(text)
    while (this.#pending.length > MAX_BLOCK_CHARACTERS * 2) {
      this.#cut(this.#start + findCutPosition(this.#pending, MAX_BLOCK_CHARACTERS), this.#isRecord)
    }
    return problem
  }

  end(): JsonProblem | null {
    const problem = this.#scanner.end()
    this.#cut(this.#start + this.#pending.length, this.#isRecord)
    return problem
  }

  #item(offset: number, depth: number, item: { inArray: boolean; isContainer: boolean }): void {
    if (depth === 1) this.#rootIsArray = item.inArray
    if (this.#findRecords && this.#startsRecord(depth, item)) {
      // The bracket that opens the array stays with its first record.
      if (this.#hasItem) this.#cut(offset, true)
      this.#isRecord = true
    } else if (this.#findRecords && depth === 1 && this.#isRecord && !item.isContainer) {
      this.#cut(offset, false)
    } else {
      this.#splitSoftly(offset, depth)
    }
    this.#hasItem = true
  }

  #startsRecord(depth: number, item: { inArray: boolean; isContainer: boolean }): boolean {
    return item.inArray && item.isContainer && (depth === 1 || (depth === 2 && !this.#rootIsArray))
  }

  /** Splits a long value at the outermost place seen, else here. */
  #splitSoftly(offset: number, depth: number): void {
    if (offset - this.#start >= TARGET_CHARACTERS) {
      this.#isSplit = true
      if (this.#best !== null && this.#best.depth < depth) this.#cut(this.#best.offset, this.#isRecord)
      if (offset - this.#start >= TARGET_CHARACTERS) this.#cut(offset, this.#isRecord)
    }
    const isOuter = this.#best === null || depth <= this.#best.depth
    if (isOuter && offset - this.#start >= MIN_CHARACTERS) this.#best = { offset, depth }
  }

  /** Gives out what stands before `offset`; what follows is a record, or part of one, if `isRecord`. */
  #cut(offset: number, isRecord: boolean): void {
    const length = offset - this.#start
    for (const text of cutText(this.#pending.slice(0, length), MAX_BLOCK_CHARACTERS)) {
      this.#onPart({ text, isRecord: this.#isRecord || this.#isSplit })
    }
    this.#pending = this.#pending.slice(length)
    this.#start = offset
    this.#isRecord = isRecord
    this.#best = null
  }
}
