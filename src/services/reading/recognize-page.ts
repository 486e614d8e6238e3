import { ApiError } from '../../errors.ts'
import type { VisionReader } from '../../models/vision/vision-reader.ts'
import { ChildStopped, isGivenUp } from '../../parsers/child/child.ts'
import type { TaskOwner } from '../../parsers/child/fair-queue.ts'
import type { ParserPool, TaskLimits } from '../../parsers/child/parser-pool.ts'
import type { SniffedType, SourceFile } from '../../parsers/parse-event.ts'
import type { GivenUpFiles } from './given-up-files.ts'
import type { DrawnPage, RecognitionPlan, RecognizedPage, RecognizePageInput } from './recognition.ts'
import type { RecognizePage } from './recognize-scans.ts'

/** The recogniser gives a page up after 60 s by itself; drawing the page and starting the child come on top. */
const PAGE_TIMEOUT_MS = 75_000

/** What pages are recognised of, and how. */
type FileToRecognize = {
  source: SourceFile
  type: SniffedType
  plan: RecognitionPlan
  languages: readonly string[]
  /** A model that sees; `null` where none is configured. */
  vision: VisionReader | null
  /** For whom. */
  task: Pick<TaskLimits, 'isBackground' | 'meter'> & { owner: TaskOwner }
  /** Pages that took too long lately are not looked at again for a while. */
  givenUp: GivenUpFiles
}

/**
 * Recognises pages of a file in children of the pool, and has them read by the model where the plan says so: it is asked by this process, since
 * the children know no key. What goes wrong with a page is its outcome; rejects when it was stopped or nothing can be
 * recognised.
 */
export function recognizePageIn(
  pool: Pick<ParserPool, 'run'>,
  { source, type, plan, languages: configured, vision, task, givenUp }: FileToRecognize,
): RecognizePage {
  const { mode, languages } = plan
  const improve = vision !== null && plan.vision ? createPageImprover(vision, languages) : null

  async function read(page: number, signal: AbortSignal): Promise<DrawnPage> {
    const known = await givenUp.find(source, { ...task, page })
    if (known !== null) return failedPage(known)
    const input: RecognizePageInput = { source, type, page, mode, draws: improve !== null, languages, configured }
    try {
      return (await pool.run('recognize-page', input, { ...task, timeoutMs: PAGE_TIMEOUT_MS, signal })) as DrawnPage
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || error.status >= 500) throw error
      const { cause } = error.facts
      const message = describe(error)
      if (cause instanceof ChildStopped && isGivenUp(cause.reason)) {
        await givenUp.remember(source, { ...task, page, message })
      }
      return failedPage(message)
    }
  }

  return async (page, signal) => {
    const drawn = await read(page, signal)
    return improve === null ? drawn : await improve(drawn, signal)
  }
}

/** The page is damaged, or its child was stopped. */
function describe(error: ApiError): string {
  const stopped = error.facts.cause
  if (!(stopped instanceof ChildStopped)) return error.message
  const { reason } = stopped
  if (reason.kind === 'time') {
    return `Recognition took longer than ${Math.round(reason.limitMs / 1000)} s and was given up.`
  }
  if (reason.kind === 'memory') {
    return `Recognition took more than ${Math.round(reason.limitBytes / 1024 / 1024)} MB of memory and was stopped.`
  }
  return 'Recognition failed: the process that did it ended.'
}

function failedPage(message: string): DrawnPage {
  const nothing = { text: '', confidence: 0, blocks: [], languages: [], engine: '', warnings: [] }
  return { recognition: { outcome: 'failed', ...nothing, message }, width: 0, height: 0 }
}

/** Has a page read by a model that sees, after the embedded engine. Rejects with the reason of an aborted signal and for nothing else. */
type ImprovePage = (page: DrawnPage, signal: AbortSignal) => Promise<RecognizedPage>

/** Our choice: a model that hangs would take its whole time for each page of a book. */
const MAX_FAILURES_IN_A_ROW = 2

/** For the pages of one document: a model that failed for two in a row is asked about no more of them. `languages` are hints and may be none. */
export function createPageImprover(vision: VisionReader, languages: readonly string[]): ImprovePage {
  let failures = 0
  return async ({ picture, ...page }, signal) => {
    if (picture === undefined) return page
    if (failures >= MAX_FAILURES_IN_A_ROW) return { ...page, fallback: gaveUp(vision.engine) }
    const { width, height, recognition: embedded } = page
    const { recognition, fallback } = await vision.improve({ picture, width, height, embedded, languages, signal })
    failures = fallback?.isFailure === true ? failures + 1 : 0
    return fallback === null ? { ...page, recognition } : { ...page, recognition, fallback: fallback.message }
  }
}

function gaveUp(engine: string): string {
  return `The model ${engine} had failed on other pages and was not asked; the page was read by the embedded engine.`
}
