import { LEADING_SIZES, type Span } from './span.ts'

/** The lines of a paragraph are as large as each other and begin at one place, give or take these shares of the font size. */
const SAME_SIZE = 0.1
const INDENT_SIZES = 5
/** All but the last are as long at least; what is shorter are formulas and the cells of tables. */
const LINE_CHARACTERS = 20

/**
 * Lines that the file has from the last to the first, as they are read. PDFium gives those of a paragraph so where they run down the page that is shown: on
 * pages that lie on their side.
 */
export function turnClimbing(spans: readonly Span[]): Span[] {
  const turned: Span[] = []
  let run: Span[] = []
  const close = () => {
    for (const span of run.reverse()) turned.push({ ...span, order: turned.length })
    run = []
  }
  for (const span of spans) {
    const last = run.at(-1)
    if (last !== undefined && !standsOn(span, last)) close()
    run.push(span)
  }
  close()
  return turned
}

/** True where a line is the next one above. */
function standsOn(span: Span, below: Span): boolean {
  const leading = span.baseline - below.baseline
  if (span.text.length < LINE_CHARACTERS) return false
  const isSame = Math.abs(span.size - below.size) <= SAME_SIZE * below.size
  const isNear = leading > 0.8 * below.size && leading <= LEADING_SIZES * below.size
  return isSame && isNear && Math.abs(span.left - below.left) <= INDENT_SIZES * below.size
}
