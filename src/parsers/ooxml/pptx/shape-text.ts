import { createMathText } from '../math/math-text.ts'
import { type Attributes, getAttribute, getNumber, type XmlHandler } from '../xml/xml-handler.ts'
import { type AutoNumber, createAutoNumbers } from './auto-number.ts'
import type { ShapeParagraph } from './shape.ts'

/** Reads the text of one shape or table cell: DrawingML paragraphs with their numbers, without the slide's number. */
export function createShapeText(onParagraph: (paragraph: ShapeParagraph) => void): XmlHandler {
  const numbers = createAutoNumbers()
  const math = createMathText()
  let text = ''
  let level = 0
  let number: AutoNumber | null = null
  let isText = false

  function closeParagraph(): void {
    const content = text.trim()
    if (content === '') return
    const shown = numbers.next(number === null ? null : { ...number, level }, level)
    onParagraph({ text: shown === '' ? content : `${shown} ${content}`, level, isNumbered: shown !== '' })
  }

  function openParagraph(): void {
    text = ''
    level = 0
    number = null
  }

  function openElement(name: string, attributes: Attributes): boolean {
    if (name === 'fld') return (getAttribute(attributes, 'type') ?? '') === 'slidenum'
    if (name === 'p') openParagraph()
    else if (name === 'pPr') level = Math.min(Math.max(getNumber(attributes, 'lvl') ?? 0, 0), 8)
    else if (name === 'buAutoNum') number = readAutoNumber(attributes)
    else if (name === 'br') text += '\n'
    else if (name === 't') isText = true
    return false
  }

  return {
    open(name, attributes) {
      if (!math.isOpen() && name !== 'oMath') return openElement(name, attributes)
      math.open(name, attributes)
      return false
    },
    close(name) {
      if (math.isOpen()) text += math.close() ?? ''
      else if (name === 't') isText = false
      else if (name === 'p') closeParagraph()
    },
    text(piece) {
      if (math.isOpen()) math.text(piece)
      else if (isText) text += piece
    },
  }
}

function readAutoNumber(attributes: Attributes): AutoNumber {
  const scheme = getAttribute(attributes, 'type') ?? 'arabicPeriod'
  return { scheme, startAt: getNumber(attributes, 'startAt') ?? 1, level: 0 }
}
