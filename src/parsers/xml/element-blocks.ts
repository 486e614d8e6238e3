import type { Block } from '../parser.ts'
import { MAX_BLOCK_CHARACTERS } from '../text/block-reader.ts'
import { cutText } from '../text/cut-position.ts'

/** Turns the elements and the text of an XML file into blocks. */
export type ElementBlocks = {
  begin(name: string): void
  end(): void
  text(text: string): void
  /** Words that an attribute holds. */
  words(words: string): void
  finish(): void
  hasText(): boolean
}

/** An element that is open. One within text (`isInline`) is part of a sentence, so are those in it. */
type Open = { name: string; isInline: boolean; hasText: boolean; hasChildren: boolean }

/** Elements of many vocabularies (DocBook, JATS, TEI, RSS, Atom) whose text is the heading of what follows. */
const HEADING_NAME = /^(?:\w+:)?(?:title|head|heading|h[1-6])$/i
/** Elements that stand on lines of their own even between words, and elements that never do. */
const BLOCK_NAME = /^(?:\w+:)?(?:p|para|div|li|item|listitem|row|tr|td|th|cell|entry|sec|section|line|l)$/i
const INLINE_NAME =
  /^(?:w:[rt]|a:[rt]|text:span|text:a|tspan|(?:\w+:)?(?:a|b|i|u|em|strong|sub|sup|span|emphasis|italic|bold|xref|ref|ulink|hi))$/
const MAX_HEADING_CHARACTERS = 200
const MAX_LEVEL = 6
/** A leaf that is longer is a text of its own, not a field of a record. */
const MAX_FIELD_CHARACTERS = 400

/** Makes the blocks of one file. */
export function createElementBlocks(emit: (block: Block) => void): ElementBlocks {
  const open: Open[] = []
  let line: string[] = []
  let lineCharacters = 0
  let fields: string[] = []
  let fieldCharacters = 0
  let hasText = false

  function emitText(text: string, facts: Omit<Block, 'text'>): void {
    for (const piece of cutText(text, MAX_BLOCK_CHARACTERS)) emit({ text: piece, ...facts })
  }

  function endRecord(): void {
    if (fields.length > 0) emitText(`${fields.join('\n')}\n\n`, { kind: fields.length > 1 ? 'record' : 'paragraph' })
    fields = []
    fieldCharacters = 0
  }

  /** Ends what stands on the line: a field of the record, a heading, a paragraph. */
  function endLine(headingLevel: number | null): void {
    const text = tidy(line.join(''))
    line = []
    lineCharacters = 0
    if (text === '' || isEncoded(text)) return
    hasText = true
    if (headingLevel !== null && text.length <= MAX_HEADING_CHARACTERS) {
      endRecord()
      emitText(`${text}\n\n`, { kind: 'heading', level: headingLevel })
    } else if (text.length > MAX_FIELD_CHARACTERS) {
      endRecord()
      emitText(`${text}\n\n`, { kind: 'paragraph' })
    } else {
      if (fieldCharacters + text.length >= MAX_BLOCK_CHARACTERS - 2) endRecord()
      fields.push(text)
      fieldCharacters += text.length + 1
    }
  }

  return {
    begin(name) {
      const parent = open.at(-1)
      const isInText = parent?.isInline === true || parent?.hasText === true || INLINE_NAME.test(name)
      const isInline = parent !== undefined && isInText && !BLOCK_NAME.test(name)
      if (!isInline) {
        endLine(null)
        // Only now the parent shows to be a record of its own.
        if (parent !== undefined && !parent.hasChildren) endRecord()
        if (parent !== undefined) parent.hasChildren = true
      }
      open.push({ name, isInline, hasText: false, hasChildren: false })
    },
    end() {
      const element = open.pop()
      if (element === undefined || element.isInline) return
      endLine(HEADING_NAME.test(element.name) ? Math.min(Math.max(open.length, 1), MAX_LEVEL) : null)
      if (element.hasChildren) endRecord()
    },
    text(text) {
      const element = open.at(-1)
      if (element !== undefined && text.trim() !== '') element.hasText = true
      line.push(text)
      lineCharacters += text.length
      if (lineCharacters > MAX_LINE_CHARACTERS) endLine(null)
    },
    words(words) {
      if (words.trim() === '') return
      line.push(`${words.trim()}\n`)
      lineCharacters += words.length
    },
    finish() {
      endLine(null)
      endRecord()
    },
    hasText: () => hasText,
  }
}

const MAX_LINE_CHARACTERS = 256 * 1024

/** White space that only lays the file out goes, blank lines stay. */
function tidy(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Pictures and the like stand in XML as Base64. */
const MIN_ENCODED_CHARACTERS = 300

function isEncoded(text: string): boolean {
  if (text.length < MIN_ENCODED_CHARACTERS || /[^A-Za-z0-9+/=\n]/.test(text)) return false
  return text.split('\n').length <= text.length / 40
}
