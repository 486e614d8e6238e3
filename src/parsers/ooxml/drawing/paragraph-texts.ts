import type { XmlHandler } from '../xml/xml-handler.ts'

/** Calls `onParagraph` with the text of each DrawingML paragraph (`a:p`) of a part, whatever stands around it. */
export function createParagraphTexts(onParagraph: (text: string) => void): XmlHandler {
  let text = ''
  let isText = false
  return {
    open(name) {
      if (name === 't') isText = true
      else if (name === 'br') text += '\n'
      else if (name === 'p') text = ''
      return name === 'fld'
    },
    close(name) {
      if (name === 't') isText = false
      if (name !== 'p') return
      if (text.trim() !== '') onParagraph(text.trim())
      text = ''
    },
    text(piece) {
      if (isText) text += piece
    },
  }
}
