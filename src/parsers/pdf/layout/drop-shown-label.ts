import type { PlacedText } from './placed-text.ts'
import type { Span } from './span.ts'

/** The words of a box stand so near to it at most, in font sizes. */
const NEAR_SIZES = 3
const BOX = /^(\[[ x]\]) (.+)$/

/** A check box without what it says of itself, where the page says so beside it: `[x] Winter berth` before `Winter berth`. */
export function dropShownLabel(placed: PlacedText, spans: readonly Span[]): PlacedText {
  const [, box, label = ''] = BOX.exec(placed.text) ?? []
  const isBeside = ({ left, baseline, size }: Span) =>
    left > placed.left &&
    left - placed.right < NEAR_SIZES * size &&
    baseline > placed.bottom - size &&
    baseline < placed.top
  const isShown = (span: Span) => isBeside(span) && span.text.toLowerCase().startsWith(label.toLowerCase())
  return box !== undefined && spans.some(isShown) ? { ...placed, text: box } : placed
}
