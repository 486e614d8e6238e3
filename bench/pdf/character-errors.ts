/**
 * The edit distance between both texts, divided by the length of the wanted text; white space
 * counts as one space.
 */
export function characterErrorRate(wanted: string, given: string): number {
  const [a, b] = [fold(wanted), fold(given)]
  if (a.length === 0) return 0
  // Similar texts are compared near the diagonal. More edits than the band allows repeat the
  // comparison in a wider band.
  for (let band = 64; ; band *= 4) {
    const edits = countEdits(a, b, band)
    if (edits <= band || band > Math.max(a.length, b.length)) return edits / a.length
  }
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Levenshtein's distance, a row at a time, where the texts are never more than `band` characters
 * apart; more otherwise.
 */
function countEdits(a: string, b: string, band: number): number {
  const far = a.length + b.length + 1
  if (Math.abs(a.length - b.length) > band) return far
  let above = new Uint32Array(b.length + 1).fill(far)
  let row = new Uint32Array(b.length + 1).fill(far)
  for (let j = 0; j <= Math.min(band, b.length); j += 1) above[j] = j
  for (let i = 1; i <= a.length; i += 1) {
    const [from, to] = [Math.max(1, i - band), Math.min(b.length, i + band)]
    row[from - 1] = from === 1 ? i : far
    for (let j = from; j <= to; j += 1) {
      const changed = (above[j - 1] ?? far) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(changed, (above[j] ?? far) + 1, (row[j - 1] ?? far) + 1)
    }
    if (to < b.length) row[to + 1] = far
    ;[above, row] = [row, above]
  }
  return above[b.length] ?? far
}
