/** Formats a number in Roman numerals (`MMXXVI`); in decimal below 1 and above 3999. */
function toRoman(value: number): string {
  if (value < 1 || value > 3999) return String(value)
  let rest = value
  let roman = ''
  for (const [worth, letters] of ROMAN_NUMERALS) {
    for (; rest >= worth; rest -= worth) roman += letters
  }
  return roman
}

const ROMAN_NUMERALS: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

/**
 * Formats a list number. `format` is ECMA-376's ST_NumberFormat; unknown formats are decimal,
 * `none` and `bullet` empty.
 */
export function formatNumber(value: number, format: string): string {
  const write = Object.hasOwn(NUMBER_FORMATS, format) ? NUMBER_FORMATS[format] : undefined
  return write?.(value) ?? String(value)
}

const NUMBER_FORMATS: Readonly<Record<string, (value: number) => string>> = {
  none: () => '',
  bullet: () => '',
  decimalZero: (value) => String(value).padStart(2, '0'),
  upperRoman: toRoman,
  lowerRoman: (value) => toRoman(value).toLowerCase(),
  upperLetter: toLetters,
  lowerLetter: (value) => toLetters(value).toLowerCase(),
  ordinal: toOrdinal,
  decimalEnclosedParen: (value) => `(${value})`,
  decimalEnclosedFullstop: (value) => `${value}.`,
  decimalEnclosedCircle: (value) => (value >= 1 && value <= 20 ? String.fromCodePoint(0x2460 + value - 1) : `${value}`),
  numberInDash: (value) => `- ${value} -`,
  hex: (value) => value.toString(16).toUpperCase(),
  russianUpper: (value) => repeatLetter(value, 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ'),
  russianLower: (value) => repeatLetter(value, 'абвгдежзиклмнопрстуфхцчшщэюя'),
  ideographDigital: toIdeographs,
  japaneseDigitalTenThousand: toIdeographs,
  chineseCounting: toChinese,
  chineseCountingThousand: toChinese,
  japaneseCounting: toChinese,
}

/** A to Z, then AA, BB, …: Word repeats the letter. */
function toLetters(value: number): string {
  return repeatLetter(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
}

function repeatLetter(value: number, letters: string): string {
  if (value < 1 || value > letters.length * 30) return String(value)
  const letter = letters[(value - 1) % letters.length] ?? ''
  return letter.repeat(Math.floor((value - 1) / letters.length) + 1)
}

function toOrdinal(value: number): string {
  const isTeen = value % 100 >= 11 && value % 100 <= 13
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')
  return `${value}${ending}`
}

const IDEOGRAPHS = '〇一二三四五六七八九'

function toIdeographs(value: number): string {
  return [...String(value)].map((digit) => IDEOGRAPHS[Number(digit)] ?? digit).join('')
}

function toChinese(value: number): string {
  if (value < 1 || value > 99) return toIdeographs(value)
  const tens = Math.floor(value / 10)
  const ten = tens === 0 ? '' : `${tens === 1 ? '' : IDEOGRAPHS[tens]}十`
  return `${ten}${value % 10 === 0 ? '' : IDEOGRAPHS[value % 10]}`
}

/**
 * A numbered paragraph of a shape: ECMA-376's ST_TextAutonumberScheme, first number, and level from
 * 0.
 */
export type AutoNumber = { scheme: string; startAt: number; level: number }

/** Counts the numbered paragraphs of a shape. */
type AutoNumbers = {
  /**
   * Returns the displayed number: `1.`, `(b)`. `null` is a paragraph without number, which ends the
   * numbering at its level.
   */
  next(number: AutoNumber | null, level: number): string
}

/** Creates the counter of a shape. */
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
      return formatAutoNumber(count, number.scheme)
    },
  }
}

function formatAutoNumber(count: number, scheme: string): string {
  const [, stem = 'arabic', ending = ''] = /^(.*?)(ParenBoth|ParenR|Period|Plain|Minus)?$/.exec(scheme) ?? []
  const shown = formatNumber(count, SCHEME_FORMATS[stem] ?? 'decimal')
  if (ending === 'ParenBoth') return `(${shown})`
  if (ending === 'ParenR') return `${shown})`
  return ending === 'Period' ? `${shown}.` : shown
}

const SCHEME_FORMATS: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
  circleNumDb: 'decimalEnclosedCircle',
  ea1Chs: 'chineseCounting',
  ea1Cht: 'chineseCounting',
  ea1Jpn: 'ideographDigital',
}

/**
 * Formats a number by the `type` of an HTML list (`1`, `a`, `A`, `i`, `I`); decimal if the number
 * has no such form.
 */
export function formatListNumber(number: number, type: string): string {
  if (/^[aA]$/.test(type) && number > 0) return formatLetters(number, type)
  if (type === 'I') return toRoman(number)
  if (type === 'i') return toRoman(number).toLowerCase()
  return String(number)
}

/** 1 is a, 26 is z, 27 is aa. */
function formatLetters(number: number, first: string): string {
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(first.charCodeAt(0) + ((rest - 1) % 26)) + letters
  }
  return letters
}
