/** How a phrase stands in a text: as it is written, in other cases of its letters alone, or not at all. */
export type Match = 'exact' | 'other case' | 'absent'

const WORDS_ALONE = ' (tokens)'

/** Looks for a phrase with all white space, and the bars of tables, as one space; where it ends in "(tokens)", for each of its words. */
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

/** True when so many lines in a row have so many cells, parted by bars, tabs or commas; the line under a Markdown head is none. */
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
