import { ApiError } from '../../errors.ts'
import { createHtmlReader } from '../html/html-reader.ts'

/** Elements of feeds (RSS, Atom, their modules) whose text may be HTML, in CDATA or with every sign escaped. */
const HOLDS_HTML = /^(?:\w+:)?(?:description|encoded|summary|content|body)$/i
const HTML = /<\/[a-z][a-z\d]*\s*>|<(?:br|hr|img|p)\b[^<>]{0,2000}>/i

/** True for an element whose text may be HTML. */
export function holdsHtml(name: string): boolean {
  return HOLDS_HTML.test(name)
}

/** What the text of such an element shows: the words of its HTML, the text as it is where it has none. */
export function readEmbeddedHtml(text: string): string {
  if (!HTML.test(text)) return text
  const shown: string[] = []
  const reader = createHtmlReader((event) => {
    if ('block' in event) shown.push(event.block.text)
  }, '')
  try {
    reader.write(text)
    reader.end()
  } catch (error) {
    // Nothing but pictures without words.
    if (!(error instanceof ApiError)) throw error
  }
  return shown.join('')
}
