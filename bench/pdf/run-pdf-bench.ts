import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../machine.ts'
import { print } from '../report.ts'
import { createSyntheticSentences } from '../sentences.ts'
import { measureDigital } from './measure-digital.ts'
import { measureLargePdf } from './measure-large-pdf.ts'
import { measureRecognition } from './measure-recognition.ts'

const VOCABULARY = join(import.meta.dirname, '..', '..', 'embedder', 'vocab.txt')
const PARTS = ['digital', 'recognition', 'large']

/**
 * `[folder with PDFs] [--parts digital,recognition,large] [--scanned-pages 50] [--pages 1000]
 * [--megabytes 99]`: PDFs with text, pictures of text, and a large file. Prints; true when the
 * bench finished.
 */
export async function runPdfBench(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      parts: { type: 'string', default: PARTS.join(',') },
      'scanned-pages': { type: 'string', default: '50' },
      pages: { type: 'string', default: '1000' },
      megabytes: { type: 'string', default: '99' },
    },
  })
  const [documents] = positionals
  const parts = values.parts.split(',')
  const sentences = createSyntheticSentences(VOCABULARY)
  const folder = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  try {
    print(describeMachine())
    if (parts.includes('digital') && documents !== undefined)
      print(await measureDigital(documents, join(folder, 'digital')))
    if (parts.includes('recognition')) {
      const scannedPages = Number(values['scanned-pages'])
      await measureRecognition({ folder: join(folder, 'recognition'), sentences, scannedPages })
    }
    if (parts.includes('large')) {
      const size = { pages: Number(values.pages), megabytes: Number(values.megabytes) }
      print(await measureLargePdf({ dataDir: join(folder, 'large'), sentences, ...size }))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return true
}
