import type { OfficeObject } from '../office-block.ts'
import {
  type Attributes,
  getAttribute,
  getIntAttribute,
  getPrefixedAttribute,
  isSwitchedOn,
  type XmlHandler,
} from '../package/read-xml.ts'
import { decodeSymbol } from './decode-symbol.ts'
import { type NoteKind, Story, type StoryContext } from './story.ts'

/**
 * Deleted and moved text, former properties, data for programs, and ruby text above East Asian
 * words.
 */
const SKIPPED_ELEMENTS = new Set([
  ...['del', 'moveFrom', 'delText', 'instrText', 'delInstrText', 'rPrChange', 'pPrChange', 'tblPrChange', 'trPrChange'],
  ...['tcPrChange', 'sectPrChange', 'tblGridChange', 'tblGrid', 'numberingChange', 'fldData', 'binData', 'sdtPr', 'rt'],
])

/** Converts a story of WordprocessingML into events. (ECMA-376 part 1, section 17.) */
export function createStoryHandler(context: StoryContext): XmlHandler {
  const story = new Story(context)
  return {
    open(name, attributes) {
      if (story.math.isOpen() || name === 'oMath') {
        story.math.open(name, attributes)
        return false
      }
      if (SKIPPED_ELEMENTS.has(name)) return markDeleted(story, name)
      OPENERS[name]?.(story, attributes)
      return false
    },
    close(name) {
      if (story.math.isOpen()) {
        const line = story.math.close()
        if (line !== null) story.writeText(line)
        return
      }
      CLOSERS[name]?.(story)
    },
    text(text) {
      if (story.math.isOpen()) story.math.text(text)
      else if (story.isText) story.writeText(text)
    },
  }
}

/** `w:del` within the properties of a paragraph mark or a row marks a deletion. */
function markDeleted(story: Story, name: string): true {
  if (name !== 'del' && name !== 'moveFrom') return true
  const paragraph = story.paragraph
  const table = story.table
  if (paragraph !== null && story.properties === 'paragraph') paragraph.joinsNext = true
  if (table !== null && story.properties === 'row') table.isRowDeleted = true
  return true
}

type Opener = (story: Story, attributes: Attributes) => void

const OPENERS: Readonly<Record<string, Opener>> = {
  p: (story) => story.openParagraph(),
  pPr: (story) => setProperties(story, 'paragraph'),
  trPr: (story) => setProperties(story, 'row'),
  rPr: (story) => {
    if (story.properties === null) story.properties = 'run'
  },
  r: openRun,
  rStyle(story, attributes) {
    if (story.properties === 'run') setHidden(story, isHiddenByStyles(story, getAttribute(attributes, 'val')))
  },
  vanish(story, attributes) {
    if (story.properties === 'run') setHidden(story, isSwitchedOn(attributes))
  },
  t: (story) => {
    story.isText = true
  },
  pStyle: createParagraphSetter((paragraph, attributes) => {
    paragraph.styleId = getAttribute(attributes, 'val')
  }),
  numId: createParagraphSetter((paragraph, attributes) => {
    paragraph.numberingId = getAttribute(attributes, 'val')
  }),
  ilvl: createParagraphSetter((paragraph, attributes) => {
    paragraph.listLevel = getIntAttribute(attributes, 'val')
  }),
  framePr: createParagraphSetter((paragraph, attributes) => {
    if ((getAttribute(attributes, 'dropCap') ?? 'none') !== 'none') paragraph.joinsNext = true
  }),
  outlineLvl: createParagraphSetter((paragraph, attributes) => {
    paragraph.outlineLevel = getIntAttribute(attributes, 'val')
  }),
  pageBreakBefore(story, attributes) {
    if (story.properties === 'paragraph' && isSwitchedOn(attributes)) story.context.pages?.breakPage()
  },
  lastRenderedPageBreak: (story) => story.context.pages?.passRenderedBreak(),
  br(story, attributes) {
    if (getAttribute(attributes, 'type') === 'page') story.context.pages?.breakPage()
    story.writeText('\n')
  },
  cr: (story) => story.writeText('\n'),
  // Tab stops in paragraph properties share the element name of tabs in the text.
  tab(story) {
    if (story.properties === null) story.writeText('\t')
  },
  ptab: (story) => story.writeText('\t'),
  noBreakHyphen: (story) => story.writeText('-'),
  sym: (story, attributes) =>
    story.writeText(decodeSymbol(getAttribute(attributes, 'font'), getAttribute(attributes, 'char'))),
  fldChar: (story, attributes) => story.fields.handleFieldChar(getAttribute(attributes, 'fldCharType')),
  ...Object.fromEntries(
    ['checkBox', 'checked', 'ddList', 'listEntry', 'default', 'result'].map((name) => [
      name,
      (story: Story, attributes: Attributes) => story.form.open(name, attributes),
    ]),
  ),
  textpath: (story, attributes) => story.writeText(getAttribute(attributes, 'string') ?? ''),
  footnoteReference: (story, attributes) => emitNote(story, 'footnote', attributes),
  endnoteReference: (story, attributes) => emitNote(story, 'endnote', attributes),
  commentReference: (story, attributes) => emitNote(story, 'comment', attributes),
  tbl: (story) => story.openTable(),
  tblHeader(story, attributes) {
    const table = story.table
    if (table !== null && isSwitchedOn(attributes)) table.isHeaderRow = true
  },
  tc(story) {
    if (story.table !== null) story.frames.push({ type: 'cell', events: [], span: 1, merge: null })
  },
  gridBefore(story, attributes) {
    const span = getIntAttribute(attributes, 'val') ?? 0
    if (story.properties === 'row' && span > 0) story.table?.cells.push({ events: [], span, merge: null })
  },
  gridSpan(story, attributes) {
    const cell = story.frames.at(-1)
    if (cell?.type === 'cell') cell.span = Math.max(1, getIntAttribute(attributes, 'val') ?? 1)
  },
  vMerge(story, attributes) {
    const cell = story.frames.at(-1)
    if (cell?.type === 'cell') cell.merge = getAttribute(attributes, 'val') === 'restart' ? 'begin' : 'continue'
  },
  chart: (story, attributes) => emitObject(story, 'chart', getPrefixedAttribute(attributes, 'id')),
  relIds: (story, attributes) => emitObject(story, 'diagram', getPrefixedAttribute(attributes, 'dm')),
  OLEObject: (story, attributes) => emitObject(story, 'embedded', getPrefixedAttribute(attributes, 'id')),
  altChunk: (story, attributes) => emitObject(story, 'imported', getPrefixedAttribute(attributes, 'id')),
}

const CLOSERS: Readonly<Record<string, (story: Story) => void>> = {
  p: (story) => story.closeParagraph(),
  pPr: (story) => setProperties(story, null),
  trPr: (story) => setProperties(story, null),
  rPr: (story) => {
    if (story.properties === 'run') story.properties = null
  },
  r: (story) => void story.hiddenRuns.pop(),
  t: (story) => {
    story.isText = false
  },
  // Form data belongs to the field instruction, where text is ignored.
  ffData(story) {
    const paragraph = story.paragraph
    const shown = story.form.takeDisplayed()
    if (paragraph !== null) paragraph.text += shown
  },
  tc: closeCell,
  tr: (story) => story.closeRow(),
  tbl: (story) => story.closeTable(),
  ...Object.fromEntries(
    ['body', 'hdr', 'ftr', 'footnote', 'endnote', 'comment', 'txbxContent'].map((name) => [
      name,
      (story: Story) => story.flushContinued(),
    ]),
  ),
}

function setProperties(story: Story, properties: Story['properties']): void {
  story.properties = properties
}

function openRun(story: Story): void {
  story.hiddenRuns.push(false)
  setHidden(story, isHiddenByStyles(story, null))
}

/** Hides or shows the open run. A run nested in a hidden run stays hidden. */
function setHidden({ hiddenRuns }: Story, isHidden: boolean): void {
  if (hiddenRuns.length > 0) hiddenRuns[hiddenRuns.length - 1] = isHidden || hiddenRuns.at(-2) === true
}

/**
 * A run hidden by both its paragraph style and its run style is visible. (ECMA-376 part 1, section
 * 17.7.3.)
 */
function isHiddenByStyles(story: Story, runStyleId: string | null): boolean {
  const { styles } = story.context
  const isRunHidden = runStyleId !== null && styles.get(runStyleId).isHidden
  return isRunHidden !== styles.get(story.paragraph?.styleId ?? null).isHidden
}

function createParagraphSetter(set: (paragraph: NonNullable<Story['paragraph']>, attributes: Attributes) => void) {
  return (story: Story, attributes: Attributes): void => {
    const paragraph = story.paragraph
    if (paragraph !== null && story.properties === 'paragraph') set(paragraph, attributes)
  }
}

function closeCell(story: Story): void {
  story.flushContinued()
  const cell = story.frames.at(-1)
  if (cell?.type !== 'cell') return
  story.frames.pop()
  story.table?.cells.push(cell)
}

function emitNote(story: Story, kind: NoteKind, attributes: Attributes): void {
  for (const event of story.context.takeNote(kind, getAttribute(attributes, 'id') ?? '')) story.emitEvent(event)
}

function emitObject(story: Story, kind: OfficeObject['kind'], id: string | null): void {
  if (id === null || story.fields.isInstruction()) return
  const page = story.context.pages?.page
  story.emitEvent({ object: page === undefined ? { kind, id } : { kind, id, page } })
}
