/** Tasks that misbehave like parsers on hostile files. */
import { ApiError } from '../../../src/errors.ts'
import type { Tasks } from '../../../src/parsers/child/protocol.ts'
import type { ParseEvent } from '../../../src/parsers/parse-event.ts'

/** The tasks of a child process in the tests. `parse` does what the file name says. */
export const tasks: Tasks = {
  parse: async function* (input: unknown): AsyncGenerator<ParseEvent, void> {
    const { source } = input as { source: { path: string } }
    const [when = '', ...fault] = source.path.split(' ')
    // A full batch, so the events are sent.
    if (when === 'block') for (let sent = 0; sent < 128; sent++) yield { block: { text: 'text\n', kind: 'paragraph' } }
    if (when === 'count') for (let sent = 0; sent < 128; sent++) yield { pageCount: 3 }
    if (fault.length > 0 && when !== 'throw') await misbehave(fault.join(' '))
    for (let page = 1; page <= 3; page++) {
      yield { block: { text: `page ${page}\n`, kind: 'paragraph', page } }
      yield { page: { page, method: 'text', characters: 7, confidence: null, message: null } }
    }
    await misbehave(source.path)
  },
  // biome-ignore lint/correctness/useYield: the answer comes whole.
  echo: async function* (input: unknown) {
    return input
  },
  // biome-ignore lint/correctness/useYield: the answer comes whole.
  surroundings: async function* () {
    return { environment: { ...process.env }, pid: process.pid, execArgv: process.execArgv }
  },
  // biome-ignore lint/correctness/useYield: the answer comes whole.
  grow: async function* (input: unknown) {
    const { bytes, waitsAtBytes } = input as { bytes: number; waitsAtBytes: number }
    leftBehind.push(Buffer.alloc(bytes, 1))
    if (process.memoryUsage.rss() > waitsAtBytes) await misbehave('wait')
    return process.pid
  },
  // biome-ignore lint/correctness/useYield: the answer comes whole.
  misbehave: async function* (input: unknown) {
    await misbehave(String(input))
    return null
  },
}

/** Memory leaked by earlier tasks of this process. */
const leftBehind: Buffer[] = []

async function misbehave(how: string): Promise<void> {
  if (how === 'hang') for (;;) Math.sqrt(2)
  if (how === 'eat') await eat()
  if (how === 'die') process.kill(process.pid, 'SIGSEGV')
  if (how === 'refuse') throw new ApiError('unprocessable_document', { message: 'The file is password protected.' })
  if (how === 'throw') throw new RangeError('no such thing')
  if (how === 'throw later') setTimeout(() => nothing(), 5)
  if (how !== 'behave') await new Promise((resolve) => setTimeout(resolve, 60_000))
}

function nothing(): never {
  throw new Error('thrown outside of any promise')
}

/** Slowly enough for any machine to notice in time. */
async function eat(): Promise<never> {
  const kept: Buffer[] = []
  for (;;) {
    kept.push(Buffer.alloc(8 * 1024 * 1024, 1))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
