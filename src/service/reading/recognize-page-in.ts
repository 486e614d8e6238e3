import { ApiError } from '../../errors.ts'
import { ChildStopped } from '../../parsers/child/child-stopped.ts'
import type { ParserPool } from '../../parsers/child/parser-pool.ts'
import type { SniffedType, SourceFile } from '../../parsers/parser.ts'
import type { RecognitionPlan, RecognizedPage, RecognizePageInput } from './recognition.ts'
import type { RecognizePage } from './recognize-scans.ts'

/** The recogniser gives a page up after 60 s by itself; drawing the page and starting the child come on top. */
const PAGE_TIMEOUT_MS = 75_000

/** What pages are recognised of, and how. */
export type FileToRecognize = {
  source: SourceFile
  type: SniffedType
  plan: RecognitionPlan
  languages: readonly string[]
}

/** Recognises pages of a file in children of the pool. What goes wrong with a page is its outcome; rejects when it was stopped or nothing can be recognised. */
export function recognizePageIn(
  pool: Pick<ParserPool, 'run'>,
  { source, type, plan, languages: configured }: FileToRecognize,
): RecognizePage {
  const { mode, languages } = plan
  return async (page, signal) => {
    const input: RecognizePageInput = { source, type, page, mode, languages, configured }
    try {
      return (await pool.run('recognize-page', input, { timeoutMs: PAGE_TIMEOUT_MS, signal })) as RecognizedPage
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || error.status >= 500) throw error
      return failedPage(describe(error))
    }
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

function failedPage(message: string): RecognizedPage {
  const nothing = { text: '', confidence: 0, blocks: [], languages: [], engine: '', warnings: [] }
  return { recognition: { outcome: 'failed', ...nothing, message }, width: 0, height: 0 }
}
