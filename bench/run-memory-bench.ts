import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { measureFile } from './measure-file.ts'
import { measureSize } from './measure-size.ts'
import { measureStart } from './measure-start.ts'
import { print } from './report.ts'
import { createRealSentences, createSyntheticSentences } from './sentences.ts'

const VOCABULARY = join(import.meta.dirname, '..', 'embedder', 'vocab.txt')

/**
 * `[folder with real texts] [--chunks 10000,100000] [--file-megabytes 100]`: starting, adding and finding, with Lance
 * alone beside it. Prints; true when it came to its end.
 */
export async function runMemoryBench(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      chunks: { type: 'string', default: '10000,100000' },
      'file-megabytes': { type: 'string', default: '99' },
    },
  })
  const [texts] = positionals
  const sentences = texts === undefined ? createSyntheticSentences(VOCABULARY) : createRealSentences(texts)
  const sizes = values.chunks.split(',').map(Number)
  const folder = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  try {
    print(`Texts ${sentences.description}. ${describeMachine()}`)
    print(await measureStart(join(folder, 'start')))
    for (const size of sizes) print(await measureSize({ folder: join(folder, String(size)), size, sentences }))
    const megabytes = Number(values['file-megabytes'])
    if (megabytes > 0) print(await measureFile({ folder: join(folder, 'file'), megabytes, sentences }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return true
}
