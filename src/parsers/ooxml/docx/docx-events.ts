import { type Block, type ParseEvent, tooLargeUnpacked } from '../../parse-event.ts'
import { createPageAssigner, type OfficeEvent, type ReadEmbedded } from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { type Attributes, getAttribute, readXml, type XmlHandler } from '../package/read-xml.ts'
import { readObject } from '../read-object.ts'
import { createListCounters, readNumbering } from './numbering.ts'
import { createPageCounter, type NoteKind, type StoryContext } from './story.ts'
import { createStoryHandler } from './story-handler.ts'
import { readStyles } from './styles.ts'

/**
 * Reads a Word document: headers, the body with notes, comments, charts and embedded files in
 * place, footers. Pages are numbered when the document marks page ends. Throws
 * `unprocessable_document` for damage, possibly after yielding blocks.
 */
export async function* docxEvents(pkg: OfficePackage, readEmbedded: ReadEmbedded | null): AsyncGenerator<ParseEvent> {
  const relationships = await pkg.listRelationships(pkg.mainPart)
  const partOf = (type: string) => relationships.find((one) => one.type === type)?.part ?? null
  const styles = await readStyles(pkg, partOf('styles'))
  const shared = { styles, lists: createListCounters(await readNumbering(pkg, partOf('numbering'))) }
  const parts = { footnote: partOf('footnotes'), endnote: partOf('endnotes'), comment: partOf('comments') }
  const notes = await readNotes(pkg, parts, shared)
  const pages = (await hasPageMarks(pkg.read(pkg.mainPart))) ? createPageCounter() : null

  const body: OfficeEvent[] = []
  const context = { ...shared, pages, takeNote: notes.take, emit: (event: OfficeEvent) => void body.push(event) }
  const assigner = createPageAssigner(pages)
  yield* assigner.assignPages(await readHeadersOrFooters({ pkg, relationships }, 'header', context))
  for await (const _ of readXml(pkg.mainPart, pkg.read(pkg.mainPart), createStoryHandler(context))) {
    for (const event of body.splice(0)) {
      if ('block' in event) yield* assigner.assignPages([event.block])
      else
        for await (const read of readObject(event.object, { pkg, relationships, readEmbedded }))
          yield* assigner.forward(read)
    }
  }
  const rest = [...body, ...notes.takeUnreferenced()].flatMap((event) => ('block' in event ? [event.block] : []))
  yield* assigner.assignPages(rest)
  yield* assigner.assignPages(await readHeadersOrFooters({ pkg, relationships }, 'footer', context))
  yield* assigner.end()
}

/**
 * Reads headers or footers. A text repeated by several sections is returned once; page numbers are
 * skipped.
 */
async function readHeadersOrFooters(
  { pkg, relationships }: { pkg: OfficePackage; relationships: readonly Relationship[] },
  type: 'header' | 'footer',
  context: StoryContext,
): Promise<Block[]> {
  const known = new Map<string, Block>()
  for (const { type: own, part } of relationships) {
    if (own !== type || part === null || !pkg.claimPart(part)) continue
    const handler = createStoryHandler({
      ...context,
      pages: null,
      emit(event) {
        if (!('block' in event) || !/\p{L}/u.test(event.block.text)) return
        known.set(event.block.text.trim(), { text: event.block.text, kind: 'paragraph' })
      },
    })
    await pkg.parseOptional(part, handler)
  }
  return [...known.values()]
}

/**
 * Marks of a page end. LibreOffice and Google Docs write a disabled `pageBreakBefore` into every
 * paragraph.
 */
const PAGE_MARK =
  /lastRenderedPageBreak|type=["']page["']|<(?:\w+:)?pageBreakBefore(?![^<>]*val=["'](?:0|false|off|none)["'])[^<>]*>/
/** Longer than any matching element. */
const OVERLAP_CHARACTERS = 200

/**
 * True when a document marks where its pages end; other documents have no pages. Stops reading at
 * the first mark.
 */
export async function hasPageMarks(pieces: AsyncIterable<Buffer>): Promise<boolean> {
  let tail = ''
  for await (const piece of pieces) {
    const text = tail + piece.toString('latin1')
    if (PAGE_MARK.test(text)) return true
    tail = text.slice(-OVERLAP_CHARACTERS)
  }
  return false
}

/** Footnotes, endnotes and comments, emitted where the text references them. */
type Notes = {
  /** Takes a note; empty when absent or already taken. */
  take(kind: NoteKind, id: string): OfficeEvent[]
  /** Takes all notes without a reference. */
  takeUnreferenced(): OfficeEvent[]
}

/** Notes stay in memory until referenced. The limit exceeds the length of a book. */
const MAX_NOTE_CHARACTERS = 20_000_000

/** Parts with the notes of a document; `null` when absent. */
type NoteParts = Readonly<Record<NoteKind, string | null>>

async function readNotes(
  pkg: OfficePackage,
  parts: NoteParts,
  context: Pick<StoryContext, 'styles' | 'lists'>,
): Promise<Notes> {
  const blocks = new Map<string, Block[]>()
  const counts = { footnote: 0, endnote: 0, comment: 0 }
  const authors = new Map<string, string>()
  for (const kind of ['footnote', 'endnote', 'comment'] as const) {
    const part = parts[kind]
    if (part !== null) await pkg.parseOptional(part, createNotesHandler(kind, context, { blocks, authors }))
  }

  function take(kind: NoteKind, id: string): OfficeEvent[] {
    const key = `${kind} ${id}`
    const [first, ...rest] = blocks.get(key) ?? []
    blocks.delete(key)
    if (first === undefined) return []
    counts[kind] += 1
    const by = authors.get(key) ?? ''
    const label = kind === 'comment' ? `Comment${by === '' ? '' : ` by ${by}`}:` : String(counts[kind])
    return [{ ...first, text: `${label} ${first.text}` }, ...rest].map((block) => ({ block }))
  }

  return {
    take,
    takeUnreferenced() {
      return [...blocks.keys()].flatMap((key) => {
        const [kind = '', id = ''] = key.split(' ')
        return take(kind as NoteKind, id)
      })
    },
  }
}

type NoteTexts = { blocks: Map<string, Block[]>; authors: Map<string, string> }

function createNotesHandler(
  kind: NoteKind,
  context: Pick<StoryContext, 'styles' | 'lists'>,
  { blocks, authors }: NoteTexts,
): XmlHandler {
  let current: Block[] | null = null
  let characters = 0
  const story = createStoryHandler({
    ...context,
    pages: null,
    takeNote: () => [],
    emit(event) {
      if (current === null || !('block' in event) || event.block.kind === 'blank') return
      characters += event.block.text.length
      if (characters > MAX_NOTE_CHARACTERS) throw tooLargeUnpacked('its notes are too long')
      // Headings and lists of a note must not become sections of the document.
      current.push({ text: event.block.text, kind: 'paragraph' })
    },
  })

  /** Separator lines are stored as notes too; their type differs. */
  function openNote(attributes: Attributes): boolean {
    const type = getAttribute(attributes, 'type') ?? 'normal'
    if (type !== 'normal') return true
    const key = `${kind} ${getAttribute(attributes, 'id') ?? ''}`
    current = []
    blocks.set(key, current)
    authors.set(key, getAttribute(attributes, 'author') ?? '')
    return false
  }

  return {
    open: (name, attributes) => (name === kind ? openNote(attributes) : story.open(name, attributes)),
    close(name) {
      story.close(name)
      if (name === kind) current = null
    },
    text: story.text,
  }
}
