import { ApiError } from '../../errors.ts'
import { type ByteSource, readOpenFile } from '../byte-source.ts'
import { readEmbedded } from '../embedded/read-embedded.ts'
import { openCompoundFile } from '../ole/compound-file.ts'
import { readTitle } from '../ole/read-title.ts'
import type { ParseEvent, SourceFile } from '../parse-event.ts'
import { unreadable } from '../unreadable.ts'
import { openPresentationFile, presentationEvents } from './presentation-events.ts'

/**
 * Reads a PowerPoint file of 97 to 2003: slides in their order as pages, titles as headings, texts, tables, notes, comments, the text of
 * embedded files one level deep. Masters are not repeated, nor is a footer that stands on every slide. Throws
 * `unprocessable_document` when the file is encrypted, damaged, from before 97 or without text.
 */
export function readPpt(file: SourceFile): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, readPptBytes)
}

/** The same from bytes. */
export async function* readPptBytes(source: ByteSource): AsyncGenerator<ParseEvent> {
  try {
    const container = await openCompoundFile(source)
    const presentation = await openPresentationFile(container)
    const title = await readTitle(container)
    if (title !== null) yield { title, over: 'file-name' }
    yield* presentationEvents(presentation, readEmbedded)
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The PowerPoint file is damaged: it cannot be read.', error)
  }
}
