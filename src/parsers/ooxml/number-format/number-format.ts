import { type DateSystem, formatDate, serialToIso } from './format-date.ts'
import { formatDecimal } from './format-decimal.ts'
import { type FormatSection, tokenizeFormat } from './format-tokens.ts'

/** How cells of one style show numbers. */
export type NumberFormat = {
  /** The number as text without its format: dates as ISO 8601, other numbers with at most 15 digits. */
  raw(value: number): string
  /** The number as the sheet shows it. The same as `raw` for formats that are not read. */
  shown(value: number): string
}

/** {@link createNumberFormat}, or `null` for a code that shows numbers as they are. */
export function readNumberFormat(code: string, system: DateSystem): NumberFormat | null {
  return code === '' || code === '@' || /^general$/i.test(code) ? null : createNumberFormat(code, system)
}

/** Reads a format code such as `#,##0.00 "€";[Red]-#,##0.00 "€"`. */
export function createNumberFormat(code: string, system: DateSystem): NumberFormat {
  const sections = tokenizeFormat(code)
  return {
    raw(value) {
      const section = sections[0] ?? []
      const iso = isDate(section) && !isElapsed(section) ? serialToIso(value, system) : null
      return iso ?? plainNumber(value)
    },
    shown(value) {
      const { section, isSigned } = chooseSection(sections, value)
      if (section.length === 0) return plainNumber(value)
      const shown = isDate(section) ? formatDate(value, section, system) : formatDecimal(value, section)
      if (shown === null || shown.trim() === '') return plainNumber(value)
      return isSigned && value < 0 ? `-${shown.trim()}` : shown.trim()
    },
  }
}

/** Excel keeps 15 digits; what a double has beyond that is noise. */
function plainNumber(value: number): string {
  return String(Number(value.toPrecision(15)))
}

function isDate(section: FormatSection): boolean {
  return section.some(({ kind }) => kind === 'date' || kind === 'elapsed')
}

function isElapsed(section: FormatSection): boolean {
  return section.some(({ kind }) => kind === 'elapsed')
}

/** Positive, negative, zero; or what conditions say. A section of its own shows negative numbers without the sign. */
function chooseSection(sections: FormatSection[], value: number): { section: FormatSection; isSigned: boolean } {
  const conditional = sections.find(
    (section) => section.some(({ kind }) => kind === 'condition') && holds(section, value),
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

function holds(section: FormatSection, value: number): boolean {
  const condition = section.find((token) => token.kind === 'condition')
  const [, sign = '', number = ''] = /^([<>=]+)(-?[\d.]+)$/.exec(condition?.text ?? '') ?? []
  const bound = Number(number)
  if (sign === '>') return value > bound
  if (sign === '<') return value < bound
  if (sign === '>=') return value >= bound
  if (sign === '<=') return value <= bound
  return sign === '<>' ? value !== bound : value === bound
}
