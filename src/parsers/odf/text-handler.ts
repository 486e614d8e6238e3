import { createFormulaMarks } from '../html/formula-marks.ts'
import { type OfficeObject, type ReadEmbedded, splitBlock } from '../ooxml/office-block.ts'
import { type Attributes, getAttribute, getIntAttribute, type XmlHandler } from '../ooxml/package/read-xml.ts'
import { embeddedEvents } from '../ooxml/read-object.ts'
import type { Block, ParseEvent } from '../parse-event.ts'
import { CONTENT_PART, MANIFEST_PART, type OdfFile } from './odf-file.ts'
import { OdfStory, type StoryContext } from './odf-story.ts'
import { createOdfLists, OdfStyles } from './odf-styles.ts'

/** Elements whose text is not shown: deleted text, binary data, ruby text, sources of indexes. */
const SKIPPED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['tracked-changes', 'binary-data', 'ruby-text', 'script', 'scripts', 'settings', 'styles'],
  ...['automatic-styles', 'master-styles', 'font-face-decls', 'event-listeners', 'dde-links', 'calculation-settings'],
  ...['content-validations', 'named-expressions', 'data-pilot-tables', 'variable-decls', 'sequence-decls'],
  ...['footer-decl', 'header-decl', 'date-time-decl'],
])

/** Shapes of drawings, text boxes, pictures and objects. OpenDocument 1.3 part 3, chapter 10. */
const SHAPE_ELEMENTS: ReadonlySet<string> = new Set([
  ...['frame', 'g', 'custom-shape', 'rect', 'line', 'polyline', 'polygon', 'regular-polygon', 'path', 'circle'],
  ...['ellipse', 'connector', 'caption', 'control', 'scene'],
])

/** True for an element of a shape. */
export function isShape(name: string): boolean {
  return SHAPE_ELEMENTS.has(name)
}

/** Converts text of a document into events. OpenDocument 1.3 part 3, chapters 4 to 10. */
export function createTextHandler(context: StoryContext): XmlHandler {
  const story = new OdfStory(context)
  const formula = createFormulaText()
  const controls = createFormControls()
  return {
    open(name, attributes) {
      if (formula.isOpen() || name === 'math') return formula.open(name)
      if (controls.takes(name, attributes)) return false
      if (SKIPPED_ELEMENTS.has(name) || name.endsWith('-source') || isHidden(story, name, attributes)) return true
      if (name === 'control') story.write(controls.getShown(getAttribute(attributes, 'control') ?? ''))
      if (SHAPE_ELEMENTS.has(name)) story.openShape()
      else OPENERS[name]?.(story, attributes)
      return false
    },
    close(name) {
      if (formula.isOpen()) {
        const line = formula.close(name)
        if (line !== null) story.writeFormula(line)
      } else if (controls.ends(name)) return
      else if (SHAPE_ELEMENTS.has(name)) story.closeShape()
      else CLOSERS[name]?.(story)
    },
    text(text) {
      if (formula.isOpen()) formula.text(text)
      else if (!controls.isOpen()) story.writeFlowing(text)
    },
  }
}

/** True for properties and for hidden sections, paragraphs and runs. */
function isHidden(story: OdfStory, name: string, attributes: Attributes): boolean {
  const { styles } = story.context
  // An element with metadata of a run has the same local name as the properties of the document.
  if (name === 'meta') return story.top?.type !== 'paragraph'
  if (name === 'section') return getAttribute(attributes, 'display') === 'none'
  if (name === 'span') return styles.get('text', getAttribute(attributes, 'style-name')).isHidden
  const isParagraph = name === 'p' || name === 'h'
  return isParagraph && styles.get('paragraph', getAttribute(attributes, 'style-name')).isHidden
}

const OPENERS: Readonly<Record<string, (story: OdfStory, attributes: Attributes) => void>> = {
  p: (story, attributes) => story.openParagraph(attributes, false),
  h: (story, attributes) => story.openParagraph(attributes, true),
  s: (story, attributes) => story.writeSpaces(getIntAttribute(attributes, 'c') ?? 1),
  tab: (story) => story.write('\t'),
  'line-break': (story) => story.write('\n'),
  'soft-page-break': (story) => story.context.pages?.passRenderedBreak(),
  list: (story, attributes) => story.openList(attributes),
  'numbered-paragraph': (story, attributes) => story.openNumbered(attributes),
  'list-item': (story, attributes) => story.openItem(attributes),
  'hidden-paragraph'(story, attributes) {
    if (getAttribute(attributes, 'is-hidden') === 'true') story.hideParagraph()
  },
  note: (story) => story.openNote('note'),
  annotation: (story) => story.openNote('comment'),
  'note-citation': (story) => story.setLabel(true),
  creator: (story) => story.setLabel(true),
  table: (story, attributes) => story.openTable(attributes),
  'table-header-rows': (story) => story.setHeaderRows(true),
  'table-row': (story, attributes) => story.openRow(attributes),
  'table-cell': (story, attributes) => story.openCell(attributes, false),
  'covered-table-cell': (story, attributes) => story.openCell(attributes, true),
  object: (story, attributes) => openObject(story, attributes),
  'object-ole': (story, attributes) => openObject(story, attributes),
}

const CLOSERS: Readonly<Record<string, (story: OdfStory) => void>> = {
  p: (story) => story.closeParagraph(),
  h: (story) => story.closeParagraph(),
  list: (story) => story.closeList(),
  'numbered-paragraph': (story) => story.closeList(),
  note: (story) => story.closeNote(),
  annotation: (story) => story.closeNote(),
  'note-citation': (story) => story.setLabel(false),
  creator: (story) => story.setLabel(false),
  table: (story) => story.closeTable(),
  'table-header-rows': (story) => story.setHeaderRows(false),
  'table-row': (story) => story.closeRow(),
  'table-cell': (story) => story.closeCell(),
  'covered-table-cell': (story) => story.closeCell(),
}

/** Equations are text of the paragraph; other objects follow the paragraph. */
function openObject(story: OdfStory, attributes: Attributes): void {
  const id = getAttribute(attributes, 'href')?.replace(/^\.?\/+|\/+$/g, '') ?? ''
  const formula = story.context.formulas.get(id)
  const page = story.context.pages?.page
  if (formula !== undefined) story.writeFormula(formula)
  else if (id !== '') story.emitEvent({ object: { kind: 'embedded', id, ...(page === undefined ? {} : { page }) } })
}

/** Converts MathML to a line of text. */
type FormulaText = {
  /** True within an equation. */
  isOpen(): boolean
  /** Returns true for elements to skip. */
  open(name: string): boolean
  text(text: string): void
  /** Returns the line at the end of the equation, else `null`. */
  close(name: string): string | null
}

/** Creates the converter. */
function createFormulaText(): FormulaText {
  const marks = createFormulaMarks()
  let line = ''
  let depth = 0
  return {
    isOpen: () => depth > 0,
    open(name) {
      if (name === 'annotation' || name === 'annotation-xml') return true
      depth += 1
      line += marks.begin(name)
      return false
    },
    text(text) {
      line += text.trim()
    },
    close(name) {
      depth -= 1
      line += marks.end(name)
      if (depth > 0) return null
      const whole = line
      line = ''
      return whole
    },
  }
}

/** Reads form controls; the values are stored before the text. */
type FormControls = {
  /** True for an element of the forms. */
  takes(name: string, attributes: Attributes): boolean
  /** True for the end of an element of the forms. */
  ends(name: string): boolean
  isOpen(): boolean
  /** Returns the text of a control; empty for unknown controls. */
  getShown(id: string): string
}

/** Honest forms have some hundred controls. */
const MAX_CONTROLS = 10_000
const CHECKED_ELEMENTS: ReadonlySet<string> = new Set(['checkbox', 'radio'])
/** Text of buttons is not content; passwords and files are not shown. */
const SILENT_ELEMENTS: ReadonlySet<string> = new Set(['form', 'button', 'image', 'password', 'file', 'hidden'])

/** Creates the reader of a story. OpenDocument 1.3 part 3, chapter 13. */
function createFormControls(): FormControls {
  const shown = new Map<string, string>()
  let depth = 0
  /** The open list with chosen options. */
  let list: { id: string; chosen: string[] } | null = null

  function addControl(name: string, attributes: Attributes): void {
    const id = getAttribute(attributes, 'id') ?? ''
    if (id === '' || shown.size >= MAX_CONTROLS || SILENT_ELEMENTS.has(name)) return
    if (name === 'listbox') list = { id, chosen: [] }
    shown.set(id, describeControl(name, attributes))
  }

  function addOption(attributes: Attributes): void {
    const isChosen = (getAttribute(attributes, 'current-selected') ?? getAttribute(attributes, 'selected')) === 'true'
    if (list === null || !isChosen) return
    list.chosen.push(getAttribute(attributes, 'label') ?? '')
    shown.set(list.id, list.chosen.join(', '))
  }

  return {
    takes(name, attributes) {
      if (depth === 0 && name !== 'forms') return false
      depth += 1
      if (name === 'option') addOption(attributes)
      else addControl(name, attributes)
      return true
    },
    ends(name) {
      if (depth === 0) return false
      depth -= 1
      if (name === 'listbox') list = null
      return true
    },
    isOpen: () => depth > 0,
    getShown: (id) => shown.get(id) ?? '',
  }
}

function describeControl(name: string, attributes: Attributes): string {
  const label = getAttribute(attributes, 'label') ?? ''
  if (!CHECKED_ELEMENTS.has(name))
    return getAttribute(attributes, 'current-value') ?? getAttribute(attributes, 'value') ?? label
  const isChecked =
    (getAttribute(attributes, 'current-state') ?? getAttribute(attributes, 'state')) === 'checked' ||
    getAttribute(attributes, 'current-selected') === 'true'
  return `${isChecked ? '☒' : '☐'}${label === '' ? '' : ` ${label}`}`
}

/** A thesis has some thousand equations. */
const MAX_FORMULAS = 20_000
const MAX_FORMULA_CHARACTERS = 10_000
const MAX_OBJECT_CHARACTERS = 20_000_000

/** State of a document whose objects are read. `readEmbedded` is `null` in an embedded file. */
export type ObjectSources = { file: OdfFile; readEmbedded: ReadEmbedded | null }

/**
 * Yields the text and tables of a chart, a table or text in a document, or of an embedded file of
 * another format. Yields nothing for missing objects and objects read before.
 */
export async function* readOdfObject(
  { id, page }: OfficeObject,
  { file, readEmbedded }: ObjectSources,
): AsyncGenerator<ParseEvent> {
  const name = decodePart(id)
  const part = `${name}/${CONTENT_PART}`
  const isFile = !file.isFlat && readEmbedded !== null && file.has(name)
  const isRead = file.has(part) ? file.claimPart(part) : isFile && file.claimPart(name)
  if (!isRead) return
  const events = file.has(part)
    ? partEvents(file, part)
    : embeddedEvents(file, { part: name, isImported: false }, readEmbedded)
  for await (const event of events) {
    if ('block' in event) yield page === undefined ? event : { block: { ...event.block, page } }
    else if ('warning' in event) yield event
  }
}

async function* partEvents(file: OdfFile, part: string): AsyncGenerator<ParseEvent> {
  for (const block of await readParts(file, part)) for (const piece of splitBlock(block)) yield { block: piece }
}

function decodePart(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    // A percent sign outside of an escape.
    return href
  }
}

/** Headings of an object are not headings of the document. */
async function readParts(file: OdfFile, part: string): Promise<Block[]> {
  const blocks: Block[] = []
  let characters = 0
  const styles = new OdfStyles(null)
  const handler = createTextHandler({
    styles,
    lists: createOdfLists(styles),
    formulas: new Map(),
    pages: null,
    emit(event) {
      if (!('block' in event) || characters > MAX_OBJECT_CHARACTERS) return
      const { text, kind, beginsTable } = event.block
      characters += text.length
      const begins = beginsTable === true ? { beginsTable } : {}
      blocks.push({ text, kind: kind === 'heading' ? 'paragraph' : kind, ...begins })
    },
  })
  await file.parseOptional(part, handler)
  return blocks
}

/** Reads the equations of a document by object name. */
export async function readFormulas(file: OdfFile): Promise<ReadonlyMap<string, string>> {
  const names: string[] = []
  const lines = new Map<string, string>()
  await file.parseOptional(MANIFEST_PART, createFormulaFinder(names))
  for (const name of names.slice(0, MAX_FORMULAS)) {
    const part = `${name}/${CONTENT_PART}`
    if (!file.has(part) || !file.claimPart(part)) continue
    const formula = createFormulaText()
    let text = ''
    await file.parseOptional(part, {
      open: (element) => formula.open(element),
      close(element) {
        text += formula.close(element) ?? ''
      },
      text: formula.text,
    })
    lines.set(name, text.slice(0, MAX_FORMULA_CHARACTERS))
  }
  return lines
}

function createFormulaFinder(names: string[]): XmlHandler {
  return {
    open(name, attributes) {
      const isFormula = /opendocument\.formula/.test(attributes['manifest:media-type'] ?? '')
      const path = attributes['manifest:full-path']
      if (name === 'file-entry' && isFormula && path !== undefined) names.push(path.replace(/\/$/, ''))
      return false
    },
    close() {},
    text() {},
  }
}
