/**
 * Roots of vocabularies whose element names describe layout, and of listings that name their values
 * themselves.
 */
const LAYOUT_ROOT = new RegExp(
  '^(?:(?:office|w|pkg|p|a|x|fo|svg):.*|(?:\\w+:)?(?:html|plist|tt|osis|usx|akomantoso|play|' +
    'poem|pmc-articleset|set|part|appendix|preface|glossary|section|sect[1-5]|reference|topic|' +
    'concept|task|dita|map|bookmap|ead))$',
  'i',
)
/** Element names that say nothing about their content, or only its position. */
const GENERIC_NAME = new RegExp(
  '^(?:.|text|content|value|string|str|int|integer|real|data|body|key|item|entry|row|rows|' +
    'record|records|element|object|list|items|root|node|nodes|rss|feed|channel|rdf|kml|result|' +
    'results|array|dict|h[1-6r]|para|paragraph|title|head|heading|term|glossterm|dt)$',
  'i',
)

/**
 * Returns the field name that an element's name implies (`<total>12</total>`), without namespace
 * prefix; `null` for none. `root`: name of the root element.
 */
function getFieldName(name: string, root: string): string | null {
  const own = name.replace(/^.*:/, '')
  return LAYOUT_ROOT.test(root) || GENERIC_NAME.test(own) ? null : own
}

/** Minimum length of Base64 data, such as images. */
const MIN_ENCODED_CHARACTERS = 300

/** True for bytes encoded as Base64. */
export function isEncoded(text: string): boolean {
  if (text.length < MIN_ENCODED_CHARACTERS || /[^A-Za-z0-9+/=\n]/.test(text)) return false
  return text.split('\n').length <= text.length / 40
}

/** Elements of DocBook, JATS and DITA with significant line ends. */
const PREFORMATTED_NAME = /^(?:\w+:)?(?:programlisting|literallayout|preformat|codeblock|pre)$/i
/** Significant in manuals only: elsewhere a synopsis is prose, and a screen is not a listing. */
const PREFORMATTED_IN_MANUALS = /^(?:\w+:)?(?:screen|synopsis)$/i
const MANUAL_ROOT = new RegExp(
  '^(?:\\w+:)?(?:set|book|part|article|chapter|appendix|preface|glossary|section|sect[1-5]|' +
    'reference|refentry|topic|concept|task|dita)$',
  'i',
)

/**
 * True for an element with significant line ends and indentation. `root`: name of the root element.
 */
export function isPreformatted(root: string, name: string): boolean {
  return PREFORMATTED_NAME.test(name) || (PREFORMATTED_IN_MANUALS.test(name) && MANUAL_ROOT.test(root))
}

/**
 * Elements that always separate words: line, column and page breaks, tabs and spaces of office
 * formats, DocBook, JATS and TEI. Also notes, which are rendered at the foot of a page, and
 * duplicated formulas (JATS).
 */
const WORD_BREAK_ELEMENT = new RegExp(
  '^(?:text:s|(?:\\w+:)?(?:br|cr|lb|cb|pb|break|line-break|soft-page-break|tab|space|milestone|' +
    'note|fn|footnote|endnote|tex-math))$',
  'i',
)

/**
 * True if an element separates words before and after. A TEI break may be inside a word; a
 * positioned part of a drawing is a line.
 */
export function breaksWords(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (/^(?:\w+:)?tspan$/.test(name)) return ['x', 'y', 'dy'].some((place) => attributes[place] !== undefined)
  return WORD_BREAK_ELEMENT.test(name) && attributes['break'] !== 'no'
}

/** Data in the name and attributes of an element. */
export type ElementFacts = {
  /** Field name implied by the element's name; `null` for none. */
  name: string | null
  /** Name in an attribute (`<setting name="timeout">30</setting>`); `null` for none. */
  label: string | null
  /** Attributes of an element with text, except the label; '' for none. */
  beside: string
  /** Attributes of an element with children; its name without attributes. */
  whole: string
  /** Attributes of an empty element: `timeout: 30` for a name and a value. */
  alone: string
  /**
   * True if human-readable attributes are included: a self-closing element is a record, such as
   * `<book title="Quays" year="1993"/>`.
   */
  includesTextAttributes: boolean
}

type Attributes = Readonly<Record<string, string>>

/** A start tag; self-closing elements are empty. */
type Element = { name: string; attributes: Attributes; isSelfClosing: boolean }

/** Decides which attributes are data, by the enclosing elements. */
type FactsReader = {
  /** Returns the facts of a start tag; `null` for none. */
  begin(element: Element): ElementFacts | null
  end(): void
}

/** Human-readable attributes, which are text in any vocabulary. */
export const TEXT_ATTRIBUTES: readonly string[] = ['title', 'label', 'alt', 'caption', 'summary', 'description', 'desc']

/**
 * Attributes for layout and namespaces. Prefixed attributes belong to another vocabulary (`xml:`,
 * `xsi:`, `xlink:`).
 */
const NOT_DATA = /^(?:xmlns|class|style)$|:/
/** Pages, drawings and formulas, whose attributes are layout. */
const LAYOUT_NAME = /^(?:svg|html|math|(?:svg|fo|xhtml|math|mml|m):.+)$/i
const LAYOUT_VOCABULARY = /w3\.org\/(?:1999\/xhtml|2000\/svg|1998\/Math|1999\/XSL)|docbook\.org|tei-c\.org|FictionBook/i
/** Roots of the vocabularies of books and articles: DocBook, JATS, TEI, FictionBook, DTBook. */
const BOOK_ROOT = /^(?:\w+:)?(?:article|book|chapter|refentry|tei|tei\.2|teicorpus|fictionbook|dtbook|nitf)$/i
/** Parts of a text in any vocabulary. */
const TEXT_NAME = new RegExp(
  '^(?:\\w+:)?(?:p|para|div|li|listitem|l|t[rdh]|table|t(?:head|body|foot|group)|colspec|sec|' +
    'section|sect\\d|h[1-6r]|title|head|heading|br|img|figure|graphic)$',
  'i',
)

const NO_FACTS = { label: null, beside: '', alone: '', includesTextAttributes: false } as const
const LABEL_NAMES: readonly string[] = ['name', 'key', 'k']
/** Field elements with a code as name (MARC). */
const FIELD_NAME = /^(?:\w+:)?(?:sub|control)field$/
const FIELD_LABEL_NAMES: readonly string[] = ['tag', 'code']
const VALUE_NAMES: readonly string[] = ['value', 'content', 'v']

/** Creates the state of a file. */
export function createFactsReader(): FactsReader {
  let depth = 0
  let root = ''
  /** Depth of the outermost layout element; `null` outside. */
  let laidOutFrom: number | null = null

  return {
    begin(element) {
      const { name, attributes } = element
      depth += 1
      if (depth === 1) root = name
      const isLaidOut = LAYOUT_NAME.test(name) || LAYOUT_VOCABULARY.test(attributes['xmlns'] ?? '')
      if (isLaidOut || (depth === 1 && BOOK_ROOT.test(name))) laidOutFrom ??= depth
      return laidOutFrom === null && !TEXT_NAME.test(name) ? describe(element, root) : null
    },
    end() {
      if (laidOutFrom === depth) laidOutFrom = null
      depth -= 1
    },
  }
}

function describe({ name, attributes, isSelfClosing }: Element, root: string): ElementFacts | null {
  const includesTextAttributes = isSelfClosing && Object.entries(attributes).some(([key, value]) => isData(key, value))
  const data = Object.entries(attributes).filter(
    ([key, value]) =>
      isData(key, value) || (includesTextAttributes && TEXT_ATTRIBUTES.includes(key) && value.trim() !== ''),
  )
  const fieldName = getFieldName(name, root)
  if (data.length === 0) return fieldName === null ? null : { ...NO_FACTS, name: fieldName, whole: fieldName }
  const label = find(attributes, FIELD_NAME.test(name) ? FIELD_LABEL_NAMES : LABEL_NAMES)
  const value = find(attributes, VALUE_NAMES)
  const own = name.replace(/^.*:/, '')
  const whole = `${own} ${list(data)}`
  const beside = data.filter(([key]) => key !== label?.key)
  const others = beside.filter(([key]) => key !== value?.key)
  const pair = label === null || value === null ? null : `${label.words}: ${value.words}`
  return {
    name: fieldName,
    label: label?.words ?? null,
    beside: beside.length === 0 ? '' : `${own} ${list(beside)}`,
    whole,
    alone: pair === null ? whole : [pair, ...(others.length === 0 ? [] : [list(others)])].join(', '),
    includesTextAttributes,
  }
}

function isData(key: string, value: string): boolean {
  if (NOT_DATA.test(key) || TEXT_ATTRIBUTES.includes(key)) return false
  return value.trim() !== '' && !value.startsWith('data:') && !isEncoded(value)
}

function find(attributes: Attributes, names: readonly string[]): { key: string; words: string } | null {
  const key = names.find((name) => attributes[name] !== undefined && isData(name, attributes[name]))
  return key === undefined ? null : { key, words: attributes[key]?.trim() ?? '' }
}

function list(data: readonly (readonly [string, string])[]): string {
  return data.map(([key, value]) => `${key}: ${value.trim()}`).join(', ')
}
