import { ApiError } from '../../errors.ts'
import { bufferBytes } from '../byte-source.ts'
import { openWordFile, wordBlocks } from '../doc/word-blocks.ts'
import { type CompoundFile, openCompoundFile } from '../ole/compound-file.ts'
import { packageEvents } from '../ooxml/package-events.ts'
import type { Block, ParseEvent } from '../parse-event.ts'
import { openPresentationFile, presentationEvents } from '../ppt/presentation-events.ts'
import { isTooLargeUnpacked } from '../unreadable.ts'
import { createUnpackBudget, type UnpackBudget } from '../zip/unpack-budget.ts'

const MAX_PACKAGE_BYTES = 64 * 1024 * 1024
/** The stream that holds a file of 2007 or later inside an older one. */
const PACKAGE = 'Package'
/** First bytes of a zip archive, and of a compound file. */
const ZIP = 'PK'
const COMPOUND_FILE = '\xd0\xcf'

/**
 * The text of a file that stands inside another: Word, PowerPoint, or an Office file of 2007 and later; what is embedded in it is left out.
 * Nothing for other objects. One that cannot be read gives a warning, as it costs only itself. What it unpacks counts against `budget`, by
 * default one of its own; throws `unprocessable_document` when that is used up.
 */
export async function* readEmbedded(
  bytes: Buffer,
  budget: UnpackBudget = createUnpackBudget(),
): AsyncGenerator<ParseEvent> {
  yield* guarded(async function* () {
    const mark = bytes.toString('latin1', 0, 2)
    if (mark === ZIP) yield* embeddedPackage(bytes, budget)
    else if (mark === COMPOUND_FILE) yield* storageEvents(await openCompoundFile(bufferBytes(bytes)), { budget })
    else yield { warning: 'An embedded file is of a kind that is not read inside others.' }
  })
}

/** The same for a storage of an open compound file, by its index. */
export async function* readEmbeddedStorage(container: CompoundFile, storage: number): AsyncGenerator<ParseEvent> {
  yield* guarded(() => storageEvents(container, { storage, budget: createUnpackBudget() }))
}

async function* guarded(read: () => AsyncGenerator<ParseEvent>): AsyncGenerator<ParseEvent> {
  try {
    for await (const event of read()) {
      if ('block' in event) yield { block: asPart(event.block) }
      else if ('warning' in event) yield event
    }
  } catch (error) {
    if (isTooLargeUnpacked(error)) throw error
    yield { warning: `An embedded file was not read. ${error instanceof ApiError ? error.message : 'It is damaged.'}` }
  }
}

async function* storageEvents(
  container: CompoundFile,
  { storage, budget }: { storage?: number; budget: UnpackBudget },
): AsyncGenerator<ParseEvent> {
  const packaged = container.getStream(PACKAGE, storage)
  if (packaged !== null && packaged.bytes > MAX_PACKAGE_BYTES) {
    yield { warning: 'An embedded file is larger than 64 MB and was not read.' }
  } else if (packaged !== null) {
    yield* embeddedPackage(await container.read(packaged, MAX_PACKAGE_BYTES), budget)
  } else if (container.getStream('WordDocument', storage) !== null) {
    for (const block of wordBlocks(await openWordFile(container, storage))) yield { block }
  } else if (container.getStream('PowerPoint Document', storage) !== null) {
    yield* presentationEvents(await openPresentationFile(container, storage), null)
  }
}

function embeddedPackage(bytes: Buffer, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  return packageEvents(bufferBytes(bytes), { kind: null, budget, readEmbedded: null })
}

/** Sections and pages of an embedded file are not those of the file around it. */
function asPart({ text, kind }: Block): Block {
  return { text, kind: kind === 'heading' ? 'paragraph' : kind }
}
