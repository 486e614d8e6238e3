/** Any of these says where a page ends. */
const MARKS = ['lastRenderedPageBreak', 'type="page"', 'pageBreakBefore']
const LONGEST = Math.max(...MARKS.map((mark) => mark.length))

/** True when a document says where its pages end; without that it has no pages. Reads until it knows. */
export async function findPageMarks(pieces: AsyncIterable<Buffer>): Promise<boolean> {
  let tail: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([tail, piece])
    if (MARKS.some((mark) => bytes.includes(mark))) return true
    tail = bytes.subarray(-LONGEST)
  }
  return false
}
