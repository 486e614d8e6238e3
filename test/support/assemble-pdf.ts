/**
 * A PDF of numbered objects, the first of which is the catalog, with a cross-reference table.
 * `trailer` adds entries to the trailer.
 */
export function assemblePdf(objects: ReadonlyMap<number, Buffer>, trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets = new Map<number, number>()
  let at = 9
  for (const [number, body] of objects) {
    const piece = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    offsets.set(number, at)
    pieces.push(piece)
    at += piece.length
  }
  const size = Math.max(...objects.keys()) + 1
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    return offset === undefined ? '0000000000 65535 f ' : `${String(offset).padStart(10, '0')} 00000 n `
  })
  const table = `xref\n0 ${size}\n${entries.join('\n')}\ntrailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(table, 'latin1')])
}

/** An object of entries alone. */
export function pdfDictionary(entries: string): Buffer {
  return Buffer.from(`<< ${entries} >>`, 'latin1')
}

/** An object of entries and bytes; text is written as Latin-1. */
export function pdfStream(content: Buffer | string, entries = ''): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  const head = `<< ${entries} /Length ${bytes.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes, Buffer.from('\nendstream')])
}

/** Words as a string of a content stream. */
export function pdfString(words: string): string {
  return `(${words.replace(/[\\()]/g, '\\$&')})`
}
