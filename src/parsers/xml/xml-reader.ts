import { parseFragment } from 'parse5'
import { SaxesParser } from 'saxes'
import { ApiError } from '../../errors.ts'
import { createFormulaMarks } from '../html/formula-marks.ts'
import type { BlockReader, Emit } from '../text/block-reader.ts'
import { createAmpersandRepair } from './ampersand-repair.ts'
import { createElementBlocks } from './element-blocks.ts'
import { breaksWords, createFactsReader, TEXT_ATTRIBUTES } from './element-facts.ts'
import { createSpreadsheetBlocks, isXmlSpreadsheet } from './spreadsheet-blocks.ts'

/**
 * Reads XML of any vocabulary. Adjacent leaf elements form a record, mixed content a paragraph, a
 * short `title` or `head` a heading at its depth. Attributes outside of running text are lines of
 * the record.
 *
 * Declared entities are replaced if plain text. Nested, external and undefined entities stay as
 * written, with a warning at the end. Memory stays constant.
 *
 * An XML spreadsheet of Excel is read as a workbook: sheets are pages.
 *
 * A bare `&` is read as text, with a warning that gives the line of the first.
 *
 * Throws `unprocessable_document` for malformed XML, with the line, and at the end of a file
 * without text.
 */
export function createXmlReader(emit: Emit, head: string): BlockReader {
  const blocks = isXmlSpreadsheet(head)
    ? createSpreadsheetBlocks(emit)
    : createElementBlocks((block) => emit({ block }))
  const parser = new SaxesParser({ position: true, xmlns: false })
  const facts = createFactsReader()
  const entities = createDeclaredEntities(parser.ENTITIES)
  const unseen = createDrawingTracker()
  const marks = createFormulaMarks()
  const tex = createTexFormula()
  const ampersands = createAmpersandRepair()
  let undefinedEntities = 0

  function addText(text: string): void {
    if (!unseen.isOpen() && !tex.take(text)) blocks.text(text)
  }

  function addMark(mark: string): void {
    if (mark !== '') blocks.text(mark)
  }

  parser.on('doctype', entities.declare)
  parser.on('opentag', (tag) => {
    unseen.begin(tag.name)
    tex.begin(tag.name)
    const own = facts.begin(tag)
    blocks.begin(tag.name, own, tag.attributes)
    if (breaksWords(tag.name, tag.attributes)) blocks.text(' ')
    addMark(marks.begin(tag.name))
    if (own?.includesTextAttributes !== true)
      for (const name of TEXT_ATTRIBUTES) blocks.words(tag.attributes[name] ?? '')
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', (tag) => {
    unseen.end(tag.name)
    addMark(tex.end(tag.name))
    addMark(marks.end(tag.name))
    if (breaksWords(tag.name, tag.attributes)) blocks.text(' ')
    blocks.end()
    facts.end()
  })
  parser.on('error', (error) => {
    if (/: undefined entity/.test(error.message)) undefinedEntities++
    if (!TOLERATED_ERROR.test(error.message)) throw malformed(error)
  })

  function parse(text: string): void {
    entities.resolve(text)
    parser.write(text)
  }

  return {
    write: (text) => parse(ampersands.write(text)),
    end() {
      parse(ampersands.end())
      parser.close()
      blocks.finish()
      if (!blocks.hasText()) throw new ApiError('unprocessable_document', { message: 'The XML file has no text.' })
      const bare = ampersands.describe()
      if (bare !== null) emit({ warning: bare })
      if (undefinedEntities > 0) emit({ warning: describeUndefined(undefinedEntities) })
    },
  }
}

const DRAWING_ELEMENT = /^(?:\w+:)?svg$/
const INVISIBLE_ELEMENT = /^(?:\w+:)?(?:style|script)$/

/** Tracks style and script elements of drawings; elsewhere elements of these names are data. */
function createDrawingTracker() {
  let drawings = 0
  let unseen = 0
  return {
    isOpen: () => unseen > 0,
    begin(name: string): void {
      if (DRAWING_ELEMENT.test(name)) drawings += 1
      else if (drawings > 0 && INVISIBLE_ELEMENT.test(name)) unseen += 1
    },
    end(name: string): void {
      if (DRAWING_ELEMENT.test(name)) drawings -= 1
      else if (drawings > 0 && INVISIBLE_ELEMENT.test(name)) unseen -= 1
    },
  }
}

function describeUndefined(times: number): string {
  const left = 'Undefined and external entities were left as written'
  return `${left}, ${times === 1 ? 'once' : `${times} times`}.`
}

/**
 * Errors that leave the text intact: undeclared entities, control characters, a missing or odd
 * declaration.
 */
const TOLERATED_ERROR = new RegExp(
  ': (?:undefined entity|disallowed character\\.|malformed character entity|.*XML declaration|' +
    '.*version number|.*encoding value)',
  'i',
)

function malformed(cause: Error): ApiError {
  const [, line, fault] = /^(\d+):\d+: (.*?)\.?$/s.exec(cause.message) ?? []
  const where = line === undefined ? '' : ` at line ${line}`
  return new ApiError('unprocessable_document', {
    message: `The XML is not well-formed${where}: ${(fault ?? cause.message).slice(0, 200)}.`,
    remedy: 'Check that the file is complete and opens in an XML editor.',
    cause,
  })
}

/** Adds names to the parser's entity table. */
type DeclaredEntities = {
  /** Takes the document type with its declarations. */
  declare(doctype: string): void
  /** Adds HTML entities that the next chunk may use, because many files use them undeclared. */
  resolve(text: string): void
}

/**
 * Maximum length of an entity: a word or phrase. Longer and nested entities are expansion attacks.
 */
const MAX_VALUE_CHARACTERS = 200
const MAX_ENTITIES = 1000
/** Maximum length of an HTML entity name, with `&` and `;`. */
const MAX_NAME_CHARACTERS = 40

/** Creates the entity table of a file. */
function createDeclaredEntities(table: Record<string, string>): DeclaredEntities {
  /** End of the previous chunk, where a name may start. */
  let tail = ''

  return {
    declare(doctype) {
      let count = 0
      for (const [, name, , value] of doctype.matchAll(/<!ENTITY\s+([\w.:-]+)\s+(["'])([^"'<&%]*)\2\s*>/g)) {
        if (name === undefined || value === undefined || value.length > MAX_VALUE_CHARACTERS) continue
        if (name in table) continue
        table[name] = value
        count += 1
        if (count === MAX_ENTITIES) return
      }
    },
    resolve(text) {
      const whole = tail + text
      for (const [, name] of whole.matchAll(/&([A-Za-z][A-Za-z0-9]{1,35});/g)) {
        if (name === undefined || name in table) continue
        const character = decodeHtmlEntity(name)
        if (character !== null) table[name] = character
      }
      tail = whole.slice(-MAX_NAME_CHARACTERS)
    },
  }
}

/** Returns the character of an HTML entity; `null` if unknown. */
function decodeHtmlEntity(name: string): string | null {
  const node = parseFragment(`&${name};`).childNodes[0]
  const text = node !== undefined && 'value' in node ? node.value : ''
  return text === '' || text.startsWith('&') ? null : text
}

const BEGIN = '\\begin{document}'
const END = '\\end{document}'

/** Holds the content of `tex-math` (JATS), a complete TeX file around each formula. */
type TexFormula = {
  begin(name: string): void
  /** True if the text is held back. */
  take(text: string): boolean
  /** Returns the formula that ends; '' for other elements. */
  end(name: string): string
}

/** Creates the state of a file. */
function createTexFormula(): TexFormula {
  let pieces: string[] | null = null
  return {
    begin(name) {
      if (name === 'tex-math') pieces = []
    },
    take(text) {
      pieces?.push(text)
      return pieces !== null
    },
    end(name) {
      if (name !== 'tex-math') return ''
      const file = pieces?.join('') ?? ''
      pieces = null
      const [from, to] = [file.indexOf(BEGIN), file.lastIndexOf(END)]
      return from === -1 || to < from ? file : file.slice(from + BEGIN.length, to)
    },
  }
}
