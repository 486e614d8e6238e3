/** Characters to change, add or leave out to make one text of the other, by the number of those wanted; white space counts as one space. */
export function characterErrorRate(wanted: string, given: string): number {
  const [a, b] = [fold(wanted), fold(given)]
  return a.length === 0 ? 0 : countEdits(a, b) / a.length
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Levenshtein's distance, a row at a time. */
function countEdits(a: string, b: string): number {
  let above = Uint32Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i += 1) {
    const row = new Uint32Array(b.length + 1)
    row[0] = i + 1
    for (let j = 0; j < b.length; j += 1) {
      const changed = (above[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      row[j + 1] = Math.min(changed, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1)
    }
    above = row
  }
  return above[b.length] ?? 0
}
