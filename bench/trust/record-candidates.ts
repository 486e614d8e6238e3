/**
 * Loaded into the service by `--import`: appends the rated sentences of each question to the file
 * `TRUST_RECORD`, one JSON object per line.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { RatedSentence } from '../../src/engine/answering/answer-extractively.ts'
import type { Passage } from '../../src/engine/answering/passage.ts'

/** A sentence that the service compared with a question. `headings` has the title, too. */
export type RecordedSentence = RatedSentence & { text: string; headings: string; isCorrection: boolean }
/** A question with the sentences that were compared. */
export type RecordedQuestion = { question: string; sentences: RecordedSentence[] }

type Published = { question: string; passages: readonly Passage[]; candidates: readonly RatedSentence[] }

const file = process.env['TRUST_RECORD']
if (file !== undefined) {
  subscribe('recollect.answer.rated', (message) => {
    const { question, passages, candidates } = message as Published
    const sentences = candidates.map((candidate): RecordedSentence => {
      const { text = '', title = null, section = null, kind = 'document' } = passages[candidate.passage] ?? {}
      const own = text.slice(candidate.start, candidate.end)
      return {
        ...candidate,
        text: own,
        headings: `${title ?? ''}\n${section ?? ''}`,
        isCorrection: kind === 'correction',
      }
    })
    appendFileSync(file, `${JSON.stringify({ question, sentences } satisfies RecordedQuestion)}\n`)
  })
}
