/** The line without the spaces, tabs and line ends behind it. No byte of a letter goes, as U+00A0 would with `trimEnd`. */
export function trimBlanks(line: string): string {
  let end = line.length
  while (end > 0 && BLANKS.has(line.charCodeAt(end - 1))) end -= 1
  return line.slice(0, end)
}

/** Tab, line feed, carriage return, space. */
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32])
