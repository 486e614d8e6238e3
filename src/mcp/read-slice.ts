/**
 * The text of the answer from one offset to another, in UTF-16 code units; shorter where the text ends before. What comes after is
 * not read.
 */
export async function readSlice(
  { body }: Pick<Response, 'body'>,
  startOffset: number,
  endOffset: number,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body?.getReader()
  let passed = 0
  let slice = ''
  while (reader !== undefined && passed < endOffset) {
    const { value, done } = await reader.read()
    if (done) return slice
    const piece = decoder.decode(value, { stream: true })
    slice += piece.slice(Math.max(0, startOffset - passed), endOffset - passed)
    passed += piece.length
  }
  await reader?.cancel()
  return slice
}
