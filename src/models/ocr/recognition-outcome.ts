import type { Recognition } from '../recognizer.ts'
import type { Reading } from './compose-reading.ts'
import type { Size } from './placement.ts'

/** What became of a page, without what is the same for every page. */
export type RecognitionOutcome = Pick<Recognition, 'outcome' | 'text' | 'confidence' | 'blocks' | 'message'>

/** The outcome of a page that was read to the end; `null` is a blank one. Boxes are made to fit `source` from `page`. */
export function describeReading(
  reading: Reading | null,
  { page, source }: { page: Size; source: Size },
): RecognitionOutcome {
  if (reading === null) return withoutText('blank', 'The page is blank.')
  const { blocks, confidence, hasNonsense } = reading
  if (hasNonsense) {
    const percent = Math.round(confidence * 100)
    const message = `What was recognised is not believable (confidence ${percent} %) and was dropped.`
    return { ...withoutText('nonsense', message), confidence }
  }
  if (blocks.length === 0) return withoutText('blank', 'The page has no text.')
  const [across, down] = [source.width / page.width, source.height / page.height]
  return {
    outcome: 'text',
    text: blocks.map((block) => block.text).join('\n\n'),
    confidence: round(confidence),
    blocks: blocks.map(({ text, confidence: sure, bbox: [x, y, width, height] }) => ({
      text,
      confidence: round(sure),
      bbox: [Math.round(x * across), Math.round(y * down), Math.round(width * across), Math.round(height * down)],
    })),
    message: null,
  }
}

/** The outcome of a page that was given up. */
export function describeGivenUp(outcome: 'timeout' | 'failed', timeoutMs: number): RecognitionOutcome {
  const seconds = Math.round(timeoutMs / 1000)
  if (outcome === 'timeout') return withoutText(outcome, `Recognition took longer than ${seconds} s and was given up.`)
  return withoutText(outcome, 'The recognition engine could not read the page.')
}

function withoutText(outcome: RecognitionOutcome['outcome'], message: string): RecognitionOutcome {
  return { outcome, text: '', confidence: 0, blocks: [], message }
}

/** Three digits are more than the engine's word is worth. */
function round(confidence: number): number {
  return Math.round(confidence * 1000) / 1000
}
