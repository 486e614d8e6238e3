import { BLOCK_ELEMENTS, SELF_ENDING_ELEMENTS, UNSEEN_ELEMENTS, VOID_ELEMENTS } from './html-elements.ts'
import type { Attributes } from './page-blocks.ts'

/** Follows which part of a page is not shown. */
type HiddenElements = {
  /** True while inside of an element that is not shown. */
  isOpen(): boolean
  /** Takes a start tag; true when the element is not shown. */
  begins(name: string, attributes: Attributes): boolean
  /** Takes an end tag; true when it ends nothing that is shown. */
  ends(name: string): boolean
}

/** Makes one that is outside. */
export function createHiddenElements(): HiddenElements {
  let hidden: string | null = null
  /** Elements open inside the hidden one, by name, itself included. */
  let open = new Map<string, number>()

  function count(name: string, by: 1 | -1): number {
    const now = (open.get(name) ?? 0) + by
    open.set(name, now)
    return now
  }

  return {
    isOpen: () => hidden !== null,
    begins(name, attributes) {
      if (hidden !== null && endsByBeginning(hidden, name, open)) hidden = null
      if (hidden !== null) {
        if (!VOID_ELEMENTS.has(name)) count(name, 1)
        return true
      }
      if (!isHidden(name, attributes)) return false
      if (VOID_ELEMENTS.has(name)) return true
      hidden = name
      open = new Map([[name, 1]])
      return true
    },
    ends(name) {
      if (hidden === null) return UNSEEN_ELEMENTS.has(name)
      if ((open.get(name) ?? 0) > 0) {
        if (count(name, -1) === 0 && name === hidden) hidden = null
        return true
      }
      // The end of an element around the hidden one, which nobody closed.
      if (!BLOCK_ELEMENTS.has(name) || name === 'p') return true
      hidden = null
      return false
    },
  }
}

function isHidden(name: string, attributes: Attributes): boolean {
  if (attributes.has('popover')) return true
  // A template is what scripts fill in, but for the inside of an element, which a browser puts in its place.
  if (UNSEEN_ELEMENTS.has(name) && !(name === 'template' && attributes.has('shadowrootmode'))) return true
  if (name === 'dialog' && !attributes.has('open')) return true
  if (isTool(name, attributes)) return true
  const hidden = attributes.get('hidden')
  if (hidden !== undefined && hidden !== 'until-found') return true
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.get('style') ?? '')
}

/** The link to edit a section of MediaWiki (`[edit]` behind each heading), and the numbers that Pygments, Doxygen, Rouge and Chroma set beside lines of code. */
function isTool(name: string, attributes: Attributes): boolean {
  const classes = attributes.get('class')?.split(/\s+/) ?? []
  return classes.some((own) => TOOL_ELEMENTS.get(own)?.has(name) === true)
}

/** By their class. Of a cell `lineno` may number the items of an order. */
const TOOL_ELEMENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['mw-editsection', new Set(['span'])],
  ['linenos', new Set(['span', 'td'])],
  ['lineno', new Set(['span', 'pre'])],
  ['lnt', new Set(['span'])],
])

/** True where the start of `name` ends the hidden element, as a new list item ends the one before. */
function endsByBeginning(hidden: string, name: string, open: ReadonlyMap<string, number>): boolean {
  if (!SELF_ENDING_ELEMENTS.has(hidden)) return false
  if (hidden === 'p') return BLOCK_ELEMENTS.has(name)
  const isNested = ['ul', 'ol', 'dl', 'table', 'select'].some((list) => (open.get(list) ?? 0) > 0)
  return !isNested && (hidden === name || SIBLINGS.get(hidden) === name)
}

const SIBLINGS: ReadonlyMap<string, string> = new Map([
  ['td', 'th'],
  ['th', 'td'],
  ['dt', 'dd'],
  ['dd', 'dt'],
])

/** Fields whose value is not words of the page. */
const SILENT_FIELDS: ReadonlySet<string> = new Set([
  'hidden',
  'password',
  'file',
  'range',
  'color',
  'checkbox',
  'radio',
])

/** The words that an element shows out of its attributes: alternative text, the value or the prompt of a field; none is `''`. */
export function getShownWords(name: string, attributes: Attributes): string {
  if (name === 'img' || name === 'area') return attributes.get('alt') ?? ''
  if (name === 'textarea') return attributes.get('placeholder') ?? ''
  return name === 'input' ? getFieldWords(attributes) : ''
}

function getFieldWords(attributes: Attributes): string {
  const type = attributes.get('type')?.toLowerCase() ?? 'text'
  if (type === 'checkbox' || type === 'radio') return attributes.has('checked') ? '[x]' : '[ ]'
  if (type === 'image') return attributes.get('alt') ?? ''
  if (SILENT_FIELDS.has(type)) return ''
  return attributes.get('value') || (attributes.get('placeholder') ?? '')
}
