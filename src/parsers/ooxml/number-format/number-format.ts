import { type DateSystem, formatDate, serialToIso } from './format-date.ts'
import { formatDecimal } from './format-decimal.ts'
import { type FormatSection, tokenizeFormat } from './format-tokens.ts'

/** Number display of a cell style. */
export type NumberFormat = {
  /** The number without its format: dates as ISO 8601, other numbers with at most 15 digits. */
  raw(value: number): string
  /** The number as displayed in the sheet; equal to `raw` for unsupported formats. */
  formatted(value: number): string
}

/** {@link createNumberFormat}, or `null` for formats that display numbers unchanged. */
export function readNumberFormat(code: string, system: DateSystem): NumberFormat | null {
  return code === '' || code === '@' || /^general$/i.test(code) ? null : createNumberFormat(code, system)
}

/** Parses a format code such as `#,##0.00 "€";[Red]-#,##0.00 "€"`. */
export function createNumberFormat(code: string, system: DateSystem): NumberFormat {
  const sections = tokenizeFormat(code)
  return {
    raw(value) {
      const section = sections[0] ?? []
      const iso = isDate(section) && !isElapsed(section) ? serialToIso(value, system) : null
      return iso ?? plainNumber(value)
    },
    formatted(value) {
      const { section, isSigned } = chooseSection(sections, value)
      if (section.length === 0) return plainNumber(value)
      const shown = isDate(section) ? formatDate(value, section, system) : formatDecimal(value, section)
      if (shown === null || shown.trim() === '') return plainNumber(value)
      return isSigned && value < 0 ? `-${shown.trim()}` : shown.trim()
    },
  }
}

/** Writes a number without a format. Excel stores 15 digits; the rest of a double is noise. */
export function plainNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  return String(Number(value.toPrecision(15)))
}

function isDate(section: FormatSection): boolean {
  return section.some(({ kind }) => kind === 'date' || kind === 'elapsed')
}

function isElapsed(section: FormatSection): boolean {
  return section.some(({ kind }) => kind === 'elapsed')
}

/**
 * Sections apply to positive, negative and zero values, or by their conditions. A separate negative
 * section displays no sign.
 */
function chooseSection(sections: FormatSection[], value: number): { section: FormatSection; isSigned: boolean } {
  const conditional = sections.find(
    (section) => section.some(({ kind }) => kind === 'condition') && matchesCondition(section, value),
  )
  if (conditional !== undefined) return { section: conditional, isSigned: true }
  if (sections.some((section) => section.some(({ kind }) => kind === 'condition'))) {
    return {
      section: sections.find((section) => !section.some(({ kind }) => kind === 'condition')) ?? [],
      isSigned: true,
    }
  }
  const [positive = [], negative, zero] = sections
  if (value < 0 && negative !== undefined) return { section: negative, isSigned: false }
  if (value === 0 && zero !== undefined) return { section: zero, isSigned: false }
  return { section: positive, isSigned: true }
}

function matchesCondition(section: FormatSection, value: number): boolean {
  const condition = section.find((token) => token.kind === 'condition')
  const [, sign = '', number = ''] = /^([<>=]+)(-?[\d.]+)$/.exec(condition?.text ?? '') ?? []
  const bound = Number(number)
  if (sign === '>') return value > bound
  if (sign === '<') return value < bound
  if (sign === '>=') return value >= bound
  if (sign === '<=') return value <= bound
  return sign === '<>' ? value !== bound : value === bound
}
