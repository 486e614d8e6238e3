import { type ByteSource, readOpenFile } from '../byte-source.ts'
import { readEmbedded } from '../embedded/read-embedded.ts'
import type { ParseEvent, SourceFile } from '../parse-event.ts'
import { unreadable } from '../unreadable.ts'
import { createUnpackBudget } from '../zip/unpack-budget.ts'
import type { OfficeKind } from './package/office-package.ts'
import { packageEvents } from './package-events.ts'

/**
 * Reads an Office file of the year 2007 or later from the disk, `kind` being what it should be, with the files in it one level deep. Throws
 * `unprocessable_document` for one that is encrypted, damaged, empty, too large when unpacked or of another kind.
 */
export function readPackage(file: SourceFile, kind: OfficeKind): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, (source) => readPackageBytes(source, kind))
}

/** {@link readPackage} for bytes that are open already; `kind` `null` takes any. */
export async function* readPackageBytes(source: ByteSource, kind: OfficeKind | null): AsyncGenerator<ParseEvent> {
  const budget = createUnpackBudget()
  let hasText = false
  const reading = { kind, budget, readEmbedded: (bytes: Buffer) => readEmbedded(bytes, budget) }
  for await (const event of packageEvents(source, reading)) {
    hasText ||= 'block' in event
    yield event
  }
  if (!hasText) throw unreadable('The file has no text.')
}
