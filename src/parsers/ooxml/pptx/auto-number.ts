import { formatNumber } from '../docx/format-number.ts'

/** A numbered paragraph of a shape: ECMA-376's ST_TextAutonumberScheme, what it begins with, and its level from 0. */
export type AutoNumber = { scheme: string; startAt: number; level: number }

/** Counts the numbered paragraphs of one shape. */
export type AutoNumbers = {
  /** The number as it is shown: `1.`, `(b)`. `null` for a paragraph without one, which ends the numbering at its level. */
  next(number: AutoNumber | null, level: number): string
}

/** Makes the counter of one shape. */
export function createAutoNumbers(): AutoNumbers {
  const counts: ({ scheme: string; count: number } | null)[] = []
  return {
    next(number, level) {
      counts.length = Math.min(counts.length, level + 1)
      if (number === null) {
        counts[level] = null
        return ''
      }
      const before = counts[level]
      const count = before?.scheme === number.scheme ? before.count + 1 : number.startAt
      counts[level] = { scheme: number.scheme, count }
      return showNumber(count, number.scheme)
    },
  }
}

function showNumber(count: number, scheme: string): string {
  const [, stem = 'arabic', ending = ''] = /^(.*?)(ParenBoth|ParenR|Period|Plain|Minus)?$/.exec(scheme) ?? []
  const shown = formatNumber(count, STEMS[stem] ?? 'decimal')
  if (ending === 'ParenBoth') return `(${shown})`
  if (ending === 'ParenR') return `${shown})`
  return ending === 'Period' ? `${shown}.` : shown
}

const STEMS: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
  circleNumDb: 'decimalEnclosedCircle',
  ea1Chs: 'chineseCounting',
  ea1Cht: 'chineseCounting',
  ea1Jpn: 'ideographDigital',
}
