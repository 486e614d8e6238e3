import type { Block } from '../../parse-event.ts'
import { tooLargeUnpacked } from '../../parse-event.ts'
import type { OfficeEvent } from '../office-block.ts'
import type { OfficePackage } from '../package/office-package.ts'
import { type Attributes, getAttribute, type XmlHandler } from '../package/read-xml.ts'
import type { NoteKind, StoryContext } from './story.ts'
import { createStoryHandler } from './story-handler.ts'

/** Footnotes, endnotes and comments, which stand where the text refers to them. */
export type Notes = {
  /** A note, once; empty when there is none or it was taken. */
  take(kind: NoteKind, id: string): OfficeEvent[]
  /** Those that nothing referred to. */
  takeRest(): OfficeEvent[]
}

/** Notes wait in memory for their references: more than a book's worth is refused. */
const MAX_CHARACTERS = 20_000_000

/** Where the notes of a document stand; `null` where it has none. */
export type NoteParts = Readonly<Record<NoteKind, string | null>>

/** Reads the notes of a document. */
export async function readNotes(
  pkg: OfficePackage,
  parts: NoteParts,
  context: Pick<StoryContext, 'styles' | 'lists'>,
): Promise<Notes> {
  const blocks = new Map<string, Block[]>()
  const counts = { footnote: 0, endnote: 0, comment: 0 }
  const authors = new Map<string, string>()
  for (const kind of ['footnote', 'endnote', 'comment'] as const) {
    const part = parts[kind]
    if (part !== null) await pkg.tryFeed(part, createNotesHandler(kind, context, { blocks, authors }))
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
    takeRest() {
      return [...blocks.keys()].flatMap((key) => {
        const [kind = '', id = ''] = key.split(' ')
        return take(kind as NoteKind, id)
      })
    },
  }
}

type Found = { blocks: Map<string, Block[]>; authors: Map<string, string> }

function createNotesHandler(
  kind: NoteKind,
  context: Pick<StoryContext, 'styles' | 'lists'>,
  { blocks, authors }: Found,
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
      if (characters > MAX_CHARACTERS) throw tooLargeUnpacked('it has far too many notes')
      // In a note, headings and lists are the note's own: they must not become sections of the document.
      current.push({ text: event.block.text, kind: 'paragraph' })
    },
  })

  /** The lines that part notes from the text are notes as well. */
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
