import { openWordFile, wordBlocks } from '../doc/word-blocks.ts'
import { type CompoundFile, openCompoundFile } from '../ole/compound-file.ts'
import { readEmbeddedPackage } from '../ooxml/read-package.ts'
import type { Block, ParseEvent } from '../parser.ts'
import { openPresentationFile, presentationEvents } from '../ppt/presentation-events.ts'
import { bufferBytes } from '../zip/byte-source.ts'

const MAX_PACKAGE_BYTES = 64 * 1024 * 1024
/** The stream that holds a file of 2007 or later inside an older one. */
const PACKAGE = 'Package'

/**
 * The text of a compound file that was embedded in another file: Word, PowerPoint, or an Office file of 2007 and later. Nothing for other
 * kinds; one that cannot be read gives a warning, as it costs only itself.
 */
export async function* readEmbedded(bytes: Buffer): AsyncGenerator<ParseEvent> {
  yield* guarded(async function* () {
    yield* storageEvents(await openCompoundFile(bufferBytes(bytes)))
  })
}

/** The same for a storage of an open compound file, by its index. */
export async function* readEmbeddedStorage(container: CompoundFile, storage: number): AsyncGenerator<ParseEvent> {
  yield* guarded(() => storageEvents(container, storage))
}

async function* guarded(read: () => AsyncGenerator<ParseEvent>): AsyncGenerator<ParseEvent> {
  try {
    for await (const event of read()) {
      if ('block' in event) yield { block: asPart(event.block) }
      else if ('warning' in event) yield event
    }
  } catch (error) {
    yield { warning: `An embedded file was not read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

async function* storageEvents(container: CompoundFile, storage?: number): AsyncGenerator<ParseEvent> {
  const packaged = container.getStream(PACKAGE, storage)
  if (packaged !== null) {
    yield* readEmbeddedPackage(await container.read(packaged, MAX_PACKAGE_BYTES))
  } else if (container.getStream('WordDocument', storage) !== null) {
    for (const block of wordBlocks(await openWordFile(container, storage))) yield { block }
  } else if (container.getStream('PowerPoint Document', storage) !== null) {
    yield* presentationEvents(await openPresentationFile(container, storage), null)
  }
}

/** Sections and pages of an embedded file are not those of the file around it. */
function asPart({ text, kind }: Block): Block {
  return { text, kind: kind === 'heading' ? 'paragraph' : kind }
}
