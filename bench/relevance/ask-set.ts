import type { AskAnswer } from '../../src/api/ask.ts'
import { print, table } from '../report.ts'
import type { Service } from '../service.ts'
import { judgeAnswer, reduceAnswer } from '../trust/judge-answer.ts'
import { type Judged, showPart, tallyAnswers } from '../trust/tally.ts'
import type { TrustQuestion } from '../trust/trust-set.ts'
import type { Filled } from './measure-set.ts'
import type { JudgedQuery } from './read-judged-sets.ts'

/** A query asked as a question, with the judgement of its answer. */
export type AskedQuery = Judged & { parts: JudgedQuery['parts'] }

/**
 * Asks the queries with a quote and the unanswerable ones. An answer is right if it has the quote.
 * Returns nothing for a set without quotes.
 */
export async function askSet(service: Service, filled: readonly Filled[]): Promise<AskedQuery[]> {
  const asked: AskedQuery[] = []
  for (const { memoryId, ids, group } of filled) {
    const quoted = group.queries.filter(({ quote }) => quote !== null)
    if (quoted.length === 0) continue
    for (const query of [...quoted, ...group.unanswerable]) {
      const body = { question: query.text }
      const answer = (await service.send('POST', `/v1/memories/${memoryId}/ask`, body)) as AskAnswer
      const given = reduceAnswer(answer, ids, null)
      const question = toQuestion(query)
      asked.push({ ...judgeAnswer(question, given), question, confidence: given.confidence, parts: query.parts })
    }
  }
  return asked
}

function toQuestion({ text, quote, parts }: JudgedQuery): TrustQuestion {
  return {
    kind: quote === null ? 'decline' : 'answer',
    class: parts['class'] ?? '',
    language: parts['language'] ?? '',
    text,
    must: quote === null ? [] : [escapePattern(quote)],
    ...{ mustNot: [], accept: [], newer: '', older: '' },
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Prints right answers and right refusals of a set and of its parts. */
export function printAnswers(name: string, asked: readonly AskedQuery[]): void {
  const kinds = [...new Set(asked.flatMap(({ parts }) => Object.keys(parts)))]
  const groups = kinds.flatMap((by) =>
    [...Map.groupBy(asked, ({ parts }) => parts[by] ?? '')].map(([part, own]) => ({ by, part, own })),
  )
  const rows = [{ by: 'all', part: '', own: asked }, ...groups].map(({ by, part, own }) => {
    const { questions, covered, precision, refused } = tallyAnswers(own)
    return [by, part, String(questions), ...[covered, precision, refused].map(showPart)]
  })
  const head = [
    'by',
    'part',
    'questions',
    'answered right',
    'answers given that are right',
    'unanswerable ones declined',
  ]
  print(table(`Answers, ${name}`, head, rows))
}
