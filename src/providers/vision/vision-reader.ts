import { ApiError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { ChatModel } from '../chat-model.ts'
import { ModelFailure } from '../models/model-failure.ts'
import type { Recognition, RecognitionRequest } from '../recognizer.ts'
import { disbelieve } from './judge-transcript.ts'
import { toPictureForModel } from './picture-for-model.ts'
import { placeParagraphs } from './place-paragraphs.ts'
import { writeTranscriptPrompt } from './transcript-prompt.ts'

/** A page that the embedded engine has read already. */
export type PageToImprove = Pick<RecognitionRequest, 'image' | 'languages' | 'signal'> & { embedded: Recognition }

/** Reads pages with a model that sees, beside the embedded engine. */
export type VisionReader = {
  /** Such as `openai:gpt-4.1`. */
  readonly engine: string
  /**
   * The model's reading of the page, placed and judged by the embedded one; that one itself, with a warning, where the model fails, refuses or is
   * not believed; and as it is, without asking, where the page is blank. Boxes are in pixels of the picture as it was given. Rejects with
   * `image_unreadable`, and with the reason of an aborted signal.
   */
  improve(page: PageToImprove): Promise<Recognition>
}

/** Twice the tokens of the fullest page that is likely. */
const MAX_OUTPUT_TOKENS = 8_000

/** The key stays in this process: hand it the picture that a child drew. */
export function createVisionReader({ chat, log }: { chat: ChatModel; log: Pick<Log, 'warn'> }): VisionReader {
  const engine = `${chat.provider}:${chat.name}`

  async function improve({ image, languages = [], embedded, signal }: PageToImprove): Promise<Recognition> {
    if (embedded.outcome === 'blank') return embedded
    const { picture, width, height } = await toPictureForModel(image)
    const messages = writeTranscriptPrompt(picture, languages)
    const asked = { messages, maxOutputTokens: MAX_OUTPUT_TOKENS, ...(signal === undefined ? {} : { signal }) }
    const transcript = await chat.generate(asked).catch((error: unknown) => toReason(error, signal))
    if (transcript instanceof ApiError) {
      log.warn({ err: transcript, engine }, 'a page was not read by the vision model')
      const isLate = transcript.cause instanceof ModelFailure && transcript.cause.kind === 'timeout'
      return fallBack(embedded, engine, isLate ? 'did not answer in time' : 'failed')
    }
    const doubt = disbelieve(transcript, embedded)
    if (doubt !== null) return fallBack(embedded, engine, doubt)
    const blocks = placeParagraphs(transcript.text, { blocks: embedded.blocks, width, height })
    const { languages: used, warnings } = embedded
    const text = blocks.map((block) => block.text).join('\n\n')
    return {
      outcome: 'text',
      text,
      confidence: meanOf(blocks),
      blocks,
      languages: used,
      engine,
      message: null,
      warnings,
    }
  }

  return { engine, improve }
}

/** A failure of the model is an answer here; everything else is not. */
function toReason(error: unknown, signal: AbortSignal | undefined): ApiError {
  signal?.throwIfAborted()
  if (error instanceof ApiError && error.code === 'model_failed') return error
  throw error
}

function fallBack(embedded: Recognition, engine: string, why: string): Recognition {
  const warning = `The model ${engine} ${why}; the page was read by the embedded engine.`
  return { ...embedded, warnings: [...embedded.warnings, warning] }
}

function meanOf(blocks: Recognition['blocks']): number {
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0)
  const weighed = blocks.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  return characters === 0 ? 0 : Math.round((weighed / characters) * 1000) / 1000
}
