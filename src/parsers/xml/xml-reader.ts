import { SaxesParser } from 'saxes'
import { ApiError } from '../../errors.ts'
import { createFormulaMarks } from '../html/formula-marks.ts'
import type { BlockReader, Emit } from '../text/block-reader.ts'
import { createDeclaredEntities } from './declared-entities.ts'
import { createElementBlocks } from './element-blocks.ts'
import { createFactsReader, SPOKEN_ATTRIBUTES } from './element-facts.ts'
import { partsWords } from './parts-words.ts'
import { createTexFormula } from './tex-formula.ts'

/**
 * Reads XML of any vocabulary: the text of the elements that follow each other under one parent is a record, mixed content a
 * paragraph, a short `title` or `head` a heading as deep as it stands. Attributes of elements that are no running text are lines of
 * the record. Entities that the file declares are put in where they are plain words; nested, external and undefined ones stay as they
 * are written, with a warning at the end. Memory stays flat. Throws `unprocessable_document` where the file is not well-formed, with the
 * line, and at the end of one without text.
 */
export function createXmlReader(emit: Emit): BlockReader {
  const blocks = createElementBlocks((block) => emit({ block }))
  const parser = new SaxesParser({ position: true, xmlns: false })
  const facts = createFactsReader()
  const entities = createDeclaredEntities(parser.ENTITIES)
  const unseen = createUnseenInDrawing()
  const marks = createFormulaMarks()
  const tex = createTexFormula()
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
    if (partsWords(tag.name, tag.attributes)) blocks.text(' ')
    addMark(marks.begin(tag.name))
    if (own?.saysAll !== true) for (const name of SPOKEN_ATTRIBUTES) blocks.words(tag.attributes[name] ?? '')
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', (tag) => {
    unseen.end(tag.name)
    addMark(tex.end(tag.name))
    addMark(marks.end(tag.name))
    if (partsWords(tag.name, tag.attributes)) blocks.text(' ')
    blocks.end()
    facts.end()
  })
  parser.on('error', (error) => {
    if (/: undefined entity/.test(error.message)) undefinedEntities++
    if (!TOLERATED.test(error.message)) throw malformed(error)
  })

  return {
    write(text) {
      entities.resolve(text)
      parser.write(text)
    },
    end() {
      parser.close()
      blocks.finish()
      if (!blocks.hasText()) throw new ApiError('unprocessable_document', { message: 'The XML file has no text.' })
      if (undefinedEntities > 0) emit({ warning: describeUndefined(undefinedEntities) })
    },
  }
}

const DRAWING = /^(?:\w+:)?svg$/
const UNSEEN = /^(?:\w+:)?(?:style|script)$/

/** Follows the parts of drawings that say how they look and act; elsewhere elements of these names are data. */
function createUnseenInDrawing() {
  let drawings = 0
  let unseen = 0
  return {
    isOpen: () => unseen > 0,
    begin(name: string): void {
      if (DRAWING.test(name)) drawings += 1
      else if (drawings > 0 && UNSEEN.test(name)) unseen += 1
    },
    end(name: string): void {
      if (DRAWING.test(name)) drawings -= 1
      else if (drawings > 0 && UNSEEN.test(name)) unseen -= 1
    },
  }
}

function describeUndefined(times: number): string {
  const left = 'Entities that the file does not define, or that stand in other files, were left as they are written'
  return `${left}, ${times === 1 ? 'once' : `${times} times`}.`
}

/** Faults that leave the words what they are: an entity that nobody declared, a control character, a missing or odd declaration. */
const TOLERATED =
  /: (?:undefined entity|disallowed character\.|malformed character entity|.*XML declaration|.*version number|.*encoding value)/i

function malformed(cause: Error): ApiError {
  const [, line, fault] = /^(\d+):\d+: (.*?)\.?$/s.exec(cause.message) ?? []
  const where = line === undefined ? '' : ` at line ${line}`
  return new ApiError('unprocessable_document', {
    message: `The XML is not well-formed${where}: ${(fault ?? cause.message).slice(0, 200)}.`,
    remedy: 'Check that the file is whole and opens in an XML editor.',
    cause,
  })
}
