/** Any of these says where a page ends. LibreOffice and Google Docs write with every paragraph that no page begins before it. */
const MARK =
  /lastRenderedPageBreak|type=["']page["']|<(?:\w+:)?pageBreakBefore(?![^<>]*val=["'](?:0|false|off|none)["'])[^<>]*>/
/** Longer than any such element. */
const OVERLAP = 200

/** True when a document says where its pages end; without that it has no pages. Reads until it knows. */
export async function findPageMarks(pieces: AsyncIterable<Buffer>): Promise<boolean> {
  let tail = ''
  for await (const piece of pieces) {
    const text = tail + piece.toString('latin1')
    if (MARK.test(text)) return true
    tail = text.slice(-OVERLAP)
  }
  return false
}
