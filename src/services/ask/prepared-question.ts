import type { AskAnswer, AskOnceAnswer } from '../../api/ask.ts'
import type { AnswerWriter, WriteRequest, WrittenAnswer, WrittenCitation } from './answer-writer.ts'
import type { AskEvent } from './ask.ts'

/** A question with its sources retrieved, ready to be answered in words. */
export type PreparedQuestion<Answer extends AskAnswer | AskOnceAnswer> = {
  request: WriteRequest
  /** The answer as callers see it. */
  describe(written: WrittenAnswer): Answer
  /** A citation as callers see it: one, none where it leads to no source. */
  cite(citation: WrittenCitation): Answer['citations']
}

/** The answer to a question as it is written: tokens and citations, then the whole. Leaving the loop ends what is under way. */
export async function* streamAnswer<Answer extends AskAnswer | AskOnceAnswer>(
  writer: AnswerWriter,
  { request, describe, cite }: PreparedQuestion<Answer>,
): AsyncGenerator<AskEvent<Answer>> {
  let isTold = false
  for await (const piece of writer.stream(request)) {
    if (piece.type === 'token') {
      isTold = true
      yield piece
    } else if (piece.type === 'citation') {
      for (const citation of cite(piece.citation)) yield { type: 'citation', citation }
    } else {
      const answer = describe(piece.answer)
      if (!isTold) yield { type: 'token', text: answer.answer }
      yield { type: 'done', answer }
    }
  }
}
