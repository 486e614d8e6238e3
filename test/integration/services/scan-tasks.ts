/**
 * Child tasks for the tests of scans. Files contain JSON after a PDF or TIFF header, with the pages
 * and the behaviour of the child. Each recognised page is recorded in `recognized.log`.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Recognition } from '../../../src/models/recognizer.ts'
import type { Tasks } from '../../../src/parsers/child/protocol.ts'
import type { ParseEvent } from '../../../src/parsers/parse-event.ts'
import type { RecognizedPage, RecognizePageInput } from '../../../src/services/reading/recognition.ts'

/**
 * A page of repeated text, or a picture. `dies-once`: the first recognising child dies. `dies`: the
 * parsing child dies. `spins`: recognition never ends.
 */
export type ScriptedPage =
  | { text: string; times?: number }
  | { scan: string; how?: 'blank' | 'nonsense' | 'hangs' | 'spins' | 'dies-once' }
  | 'dies'
  | 'spins'

export const HEAD = '%PDF-1.4\n'
/** The same length as the other header. */
export const PICTURE_HEAD = 'II*\0\n\n\n\n\n'
export const NOTED = 'recognized.log'

export const tasks: Tasks = {
  parse: async function* (input: unknown): AsyncGenerator<ParseEvent, void> {
    const pages = readPages(input as RecognizePageInput)
    yield { pageCount: pages.length }
    for (const [index, content] of pages.entries()) yield* pageEvents(content, index + 1)
  },

  // biome-ignore lint/correctness/useYield: a page comes whole.
  'recognize-page': async function* (given: unknown): AsyncGenerator<never, RecognizedPage> {
    const input = given as RecognizePageInput
    const content = readPages(input)[input.page - 1]
    if (content === undefined || typeof content === 'string' || !('scan' in content)) throw new Error('no such scan')
    appendFileSync(join(tmpdir(), NOTED), `${input.page}\n`)
    if (content.how === 'hangs') await pause(600_000)
    if (content.how === 'spins') for (;;) Math.sqrt(2)
    if (content.how === 'dies-once') dieOnce(input.page)
    // Later pages finish earlier.
    await pause(Math.max(0, 40 - 4 * input.page))
    return { recognition: recognize(content.scan, content.how), width: 1240, height: 1754 }
  },
}

function readPages({ source }: Pick<RecognizePageInput, 'source'>): ScriptedPage[] {
  return JSON.parse(readFileSync(source.path, 'utf8').slice(HEAD.length)) as ScriptedPage[]
}

async function* pageEvents(content: ScriptedPage, page: number): AsyncGenerator<ParseEvent> {
  if (content === 'dies') {
    // Earlier events are on their way.
    await pause(200)
    process.kill(process.pid, 'SIGKILL')
    return
  }
  if (content === 'spins') for (;;) Math.sqrt(2)
  if ('scan' in content) {
    yield { scan: { page, widthPoints: 595, heightPoints: 842, text: '' } }
    return
  }
  const { text, times = 1 } = content
  for (let time = 0; time < times; time++) yield { block: { text: `${text}\n`, kind: 'paragraph', page } }
  yield { page: { page, method: 'text', characters: times * (text.length + 1), confidence: null, message: null } }
}

function dieOnce(page: number): void {
  const mark = join(tmpdir(), `died-${page}`)
  if (existsSync(mark)) return
  writeFileSync(mark, '')
  process.kill(process.pid, 'SIGKILL')
}

function recognize(text: string, how: 'blank' | 'nonsense' | string | undefined): Recognition {
  const facts = { confidence: 0.9, languages: ['eng'], engine: 'scripted', warnings: [] }
  const outcome = how === 'blank' || how === 'nonsense' ? how : 'text'
  if (outcome !== 'text') return { outcome, text: '', blocks: [], ...facts, message: `The page is ${outcome}.` }
  return { outcome, text, blocks: [{ text, confidence: 0.9, bbox: [100, 100, 400, 40] }], ...facts, message: null }
}
