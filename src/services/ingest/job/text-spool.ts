import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Characters of extracted text that are held in memory before they go to a file. */
const HELD_CHARACTERS = 4 * 1024 * 1024

/** Takes extracted text piece by piece and holds it until the document is whole, large ones in a temporary file. */
export type TextSpool = {
  write(piece: string): Promise<void>
  /** Everything written: a string, or the file that holds it as UTF-8. Nothing can be written afterwards. */
  finish(): Promise<{ text: string } | { path: string }>
  /** Removes the file, if one was made and is still there. */
  remove(): Promise<void>
}

/** A spool whose file, if it needs one, stands in `directory`. */
export function createTextSpool(directory: string): TextSpool {
  const path = join(directory, `text-${randomUUID()}`)
  let pieces: string[] = []
  let held = 0
  let file: FileHandle | null = null

  async function spill(): Promise<FileHandle> {
    file ??= await open(path, 'wx', 0o600)
    await file.writeFile(pieces.join(''))
    pieces = []
    held = 0
    return file
  }

  return {
    async write(piece) {
      pieces.push(piece)
      held += piece.length
      if (held > HELD_CHARACTERS) await spill()
    },
    async finish() {
      if (file === null) return { text: pieces.join('') }
      await (await spill()).close()
      file = null
      return { path }
    },
    async remove() {
      await file?.close()
      file = null
      await rm(path, { force: true })
    },
  }
}
