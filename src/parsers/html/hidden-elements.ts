import { BLOCK_ELEMENTS, IMPLICITLY_CLOSED_ELEMENTS, INVISIBLE_ELEMENTS, VOID_ELEMENTS } from './html-elements.ts'
import type { Attributes } from './page-blocks.ts'

/** Tracks the hidden parts of a page. */
type HiddenElements = {
  /** True inside a hidden element. */
  isOpen(): boolean
  /** Handles a start tag; true if the element is hidden. */
  begins(name: string, attributes: Attributes): boolean
  /** Handles an end tag; true if it ends no visible element. */
  ends(name: string): boolean
}

/** Creates a tracker, initially outside. */
export function createHiddenElements(): HiddenElements {
  let hidden: string | null = null
  /** Open elements by name, from the hidden element down. */
  let open = new Map<string, number>()

  function count(name: string, by: 1 | -1): number {
    const now = (open.get(name) ?? 0) + by
    open.set(name, now)
    return now
  }

  return {
    isOpen: () => hidden !== null,
    begins(name, attributes) {
      if (hidden !== null && endsAtStartOf(hidden, name, open)) hidden = null
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
      if (hidden === null) return INVISIBLE_ELEMENTS.has(name)
      if ((open.get(name) ?? 0) > 0) {
        if (count(name, -1) === 0 && name === hidden) hidden = null
        return true
      }
      // End of an enclosing element: the hidden element was never closed.
      if (!BLOCK_ELEMENTS.has(name) || name === 'p') return true
      hidden = null
      return false
    },
  }
}

function isHidden(name: string, attributes: Attributes): boolean {
  if (attributes.has('popover')) return true
  // Templates are filled by scripts, except declarative shadow roots, which browsers render in
  // place.
  if (INVISIBLE_ELEMENTS.has(name) && !(name === 'template' && attributes.has('shadowrootmode'))) return true
  if (name === 'dialog' && !attributes.has('open')) return true
  if (isToolElement(name, attributes)) return true
  const hidden = attributes.get('hidden')
  if (hidden !== undefined && hidden !== 'until-found') return true
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.get('style') ?? '')
}

/**
 * MediaWiki's `[edit]` links after headings, and the line numbers of Pygments, Doxygen, Rouge and
 * Chroma.
 */
function isToolElement(name: string, attributes: Attributes): boolean {
  const classes = attributes.get('class')?.split(/\s+/) ?? []
  return classes.some((own) => TOOL_ELEMENTS.get(own)?.has(name) === true)
}

/** Hidden classes with their elements. In cells, `lineno` may number the items of an order. */
const TOOL_ELEMENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['mw-editsection', new Set(['span'])],
  ['linenos', new Set(['span', 'td'])],
  ['lineno', new Set(['span', 'pre'])],
  ['lnt', new Set(['span'])],
])

/** True if the start of `name` ends the hidden element, as a list item ends the previous item. */
function endsAtStartOf(hidden: string, name: string, open: ReadonlyMap<string, number>): boolean {
  if (!IMPLICITLY_CLOSED_ELEMENTS.has(hidden)) return false
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

/** Input types whose value is not page text. */
const INVISIBLE_FIELD_TYPES: ReadonlySet<string> = new Set([
  'hidden',
  'password',
  'file',
  'range',
  'color',
  'checkbox',
  'radio',
])

/**
 * Returns the visible text of an element's attributes: alternative text, value or placeholder of a
 * field; `''` for none.
 */
export function getAttributeText(name: string, attributes: Attributes): string {
  if (name === 'img' || name === 'area') return attributes.get('alt') ?? ''
  if (name === 'textarea') return attributes.get('placeholder') ?? ''
  return name === 'input' ? getFieldText(attributes) : ''
}

function getFieldText(attributes: Attributes): string {
  const type = attributes.get('type')?.toLowerCase() ?? 'text'
  if (type === 'checkbox' || type === 'radio') return attributes.has('checked') ? '[x]' : '[ ]'
  if (type === 'image') return attributes.get('alt') ?? ''
  if (INVISIBLE_FIELD_TYPES.has(type)) return ''
  return attributes.get('value') || (attributes.get('placeholder') ?? '')
}
