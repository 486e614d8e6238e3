import { createHash } from 'node:crypto'
import { type ArchiveFile, readFiles, writeFiles } from './archive-fixture.ts'

type Json = Record<string, unknown>

/**
 * An archive taken apart, to be put together otherwise. Every change is seen by {@link
 * ArchiveParts.seal} only.
 */
export type ArchiveParts = {
  files: ArchiveFile[]
  find(name: string): ArchiveFile
  /** Changes a JSON entry, or one line of an NDJSON entry. */
  edit(name: string, change: (value: Json) => unknown, line?: number): ArchiveParts
  replace(name: string, content: Buffer): ArchiveParts
  rename(name: string, to: string): ArchiveParts
  insert(name: string, content: Buffer, before: string | null): ArchiveParts
  remove(name: string): ArchiveParts
  /** Updates the manifest to the current content. */
  seal(): ArchiveParts
  write(): Promise<Buffer>
}

/** Takes an archive apart. */
export async function openArchive(archive: Buffer): Promise<ArchiveParts> {
  const files = await readFiles(archive)
  const find = (name: string) => {
    const file = files.find((one) => one.name === name)
    if (file === undefined) throw new Error(`no ${name}`)
    return file
  }
  const parts: ArchiveParts = {
    files,
    find,
    edit(name, change, line = 0) {
      const file = find(name)
      const lines = file.content.toString().split('\n')
      const value = JSON.parse(lines[line] ?? '') as Json
      const changed = change(value) ?? value
      lines[line] = typeof changed === 'string' ? changed : JSON.stringify(changed)
      file.content = Buffer.from(lines.join('\n'))
      return parts
    },
    replace(name, content) {
      find(name).content = content
      return parts
    },
    rename(name, to) {
      find(name).name = to
      return parts
    },
    insert(name, content, before) {
      const at = before === null ? files.length : files.findIndex((file) => file.name === before)
      files.splice(at, 0, { name, content })
      return parts
    },
    remove(name) {
      files.splice(files.indexOf(find(name)), 1)
      return parts
    },
    seal() {
      const others = files.filter(({ name }) => name !== 'manifest.json')
      const entries = others.map(({ name, content }) => {
        return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
      })
      return parts.edit('manifest.json', (manifest) => ({ ...manifest, entries }))
    },
    write: () => writeFiles(files),
  }
  return parts
}
