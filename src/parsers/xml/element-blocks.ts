import { ApiError } from '../../errors.ts'
import { isOfFormula } from '../html/formula-marks.ts'
import { createHtmlReader } from '../html/html-reader.ts'
import type { Block } from '../parse-event.ts'
import { type ElementFacts, isEncoded, isPreformatted } from './element-facts.ts'
import { createOutput, type FieldLabel, type RecordLines } from './record-output.ts'

/** Turns elements and text of an XML file into blocks. */
export type ElementBlocks = {
  /** `facts`: data in the attributes; ignored if the element is part of running text. */
  begin(name: string, facts: ElementFacts | null, attributes: Readonly<Record<string, string>>): void
  end(): void
  text(text: string): void
  /** Adds the text of an attribute. */
  words(words: string): void
  finish(): void
  hasText(): boolean
}

/** An open element. An inline element, and everything inside, is part of a sentence. */
type OpenElement = {
  name: string
  facts: ElementFacts | null
  isInline: boolean
  hasText: boolean
  hasChildren: boolean
  /** True if elements are mixed with text: a sentence, not a value. */
  isMixed: boolean
}

/** Elements of many vocabularies (DocBook, JATS, TEI, RSS, Atom) whose text is a heading. */
const HEADING_NAME = /^(?:\w+:)?(?:title|head|heading|h[1-6])$/i
/**
 * Parents of the title of the whole file at any depth: a feed (RSS), and an article, whose title
 * element has a different name (JATS).
 */
const TITLE_PARENT = /^(?:channel|title-group)$/
const ARTICLE_TITLE = 'article-title'
/** Elements that are always on a separate line, and elements that never are. */
const BLOCK_NAME = new RegExp(
  '^(?:\\w+:)?(?:p|para|div|li|item|list-?item|row|tr|td|th|cell|entry|sec|section|line|l|list|' +
    '(?:itemized|ordered|variable|simple|def-)list|(?:informal)?table|tgroup|table-wrap|fig|' +
    'figure|caption|disp-quote|blockquote|boxed-text)$',
  'i',
)
/** Elements whose text is a sentence, even if starting with an element. */
const SENTENCE_NAME = /^(?:\w+:)?(?:p|para|simpara|ab|cmd|shortdesc|(?:mixed-|element-)?citation)$/i
const INLINE_NAME = new RegExp(
  '^(?:w:[rt]|a:[rt]|text:span|text:a|tspan|(?:\\w+:)?(?:a|b|i|u|em|strong|sub|sup|span|' +
    'emphasis|italic|bold|xref|ref|ulink|hi))$',
  '',
)
/** Terms, and the elements that contain a term with its definition. */
const TERM_NAME = /^(?:\w+:)?(?:term|glossterm|dt)$/i
const DEFINITION_NAME = /^(?:\w+:)?(?:varlistentry|glossentry|def-item|dlentry|dl)$/i
const MAX_HEADING_CHARACTERS = 200
const MAX_LEVEL = 6
/** A longer leaf is text, not a field of a record. */
const MAX_FIELD_CHARACTERS = 400

/** Creates the block builder of a file. */
export function createElementBlocks(emit: (block: Block) => void): ElementBlocks {
  return new BlockBuilder(emit)
}

class BlockBuilder implements ElementBlocks {
  readonly #open: OpenElement[] = []
  readonly #line = createLine()
  readonly #output: ReturnType<typeof createOutput>
  #hasText = false

  constructor(emit: (block: Block) => void) {
    this.#output = createOutput(emit)
  }

  begin(name: string, facts: ElementFacts | null, attributes: Readonly<Record<string, string>>): void {
    const parent = this.#open.at(-1)
    const root = this.#open[0]?.name ?? name
    const isInline = parent !== undefined && isInlineElement(name, parent, root)
    if (isInline) this.#line.add(beginWords(name, parent), false)
    if (!isInline) {
      this.#endLine(null)
      if (isPreformatted(root, name)) this.#line.keepLines()
      if (parent !== undefined && !parent.hasChildren) this.#beginChildren(parent)
    }
    const isOfTable = !isInline && this.#output.rows.begin(name, this.#open.length, attributes)
    const own = { facts: isOfTable ? null : facts, hasText: false, hasChildren: false, isMixed: false }
    this.#open.push({ name, isInline, ...own })
  }

  end(): void {
    const element = this.#open.pop()
    if (element === undefined || element.isInline) return
    const level = getHeadingLevel(element.name, this.#open)
    const isTerm = TERM_NAME.test(element.name) && DEFINITION_NAME.test(this.#open.at(-1)?.name ?? '')
    if (element.hasChildren) this.#endLine(level)
    else this.#endLeaf(element, level)
    if (element.hasChildren || isTerm) this.#output.record.end(isTerm)
    this.#output.rows.end(element.name, this.#open.length)
  }

  text(text: string): void {
    const element = this.#open.at(-1)
    if (element !== undefined && text.trim() !== '') element.hasText = true
    const mayBeHtml = element !== undefined && holdsHtml(this.#open[0]?.name ?? '', element.name)
    if (this.#line.add(text, mayBeHtml) > MAX_LINE_CHARACTERS) this.#endLine(null)
  }

  words(words: string): void {
    if (words.trim() !== '') this.#line.add(`${words.trim()}\n`, false)
  }

  finish(): void {
    this.#endLine(null)
    this.#output.record.end()
  }

  hasText(): boolean {
    return this.#hasText
  }

  /** Ends the current line: a field of the record, a heading or a paragraph. */
  #endLine(headingLevel: number | null, label: FieldLabel | null = null): void {
    const { text, isCode } = this.#line.take()
    if (text === '' || isEncoded(text)) return
    this.#hasText = true
    const { record, rows, emit } = this.#output
    if (rows.take(text)) return
    if (isCode) {
      record.end()
      emit(`${text}\n\n`, { kind: 'code' })
    } else if (headingLevel !== null && text.length <= MAX_HEADING_CHARACTERS) {
      record.endFields()
      emit(`${text}\n\n`, { kind: 'heading', level: headingLevel })
    } else if (text.length > MAX_FIELD_CHARACTERS) {
      record.end()
      emit(`${text}\n\n`, { kind: 'paragraph' })
    } else record.addField(text, label)
  }

  /** Ends a leaf element: its text and its attributes. */
  #endLeaf({ facts, hasText, isMixed }: OpenElement, headingLevel: number | null): void {
    this.#endLine(headingLevel, hasText && !isMixed ? getFieldLabel(facts) : null)
    if (facts !== null && !isMixed) this.#addFacts('facts', hasText ? facts.beside : facts.alone)
  }

  /** Called at the first child, which shows that the parent is a record. */
  #beginChildren(parent: OpenElement): void {
    this.#output.record.endFields()
    parent.hasChildren = true
    if (parent.facts !== null && !parent.hasText && !parent.isMixed)
      this.#addFacts('head', parent.facts.whole, parent.facts.name)
  }

  #addFacts(place: keyof RecordLines, words: string, name: string | null = null): void {
    this.#hasText ||= words !== '' && words !== name
    this.#output.record.add(place, words, words === name)
  }
}

function isInlineElement(name: string, parent: OpenElement, root: string): boolean {
  if (BLOCK_NAME.test(name) || (parent.name === 'ref-list' && name === 'ref')) return false
  if (isPreformatted(root, name)) return false
  return (
    parent.isInline ||
    parent.hasText ||
    SENTENCE_NAME.test(parent.name) ||
    isPreformatted(root, parent.name) ||
    INLINE_NAME.test(name)
  )
}

/**
 * Starts an inline element and returns the separator from the text before. Adjacent elements
 * without text between, such as an author's names, are separate words; elements that only format
 * letters are not.
 */
function beginWords(name: string, parent: OpenElement): '' | ' ' {
  const isOwn = parent.isMixed && !parent.hasText && !INLINE_NAME.test(name) && !isOfFormula(name)
  parent.isMixed = true
  return isOwn ? ' ' : ''
}

/** An attribute that names the content takes precedence over the element name. */
function getFieldLabel(facts: ElementFacts | null): FieldLabel | null {
  if (facts === null) return null
  const { label, name } = facts
  if (label !== null) return { words: label, isOwn: true }
  return name === null ? null : { words: name, isOwn: false }
}

/** Returns the level of a heading by its depth; `null` for other elements. */
function getHeadingLevel(name: string, around: readonly OpenElement[]): number | null {
  const isWhole = TITLE_PARENT.test(around.at(-1)?.name ?? '')
  if (isWhole && (name === ARTICLE_TITLE || HEADING_NAME.test(name))) return 1
  return HEADING_NAME.test(name) ? Math.min(Math.max(around.length, 1), MAX_LEVEL) : null
}

/** Collects the text of a line. */
function createLine() {
  let pieces: string[] = []
  let characters = 0
  let isHtml = false
  let keepsLines = false
  return {
    /** Preserves white space from here on. */
    keepLines(): void {
      keepsLines = true
    },
    /** Returns the length so far. */
    add(text: string, mayBeHtml: boolean): number {
      pieces.push(text)
      isHtml ||= mayBeHtml
      characters += text.length
      return characters
    },
    take(): { text: string; isCode: boolean } {
      const text = pieces.join('')
      const isCode = keepsLines && text.trim().includes('\n')
      const shown = isHtml ? readEmbeddedHtml(text) : text
      pieces = []
      characters = 0
      isHtml = false
      keepsLines = false
      return { text: isCode ? shown.replace(/^(?:[ \t]*\n)+/, '').trimEnd() : collapseWhiteSpace(shown), isCode }
    },
  }
}

const MAX_LINE_CHARACTERS = 256 * 1024

/** Collapses layout white space; keeps blank lines. */
function collapseWhiteSpace(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/**
 * Elements of feeds (RSS, Atom, their modules) and maps (KML) whose text may be HTML, in CDATA
 * or
 * escaped.
 */
const HOLDS_HTML = /^(?:\w+:)?(?:description|encoded|summary|content|body)$/i
const FEED_ROOT = /^(?:rss|rdf:RDF|kml|(?:\w+:)?feed)$/
const HTML_TAG = /<\/[a-z][a-z\d]*\s*>|<(?:br|hr|img|p)\b[^<>]{0,2000}>/i

/** Elements that swallow the rest of the text if never closed. */
const SWALLOWING_ELEMENT = /<(\/?)(script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext)\b/gi

/** Company reports, whose longer facts are HTML. */
const REPORT_ROOT = /^(?:\w+:)?xbrl$/

/** True for an element whose text may be HTML. In other elements, tags are literal text. */
function holdsHtml(root: string, name: string): boolean {
  return REPORT_ROOT.test(root) || (FEED_ROOT.test(root) && HOLDS_HTML.test(name))
}

/** Returns the visible text of embedded HTML; text without HTML is returned as is. */
function readEmbeddedHtml(text: string): string {
  if (!HTML_TAG.test(text) || hasUnclosedElement(text)) return text
  const shown: string[] = []
  const reader = createHtmlReader((event) => {
    if ('block' in event) shown.push(event.block.text)
  }, '')
  try {
    reader.write(text)
    reader.end()
  } catch (error) {
    // Only images without text.
    if (!(error instanceof ApiError)) throw error
  }
  return shown.join('')
}

/** True if the last tag of any of these names is a start tag. */
function hasUnclosedElement(text: string): boolean {
  const isOpen = new Map<string, boolean>()
  for (const [, end, name = ''] of text.matchAll(SWALLOWING_ELEMENT)) isOpen.set(name.toLowerCase(), end === '')
  return [...isOpen.values()].includes(true)
}
