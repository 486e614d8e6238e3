import { readDocBytes } from '../doc/read-doc.ts'
import { openCompoundFile } from '../ole/compound-file.ts'
import { receiptOf } from '../ooxml/page-receipts.ts'
import type { Block, ParseEvent, SourceFile } from '../parser.ts'
import { type ByteSource, bufferBytes, openFileBytes } from '../zip/byte-source.ts'
import { unreadable } from '../zip/unreadable.ts'
import { listObjects, unpackObject } from './embedded-objects.ts'
import { openPresentation, type Presentation, type SlideEntry } from './presentation.ts'
import { commentBlocks, footerTexts, isHidden, notesBlocks, slideBlocks } from './slide-blocks.ts'
import { listShapes } from './slide-shapes.ts'

const MAX_STREAM_BYTES = 100 * 1024 * 1024

/**
 * Reads a PowerPoint file of 97 to 2003: slides in their order as pages, titles as headings, texts, tables, notes, comments, embedded
 * Word documents and presentations one level deep. Masters are not repeated, nor is a footer that stands on every slide. Throws
 * `unprocessable_document` when the file is encrypted, damaged, from before 97 or without text.
 */
export async function* readPpt(file: SourceFile): AsyncGenerator<ParseEvent> {
  const source = await openFileBytes(file.path)
  try {
    yield* readPptBytes(source, { isEmbedded: false })
  } finally {
    await source.close()
  }
}

/** The same from bytes; in a file that is itself embedded other files are not looked for. */
export async function* readPptBytes(
  source: ByteSource,
  { isEmbedded }: { isEmbedded: boolean },
): AsyncGenerator<ParseEvent> {
  const presentation = await open(source)
  const objects = isEmbedded ? new Map<number, number>() : listObjects(presentation)
  const footers = new Set<string>()
  let total = 0
  for (const [index, slide] of presentation.slides.entries()) {
    const page = index + 1
    let characters = 0
    for await (const event of slideEvents(presentation, slide, { objects, footers })) {
      if ('block' in event) {
        characters += event.block.text.length
        yield { block: { ...event.block, page } }
      } else yield event
    }
    total += characters
    yield { page: receiptOf(page, characters, isHidden(slide) ? 'hidden slide' : null) }
  }
  if (total === 0) throw unreadable('The PowerPoint file has no text.')
}

async function open(source: ByteSource): Promise<Presentation> {
  const container = await openCompoundFile(source)
  const stream = container.getStream('PowerPoint Document')
  if (stream === null) {
    if (container.getStream('PP40') === null)
      throw unreadable('The file is an Office file, but has no presentation in it.')
    throw unreadable('The presentation was made by PowerPoint 95 or before: save it as PPTX and send that.')
  }
  const currentUser = container.getStream('Current User')
  const user = currentUser === null ? Buffer.alloc(0) : await container.read(currentUser, MAX_STREAM_BYTES)
  return openPresentation(await container.read(stream, MAX_STREAM_BYTES), user)
}

type Seen = { objects: ReadonlyMap<number, number>; footers: Set<string> }

async function* slideEvents(presentation: Presentation, slide: SlideEntry, seen: Seen): AsyncGenerator<ParseEvent> {
  const shapes = listShapes(slide.record, slide.outline)
  for (const block of slideBlocks(shapes)) yield { block }
  for (const shape of shapes) {
    const part = shape.kind === 'object' ? seen.objects.get(shape.id) : undefined
    if (part !== undefined) yield* objectEvents(unpackObject(presentation.getPart(part)))
  }
  for (const block of [...notesBlocks(presentation, slide), ...commentBlocks(slide)]) yield { block }
  for (const text of footerTexts(slide.record)) {
    if (!seen.footers.has(text)) yield { block: { text: `${text}\n\n`, kind: 'paragraph' } }
    seen.footers.add(text)
  }
}

/** The text of an embedded file. One that cannot be read costs only itself. */
async function* objectEvents(bytes: Buffer | null): AsyncGenerator<ParseEvent> {
  try {
    const events = bytes === null ? null : await readEmbedded(bytes)
    if (events === null) return
    for await (const event of events) if ('block' in event) yield { block: asPart(event.block) }
  } catch (error) {
    yield { warning: `An embedded file was not read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

async function readEmbedded(bytes: Buffer): Promise<AsyncIterable<ParseEvent> | null> {
  const source = bufferBytes(bytes)
  const container = await openCompoundFile(source)
  if (container.getStream('WordDocument') !== null) return readDocBytes(source)
  if (container.getStream('PowerPoint Document') !== null) return readPptBytes(source, { isEmbedded: true })
  return null
}

/** Sections of an embedded file are not those of the presentation. */
function asPart({ text, kind }: Block): Block {
  return { text, kind: kind === 'heading' ? 'paragraph' : kind }
}
