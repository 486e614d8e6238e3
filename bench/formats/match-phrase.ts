/** The occurrence of a phrase in a text: exact, in other letter case, or absent. */
export type Match = 'exact' | 'other case' | 'absent'

const WORDS_ALONE = ' (tokens)'

/**
 * Searches for a phrase with all white space and table bars as one space. For a phrase that ends in
 * "(tokens)", searches for each word.
 */
export function matchPhrase(text: string, phrase: string): Match {
  if (phrase.endsWith(WORDS_ALONE)) {
    const matches = phrase
      .slice(0, -WORDS_ALONE.length)
      .split(' ')
      .map((word) => matchPhrase(text, word))
    return matches.find((match) => match === 'absent') ?? matches.find((match) => match === 'other case') ?? 'exact'
  }
  const [given, wanted] = [fold(text), fold(phrase).trim()]
  if (given.includes(wanted)) return 'exact'
  return given.toLowerCase().includes(wanted.toLowerCase()) ? 'other case' : 'absent'
}

/**
 * True when enough consecutive lines have the number of cells, separated by bars, tabs or commas.
 * The line under a Markdown table head does not count.
 */
export function hasTable(text: string, { rows, columns }: { rows: number; columns: number }): boolean {
  let inTable = 0
  for (const line of text.split('\n').filter((line) => !/^[\s|:-]+$/.test(line))) {
    const cells = line
      .replace(/^\s*\|/, '')
      .replace(/\|\s*$/, '')
      .split(/[|\t,]/).length
    inTable = cells === columns ? inTable + 1 : 0
    if (inTable >= rows) return true
  }
  return false
}

function fold(text: string): string {
  return text.replaceAll('|', ' ').replace(/\s+/g, ' ')
}
