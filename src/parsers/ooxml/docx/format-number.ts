import { toRoman } from '../../to-roman.ts'

/** A number as a list shows it. `format` is ECMA-376's ST_NumberFormat; unknown ones are decimal, `none` and `bullet` empty. */
export function formatNumber(value: number, format: string): string {
  const write = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return write?.(value) ?? String(value)
}

const FORMATS: Readonly<Record<string, (value: number) => string>> = {
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
  russianUpper: (value) => letterOf(value, 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ'),
  russianLower: (value) => letterOf(value, 'абвгдежзиклмнопрстуфхцчшщэюя'),
  ideographDigital: toIdeographs,
  japaneseDigitalTenThousand: toIdeographs,
  chineseCounting: toChinese,
  chineseCountingThousand: toChinese,
  japaneseCounting: toChinese,
}

/** A to Z, then AA, BB, …: Word repeats the letter. */
function toLetters(value: number): string {
  return letterOf(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
}

function letterOf(value: number, letters: string): string {
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
