import type { Analyzer } from '../analysis/analyzer.ts'
import { readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'
import { createSupportMeter, LEAST_SUPPORT, type SupportMeter } from './support-meter.ts'

/**
 * Cites for an answer that cites nothing: each sentence whose words stand in a source gets the number of the one that has most
 * of them, the first of equals. The citations are in order; none where no source has the words of any sentence.
 */
export function citeClaims(
  analyzer: Analyzer,
  { answer, sources, languages }: { answer: string; sources: readonly string[]; languages: readonly string[] },
): { answer: string; citations: PlacedCitation[] } {
  const measure = createSupportMeter(analyzer, { sources, languages })
  const citations: PlacedCitation[] = []
  let cited = ''
  let position = 0
  for (const { end, text } of readClaims(answer, [])) {
    const index = findBestSource(measure, text, sources.length)
    if (index === null) continue
    cited += `${answer.slice(position, end)} `
    position = end
    const answerStart = cited.length
    cited += `[${index}]`
    citations.push({ index, answerStart, answerEnd: cited.length })
  }
  return { answer: cited + answer.slice(position), citations }
}

function findBestSource(measure: SupportMeter, claim: string, sources: number): number | null {
  let best: number | null = null
  let most = 0
  for (let index = 1; index <= sources; index++) {
    const { words, share } = measure(claim, [index])
    if (words === 0 || share < LEAST_SUPPORT || share <= most) continue
    best = index
    most = share
  }
  return best
}
