import { ApiError } from '../../errors.ts'
import { createHtmlReader } from '../html/html-reader.ts'

/** Elements of feeds (RSS, Atom, their modules) and of places on maps (KML) whose text may be HTML, in CDATA or with every sign escaped. */
const HOLDS_HTML = /^(?:\w+:)?(?:description|encoded|summary|content|body)$/i
const FEED = /^(?:rss|rdf:RDF|kml|(?:\w+:)?feed)$/
const HTML = /<\/[a-z][a-z\d]*\s*>|<(?:br|hr|img|p)\b[^<>]{0,2000}>/i

/** What a reader of HTML takes to the end of the text where nobody closes it. */
const SWALLOWING = /<(\/?)(script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext)\b/gi

/** Reports of companies, whose longer facts are pages. */
const REPORT = /^(?:\w+:)?xbrl$/

/** True for an element whose text may be HTML. Elsewhere what looks so is spoken of. */
export function holdsHtml(root: string, name: string): boolean {
  return REPORT.test(root) || (FEED.test(root) && HOLDS_HTML.test(name))
}

/** What the text of such an element shows: the words of its HTML, the text as it is where it has none. */
export function readEmbeddedHtml(text: string): string {
  if (!HTML.test(text) || isSwallowed(text)) return text
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

/** True where the last tag of such a name begins an element: none behind it ends that. */
function isSwallowed(text: string): boolean {
  const isOpen = new Map<string, boolean>()
  for (const [, end, name = ''] of text.matchAll(SWALLOWING)) isOpen.set(name.toLowerCase(), end === '')
  return [...isOpen.values()].includes(true)
}
