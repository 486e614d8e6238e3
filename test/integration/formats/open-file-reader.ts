import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createParserPool } from '../../../src/parsers/child/parser-pool.ts'
import type { Block, PageReport } from '../../../src/parsers/parse-event.ts'
import { sniff } from '../../../src/parsers/sniff.ts'
import { createDocumentReader } from '../../../src/services/reading/document-reader.ts'

/** A file as the service reads it. */
export type FileContent = {
  format: string
  text: string
  blocks: Block[]
  /** Reports of the pages; none for formats without pages. */
  pages: PageReport[]
  warnings: string[]
}

const TASKS_MODULE = new URL('../../../src/compose/child-tasks.ts', import.meta.url).href
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Returns a function that reads a file like an upload: it detects the type, and parses and
 * recognizes in child processes. The processes end after the tests of the file.
 */
export function openFileReader(): (filename: string, content: Buffer | string) => Promise<FileContent> {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'))
  const openPool = () =>
    createParserPool({ size: 1, tasksModule: TASKS_MODULE, temporaryDirectory: folder, log: SILENT })
  const pools = { parsing: openPool(), recognition: openPool(), drawing: openPool() }
  const reader = createDocumentReader({ ...pools, pagesAtOnce: 1, languages: ['eng'], vision: null })
  after(async () => {
    await reader.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const recognition = { enabled: true, maxPages: 50, mode: 'fast', vision: false, languages: [] } as const
  const owner = { organizationId: 'organization', keyId: null }

  return async (filename, content) => {
    const path = join(folder, 'upload')
    writeFileSync(path, content)
    const source = { path, bytes: Buffer.byteLength(content), filename, declaredType: null }
    const type = await sniff(source)
    const read: FileContent = { format: type.format, text: '', blocks: [], pages: [], warnings: [] }
    const { signal } = new AbortController()
    for await (const event of reader.read(source, type, { owner, signal, recognition, isBackground: false })) {
      if ('block' in event) read.blocks.push(event.block)
      else if ('page' in event) read.pages.push(event.page)
      else if ('warning' in event) read.warnings.push(event.warning)
    }
    read.text = read.blocks.map((block) => block.text).join('')
    return read
  }
}

/** The text with single spaces; tabs between cells are kept. */
export function onOneLine(text: string): string {
  return text.replace(/[ \n]+/g, ' ').trim()
}
