import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../machine.ts'
import { print } from '../report.ts'
import type { Bound, Measured } from './bounds.ts'
import { areKept, reportBounds } from './bounds.ts'
import { measureAdds } from './measure-adds.ts'
import { measureFile } from './measure-file.ts'
import { measureManyMemories } from './measure-many-memories.ts'
import { measureSize } from './measure-size.ts'
import { measureStart } from './measure-start.ts'
import { openSentences } from './open-sentences.ts'

const OPTIONS = {
  chunks: { type: 'string', default: '10000,100000' },
  singles: { type: 'string', default: '10000' },
  memories: { type: 'string', default: '1000' },
  'file-megabytes': { type: 'string', default: '30' },
} as const

/**
 * `[folder with real texts] [--chunks 10000,100000] [--singles 10000] [--memories 1000]
 * [--file-megabytes 30]`: start, add, find and delete beside Lance alone; 0 skips a part. Prints;
 * false when a requirement is missed.
 */
export async function runSpeedBench(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const sentences = openSentences(positionals[0])
  const folder = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  const bounds: Bound[] = []
  const tell = ({ report, bounds: seen }: Measured) => {
    print(report)
    bounds.push(...seen)
  }
  const [singles, memories, megabytes] = [values.singles, values.memories, values['file-megabytes']].map(Number)
  try {
    print(`Texts ${sentences.description}. ${describeMachine()}`)
    print(await measureStart(join(folder, 'start')))
    for (const size of values.chunks.split(',').map(Number).filter(Boolean))
      tell(await measureSize({ folder: join(folder, String(size)), size, sentences }))
    if (singles) tell(await measureAdds({ dataDir: join(folder, 'adds'), singles, sentences }))
    if (memories) tell(await measureManyMemories({ dataDir: join(folder, 'many'), memories, sentences }))
    if (megabytes) tell(await measureFile({ dataDir: join(folder, 'file'), megabytes, sentences }))
    print(reportBounds(bounds))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return areKept(bounds)
}
