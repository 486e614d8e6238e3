import type { FormatSection, FormatToken } from './format-tokens.ts'

/**
 * Formats a number with a format without dates; `null` for fractions (not supported) and for
 * numbers too long.
 */
export function formatDecimal(value: number, section: FormatSection): string | null {
  if (section.some(({ kind }) => kind === 'slash')) return null
  if (section.some(({ kind }) => kind === 'exponent')) return formatExponent(value, section)
  const layout = measureSection(section)
  if (layout.digits === 0) return formatLiterals(value, section)
  const scaled = Math.abs(value) * 100 ** layout.percents * 1000 ** -layout.scalings
  if (scaled >= 1e15) return null
  const [whole = '0', fraction = ''] = roundTo(scaled, layout.maxDecimals).split('.')
  const kept = trimFraction(fraction, layout.minDecimals)
  const integer = whole === '0' && layout.minIntegerDigits === 0 ? '' : whole.padStart(layout.minIntegerDigits, '0')
  return fillPlaceholders(section, layout.isGrouped ? groupThousands(integer) : integer, kept)
}

type SectionLayout = {
  digits: number
  minIntegerDigits: number
  maxDecimals: number
  minDecimals: number
  percents: number
  scalings: number
  isGrouped: boolean
}

function measureSection(section: FormatSection): SectionLayout {
  const point = section.findIndex(({ kind }) => kind === 'point')
  const before = point < 0 ? section : section.slice(0, point)
  const after = point < 0 ? [] : section.slice(point)
  const isDigit = ({ kind }: FormatToken) => kind === 'digit'
  const isZero = (token: FormatToken) => token.kind === 'digit' && token.text === '0'
  const lastDigit = section.findLastIndex(isDigit)
  const commas = before.flatMap(({ kind }, index) => (kind === 'comma' ? [index] : []))
  return {
    digits: section.filter(isDigit).length,
    minIntegerDigits: before.filter(isZero).length,
    maxDecimals: Math.min(after.filter(isDigit).length, 15),
    minDecimals: Math.min(after.filter(isZero).length, 15),
    percents: Math.min(section.filter(({ kind }) => kind === 'percent').length, 3),
    // Each comma after the last digit divides by a thousand; a comma between digits groups them.
    scalings: section.filter(({ kind }, index) => kind === 'comma' && index > lastDigit).length,
    isGrouped: commas.some((index) => index < before.findLastIndex(isDigit)),
  }
}

/** Rounds the decimal notation, as people do: 1.005 becomes 1.01. */
function roundTo(value: number, decimals: number): string {
  const exact = Number(value.toPrecision(15))
  const shifted = Math.round(Number(`${exact}e${decimals}`))
  return Number.isFinite(shifted) ? Number(`${shifted}e-${decimals}`).toFixed(decimals) : exact.toFixed(decimals)
}

function trimFraction(fraction: string, minDigits: number): string {
  let end = fraction.length
  while (end > minDigits && fraction[end - 1] === '0') end -= 1
  return fraction.slice(0, end)
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * Fills the digits into the placeholders. The first placeholder takes all remaining digits, so that
 * `000-0000` works too.
 */
function fillPlaceholders(section: FormatSection, integer: string, fraction: string): string {
  const point = section.findIndex(({ kind }) => kind === 'point')
  const end = point < 0 ? section.length : point
  const first = section.findIndex(({ kind }) => kind === 'digit')
  // Placeholders separated by literals take a digit each.
  const gap = section.findIndex(({ kind }, index) => kind === 'literal' && index > first)
  let rest = integer
  let before = ''
  for (let index = end - 1; index >= 0; index -= 1) {
    const token = section[index]
    if (token?.kind !== 'digit') {
      before = toLiteral(token) + before
      continue
    }
    const taken = index === first || gap < 0 || index < gap ? rest : rest.slice(-1)
    before = taken + before
    rest = rest.slice(0, rest.length - taken.length)
  }
  const after = section.slice(end).map((token) => (token.kind === 'digit' ? '' : toLiteral(token)))
  if (point < 0) return before + after.join('')
  return `${before}${fraction === '' ? '' : `.${fraction}`}${after.join('')}`
}

function toLiteral(token: FormatToken | undefined): string {
  if (token?.kind === 'literal') return token.text
  return token?.kind === 'percent' ? '%' : ''
}

/** Examples: `"n/a"`, `General" km"`, `@`. */
function formatLiterals(value: number, section: FormatSection): string {
  const shown = section.map((token) =>
    token.kind === 'general' || token.kind === 'text' ? String(Math.abs(value)) : toLiteral(token),
  )
  return shown.join('')
}

function formatExponent(value: number, section: FormatSection): string {
  const at = section.findIndex(({ kind }) => kind === 'exponent')
  const sign = section[at]
  const { maxDecimals } = measureSection(section.slice(0, at))
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential(maxDecimals).split('e')
  const digits = section.slice(at).filter(({ kind }) => kind === 'digit').length
  const power = Number(exponent)
  const plus = power < 0 ? '-' : sign?.kind === 'exponent' && sign.text === 'E+' ? '+' : ''
  return `${mantissa}E${plus}${String(Math.abs(power)).padStart(digits, '0')}`
}
