import { createPageReport, type OfficeEvent, splitBlock, toParagraph } from '../ooxml/office-block.ts'
import { type Attributes, getAttribute, readXml, type XmlHandler } from '../ooxml/package/read-xml.ts'
import { slideEvents, sortShapes } from '../ooxml/pptx/reading-order.ts'
import type { Box, Shape } from '../ooxml/pptx/slide-handler.ts'
import type { Block, ParseEvent } from '../parse-event.ts'
import { CONTENT_PART, countElements } from './odf-file.ts'
import type { StoryContext, StoryParagraph } from './odf-story.ts'
import { createOdfLists } from './odf-styles.ts'
import { readDocumentStyles } from './odt-events.ts'
import { createTextHandler, isShape, type ObjectSources, readFormulas, readOdfObject } from './text-handler.ts'

/** Far beyond the limits of programs. */
const MAX_SLIDES = 20_000
const SLIDE_ELEMENT = /<(?:[\w.-]+:)?page(?=[\s/>])/g

/**
 * Reads a presentation slide by slide: title, shapes in reading order, tables, charts, notes,
 * comments. Each slide is a page. Footers come once. Throws `unprocessable_document` for damage,
 * possibly after yielding blocks.
 */
export async function* odpEvents(sources: ObjectSources): AsyncGenerator<ParseEvent> {
  const { file } = sources
  const { content } = await readDocumentStyles(file)
  const count = await countElements(file, SLIDE_ELEMENT, null)
  if (count !== null) yield { pageCount: Math.min(count, MAX_SLIDES) }
  const slides: OdpSlide[] = []
  const handler = createSlidesHandler({
    styles: content,
    lists: createOdfLists(content),
    formulas: await readFormulas(file),
    onSlide: (slide) => void slides.push(slide),
  })
  const footers = new Set<string>()
  let page = 0
  for await (const _ of readXml(CONTENT_PART, file.read(CONTENT_PART), handler)) {
    for (const slide of slides.splice(0)) {
      page += 1
      if (page <= MAX_SLIDES) yield* readSlide(slide, page, { sources, footers })
    }
  }
}

type DeckContext = { sources: ObjectSources; footers: Set<string> }

async function* readSlide(
  slide: OdpSlide,
  page: number,
  { sources, footers }: DeckContext,
): AsyncGenerator<ParseEvent> {
  let characters = 0
  for (const event of listEvents(slide, footers)) {
    for await (const read of expandEvent(event, sources)) {
      if (!('block' in read)) {
        yield read
        continue
      }
      characters += read.block.text.length
      yield { block: { ...read.block, page } }
    }
  }
  yield { page: createPageReport(page, characters, slide.isHidden ? 'hidden slide' : null) }
}

function listEvents({ shapes, notes, comments, footers: own }: OdpSlide, footers: Set<string>): OfficeEvent[] {
  const fresh = own.filter((text) => !footers.has(text))
  for (const text of fresh) footers.add(text)
  const blocks = [toNotes(notes), ...comments, ...fresh.map(toParagraph)].filter((block) => block !== null)
  return [...slideEvents(sortShapes(shapes, [])), ...blocks.map((block) => ({ block }))]
}

/** Other shapes of a notes page repeat the slide. */
function toNotes(notes: readonly Shape[]): Block | null {
  const shown = notes.filter(({ placeholder, isHidden }) => placeholder === 'notes' && !isHidden)
  const text = shown.flatMap(({ paragraphs }) => paragraphs.map((paragraph) => paragraph.text)).join('\n')
  return text.trim() === '' ? null : toParagraph(`Notes: ${text}`)
}

async function* expandEvent(event: OfficeEvent, sources: ObjectSources): AsyncGenerator<ParseEvent> {
  if ('object' in event) yield* readOdfObject(event.object, sources)
  else for (const block of splitBlock(event.block)) yield { block }
}

/** A slide with shapes in file order. */
type OdpSlide = {
  isHidden: boolean
  shapes: Shape[]
  notes: Shape[]
  comments: Block[]
  /** Footer and header of the slide, shared with other slides. */
  footers: string[]
}

type SlidesContext = Omit<StoryContext, 'pages' | 'emit'> & { onSlide(slide: OdpSlide): void }

/** Placeholders of slides, as the reading order of PPTX names them. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  ...{ title: 'title', subtitle: 'subTitle', outline: 'body', text: 'body', notes: 'notes' },
  ...{ footer: 'ftr', header: 'hdr', 'date-time': 'dt', 'page-number': 'sldNum' },
}
const DECLARATIONS: ReadonlySet<string> = new Set(['footer-decl', 'header-decl'])
const MAX_DECLARATIONS = 1_000
/** Elements beside the slides. */
const SKIPPED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['automatic-styles', 'styles', 'master-styles', 'settings', 'scripts', 'font-face-decls', 'date-time-decl'],
])
/** English Metric Units of a length unit, as the reading order of PPTX counts. */
const UNITS: Readonly<Record<string, number>> = {
  cm: 360_000,
  mm: 36_000,
  in: 914_400,
  pt: 12_700,
  pc: 152_400,
  px: 9_525,
}

/** Converts a presentation into slides. OpenDocument 1.3 part 3, sections 3.8 and 10.2. */
function createSlidesHandler(context: SlidesContext): XmlHandler {
  const reader = new SlidesReader(context)
  return {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  }
}

class SlidesReader {
  readonly #context: SlidesContext
  readonly #text: XmlHandler
  readonly #shapes: Shape[] = []
  readonly #declarations = new Map<string, string>()
  #slide: OdpSlide | null = null
  #isNotes = false
  /** The open text shared by slides. */
  #declaration: string | null = null

  constructor(context: SlidesContext) {
    this.#context = context
    this.#text = createTextHandler({
      ...context,
      pages: null,
      emit: (event) => void (this.#shapes.at(-1) ?? this.#looseShape()).events.push(event),
      emitParagraph: (paragraph) => this.#addParagraph(paragraph),
      emitComment: (block) => void this.#slide?.comments.push(block),
    })
  }

  open(name: string, attributes: Attributes): boolean {
    if (SKIPPED_ELEMENTS.has(name)) return true
    if (this.#slide === null) {
      this.#openOutside(name, attributes)
      return false
    }
    // An object may contain a presentation.
    if (name === 'page') return true
    if (name === 'notes') this.#isNotes = true
    const isSkipped = this.#text.open(name, attributes)
    if (!isSkipped && isShape(name)) this.#openShape(attributes)
    return isSkipped
  }

  close(name: string): void {
    if (DECLARATIONS.has(name)) this.#declaration = null
    if (this.#slide === null) return
    if (name === 'page') {
      this.#context.onSlide(this.#slide)
      this.#slide = null
      return
    }
    if (name === 'notes') this.#isNotes = false
    this.#text.close(name)
    if (isShape(name)) this.#shapes.pop()
  }

  text(text: string): void {
    const name = this.#declaration
    if (name !== null) this.#declarations.set(name, (this.#declarations.get(name) ?? '') + text)
    else if (this.#slide !== null) this.#text.text(text)
  }

  #openOutside(name: string, attributes: Attributes): void {
    if (name === 'page') {
      const { isHidden } = this.#context.styles.get('drawing-page', getAttribute(attributes, 'style-name'))
      const uses = ['use-header-name', 'use-footer-name'].map((local) => getAttribute(attributes, local) ?? '')
      const footers = uses.flatMap((used) => this.#declarations.get(used)?.trim() || [])
      this.#slide = { isHidden, shapes: [], notes: [], comments: [], footers }
      this.#shapes.length = 0
      this.#isNotes = false
    } else if (DECLARATIONS.has(name) && this.#declarations.size < MAX_DECLARATIONS)
      this.#declaration = getAttribute(attributes, 'name')
  }

  #openShape(attributes: Attributes): void {
    const kind = getAttribute(attributes, 'class') ?? ''
    // A placeholder without text shows a prompt.
    const isEmpty = getAttribute(attributes, 'placeholder') === 'true'
    const placeholder = Object.hasOwn(PLACEHOLDERS, kind) ? (PLACEHOLDERS[kind] ?? null) : null
    const shape = createShape(placeholder, readBox(attributes))
    shape.isHidden = isEmpty
    const parent = this.#shapes.at(-1)
    const siblings = parent?.children ?? (this.#isNotes ? this.#slide?.notes : this.#slide?.shapes)
    siblings?.push(shape)
    this.#shapes.push(shape)
  }

  #looseShape(): Shape {
    const shape = createShape(null, null)
    ;(this.#isNotes ? this.#slide?.notes : this.#slide?.shapes)?.push(shape)
    return shape
  }

  #addParagraph({ text, level, number, depth }: StoryParagraph): void {
    if (text === '') return
    const shape = this.#shapes.at(-1) ?? this.#looseShape()
    const isNumbered = number !== null && number !== ''
    const shown = isNumbered ? `${number} ${text}` : text
    if (level !== null && shape.placeholder === null) shape.placeholder = 'title'
    shape.paragraphs.push({ text: shown, level: Math.max(0, depth - 1), isNumbered })
  }
}

function createShape(placeholder: string | null, box: Box | null): Shape {
  return { placeholder, index: null, box, isHidden: false, paragraphs: [], events: [], children: [] }
}

function readBox(attributes: Attributes): Box | null {
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => readLength(getAttribute(attributes, name)))
  if (x == null || y == null) return null
  return { x, y, width: width ?? 0, height: height ?? 0 }
}

function readLength(value: string | null): number | null {
  const [, number = '', unit = ''] = /^(-?[\d.]+)([a-z]+)$/.exec(value ?? '') ?? []
  const length = Number(number) * (UNITS[unit] ?? Number.NaN)
  return number !== '' && Number.isFinite(length) ? length : null
}
