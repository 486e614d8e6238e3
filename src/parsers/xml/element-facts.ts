/** Roots of vocabularies whose elements say what a text looks like or where it stands, and of listings that name their values themselves. */
const SILENT_ROOT = new RegExp(
  '^(?:(?:office|w|pkg|p|a|x|fo|svg):.*|(?:\\w+:)?(?:html|plist|tt|osis|usx|akomantoso|play|' +
    'poem|pmc-articleset|set|part|appendix|preface|glossary|section|sect[1-5]|reference|topic|' +
    'concept|task|dita|map|bookmap|ead))$',
  'i',
)
/** Names that say nothing of what stands in an element, and such as say where it stands. */
const SILENT_NAME = new RegExp(
  '^(?:.|text|content|value|string|str|int|integer|real|data|body|key|item|entry|row|rows|' +
    'record|records|element|object|list|items|root|node|nodes|rss|feed|channel|rdf|kml|result|' +
    'results|array|dict|h[1-6r]|para|paragraph|title|head|heading|term|glossterm|dt)$',
  'i',
)

/**
 * What the name of an element says of its content (`<total>12</total>`), without the prefix of its vocabulary; `null` where that is nothing. `root`: the element
 * around all others.
 */
function fieldNameOf(name: string, root: string): string | null {
  const own = name.replace(/^.*:/, '')
  return SILENT_ROOT.test(root) || SILENT_NAME.test(own) ? null : own
}

/** Pictures and the like stand in XML as Base64. */
const MIN_ENCODED_CHARACTERS = 300

/** True for what is no words but bytes written as Base64. */
export function isEncoded(text: string): boolean {
  if (text.length < MIN_ENCODED_CHARACTERS || /[^A-Za-z0-9+/=\n]/.test(text)) return false
  return text.split('\n').length <= text.length / 40
}

/** Elements of DocBook, JATS and DITA whose lines are lines, as those of code are. */
const LINES = /^(?:\w+:)?(?:programlisting|literallayout|preformat|codeblock|pre)$/i
/** The same in manuals alone: of a film the synopsis is prose, and the screen no listing. */
const LINES_OF_MANUALS = /^(?:\w+:)?(?:screen|synopsis)$/i
const MANUAL = new RegExp(
  '^(?:\\w+:)?(?:set|book|part|article|chapter|appendix|preface|glossary|section|sect[1-5]|' +
    'reference|refentry|topic|concept|task|dita)$',
  'i',
)

/** True for an element in which line ends and indents count. `root`: the element around all others. */
export function isPreformatted(root: string, name: string): boolean {
  return LINES.test(name) || (LINES_OF_MANUALS.test(name) && MANUAL.test(root))
}

/**
 * Elements that part words wherever they stand: breaks of lines, columns and pages, tabs and blanks of office formats, DocBook, JATS and TEI, and
 * notes, which stand at the foot of a page when it is laid out; so does a formula that is written twice (JATS).
 */
const PARTING_NAME = new RegExp(
  '^(?:text:s|(?:\\w+:)?(?:br|cr|lb|cb|pb|break|line-break|soft-page-break|tab|space|milestone|' +
    'note|fn|footnote|endnote|tex-math))$',
  'i',
)

/**
 * True where words before and after the tags of an element are words of their own. A break of TEI may say that it stands inside of
 * one; a piece of a drawing that has a place of its own is a line of its own.
 */
export function breaksWords(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (/^(?:\w+:)?tspan$/.test(name)) return ['x', 'y', 'dy'].some((place) => attributes[place] !== undefined)
  return PARTING_NAME.test(name) && attributes['break'] !== 'no'
}

/** What the name and the attributes of an element say, where they are data. */
export type ElementFacts = {
  /** What its name says of its content; `null` when nothing. */
  name: string | null
  /** What the element calls its own content (`<setting name="timeout">30</setting>`); `null` when nothing. */
  label: string | null
  /** The attributes of one that has text: those beside the label; '' when there are none. */
  beside: string
  /** Those of one that holds elements; its name where it has none. */
  whole: string
  /** Those of an empty one: `timeout: 30` for a name and a value. */
  alone: string
  /** True where these have the words that are made for people with them: what closes itself is a record, such as `<book title="Quays" year="1993"/>`. */
  saysAll: boolean
}

type Attributes = Readonly<Record<string, string>>

/** An element as it begins; one that closes itself holds nothing. */
type Element = { name: string; attributes: Attributes; isSelfClosing: boolean }

/** Tells which attributes of an element are data, from the elements around it. */
type FactsReader = {
  /** The facts of an element that begins; `null` where it has none. */
  begin(element: Element): ElementFacts | null
  end(): void
}

/** Attributes that are made for people: they are words of the text, whatever the vocabulary. */
export const SPOKEN_ATTRIBUTES: readonly string[] = [
  'title',
  'label',
  'alt',
  'caption',
  'summary',
  'description',
  'desc',
]

/** What says how an element looks, or where its vocabulary is told. One with a prefix is of a vocabulary laid over this one (`xml:`, `xsi:`, `xlink:`). */
const NOT_DATA = /^(?:xmlns|class|style)$|:/
/** Pages, drawings and formulas: their attributes lay out. */
const LAID_OUT_NAME = /^(?:svg|html|math|(?:svg|fo|xhtml|math|mml|m):.+)$/i
const LAID_OUT_VOCABULARY =
  /w3\.org\/(?:1999\/xhtml|2000\/svg|1998\/Math|1999\/XSL)|docbook\.org|tei-c\.org|FictionBook/i
/** Roots of the vocabularies of books and articles: DocBook, JATS, TEI, FictionBook, DTBook. */
const BOOK_ROOT = /^(?:\w+:)?(?:article|book|chapter|refentry|tei|tei\.2|teicorpus|fictionbook|dtbook|nitf)$/i
/** Parts of a text, whatever its vocabulary. */
const TEXT_NAME = new RegExp(
  '^(?:\\w+:)?(?:p|para|div|li|listitem|l|t[rdh]|table|t(?:head|body|foot|group)|colspec|sec|' +
    'section|sect\\d|h[1-6r]|title|head|heading|br|img|figure|graphic)$',
  'i',
)

const NOTHING = { label: null, beside: '', alone: '', saysAll: false } as const
const LABEL_NAMES: readonly string[] = ['name', 'key', 'k']
/** Elements that are called fields have a code for a name (MARC). */
const FIELD_NAME = /^(?:\w+:)?(?:sub|control)field$/
const FIELD_LABEL_NAMES: readonly string[] = ['tag', 'code']
const VALUE_NAMES: readonly string[] = ['value', 'content', 'v']

/** Makes that of one file. */
export function createFactsReader(): FactsReader {
  let depth = 0
  let root = ''
  /** How deep the element stands whose content is laid out; `null` outside of one. */
  let laidOutFrom: number | null = null

  return {
    begin(element) {
      const { name, attributes } = element
      depth += 1
      if (depth === 1) root = name
      const isLaidOut = LAID_OUT_NAME.test(name) || LAID_OUT_VOCABULARY.test(attributes['xmlns'] ?? '')
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
  const saysAll = isSelfClosing && Object.entries(attributes).some(([key, value]) => isData(key, value))
  const data = Object.entries(attributes).filter(
    ([key, value]) => isData(key, value) || (saysAll && SPOKEN_ATTRIBUTES.includes(key) && value.trim() !== ''),
  )
  const fieldName = fieldNameOf(name, root)
  if (data.length === 0) return fieldName === null ? null : { ...NOTHING, name: fieldName, whole: fieldName }
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
    saysAll,
  }
}

function isData(key: string, value: string): boolean {
  if (NOT_DATA.test(key) || SPOKEN_ATTRIBUTES.includes(key)) return false
  return value.trim() !== '' && !value.startsWith('data:') && !isEncoded(value)
}

function find(attributes: Attributes, names: readonly string[]): { key: string; words: string } | null {
  const key = names.find((name) => attributes[name] !== undefined && isData(name, attributes[name]))
  return key === undefined ? null : { key, words: attributes[key]?.trim() ?? '' }
}

function list(data: readonly (readonly [string, string])[]): string {
  return data.map(([key, value]) => `${key}: ${value.trim()}`).join(', ')
}
