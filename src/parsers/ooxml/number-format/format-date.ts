import type { FormatSection, FormatToken } from './format-tokens.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
].concat(['November', 'December'])
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const DAY_SECONDS = 86_400

/** Formats a serial number with a date format, in English; `null` beyond the range of a sheet. */
export function formatDate(serial: number, section: FormatSection, system: DateSystem): string | null {
  const places = countFractionDigits(section)
  const date = serialToDate(roundSeconds(serial, places), system)
  if (date === null) return null
  const isHalfDay = section.some((token) => token.kind === 'date' && token.text.includes('/'))
  let shown = ''
  for (const [index, token] of section.entries()) {
    if (token.kind === 'date')
      shown += formatDatePart(date, token.text, { isHalfDay, isMinute: isMinuteToken(section, index) })
    else if (token.kind === 'elapsed') shown += formatElapsed(serial, token.text)
    else if (token.kind === 'digit') shown += getFractionDigit(date, section, index)
    else shown += toLiteral(token)
  }
  return shown.trim()
}

function toLiteral(token: FormatToken): string {
  if (token.kind === 'literal') return token.text
  if (token.kind === 'slash') return '/'
  if (token.kind === 'point') return '.'
  return token.kind === 'comma' ? ',' : ''
}

function countFractionDigits(section: FormatSection): number {
  return section.filter((token) => token.kind === 'digit').length
}

/** Excel rounds seconds to the displayed decimals instead of truncating. */
function roundSeconds(serial: number, places: number): number {
  const scale = DAY_SECONDS * 10 ** Math.min(places, 3)
  return Math.round(serial * scale) / scale
}

function getFractionDigit(date: Date, section: FormatSection, index: number): string {
  const place = section.slice(0, index).filter((token) => token.kind === 'digit').length
  return String(date.getUTCMilliseconds()).padStart(3, '0')[place] ?? '0'
}

/** `m` means minutes after hours and before seconds, otherwise months. */
function isMinuteToken(section: FormatSection, index: number): boolean {
  const isTime = (token: FormatToken | undefined, letters: string) =>
    (token?.kind === 'date' || token?.kind === 'elapsed') && letters.includes(token.text[0] ?? '')
  const isPart = (token: FormatToken) =>
    token.kind === 'elapsed' || (token.kind === 'date' && !token.text.includes('/'))
  return isTime(section.slice(0, index).findLast(isPart), 'h') || isTime(section.slice(index + 1).find(isPart), 's')
}

type DatePartContext = { isHalfDay: boolean; isMinute: boolean }

function formatDatePart(date: Date, token: string, { isHalfDay, isMinute: asMinute }: DatePartContext): string {
  const pad = (value: number) => (token.length > 1 ? String(value).padStart(2, '0') : String(value))
  const hours = date.getUTCHours()
  switch (token[0]) {
    case 'y':
      return token.length > 2 ? String(date.getUTCFullYear()) : String(date.getUTCFullYear() % 100).padStart(2, '0')
    case 'd':
      return token.length < 3 ? pad(date.getUTCDate()) : abbreviateName(DAYS[date.getUTCDay()], token.length)
    case 'h':
      return pad(isHalfDay ? hours % 12 || 12 : hours)
    case 's':
      return pad(date.getUTCSeconds())
    case 'a':
      return token === 'a/p' ? (hours < 12 ? 'A' : 'P') : hours < 12 ? 'AM' : 'PM'
    default:
      if (asMinute) return pad(date.getUTCMinutes())
      return token.length < 3 ? pad(date.getUTCMonth() + 1) : abbreviateName(MONTHS[date.getUTCMonth()], token.length)
  }
}

function abbreviateName(name: string | undefined, length: number): string {
  if (name === undefined || length === 4) return name ?? ''
  return length === 5 ? name.slice(0, 1) : name.slice(0, 3)
}

function formatElapsed(serial: number, token: string): string {
  const scale = { h: 24, m: 1_440, s: DAY_SECONDS }[token[0] ?? 'h'] ?? 24
  // A small offset keeps 0.1 + 0.2 days from losing an hour.
  return String(Math.floor(serial * scale + 1e-6)).padStart(token.length, '0')
}

/** The two epochs of serial numbers. */
export type DateSystem = '1900' | '1904'

const DAY_MS = 86_400_000
const DAY_1904_MS = Date.UTC(1904, 0, 1)
const DAY_1900_MS = Date.UTC(1899, 11, 30)
/** 9999-12-31, the last date of a sheet. */
const MAX_SERIAL_NUMBER = 2_958_466

/**
 * Converts a serial number to a date in UTC fields; `null` beyond the range of a sheet. In the 1900
 * system, day 60 is the nonexistent 29 February 1900, so earlier days shift by one.
 */
function serialToDate(serial: number, system: DateSystem): Date | null {
  if (!(serial >= 0 && serial < MAX_SERIAL_NUMBER)) return null
  if (system === '1904') return new Date(DAY_1904_MS + Math.round(serial * DAY_MS))
  const days = serial < 60 && serial >= 1 ? serial + 1 : serial
  return new Date(DAY_1900_MS + Math.round(days * DAY_MS))
}

/** Parts of a date with time, or of a time, of ISO 8601. */
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d(?:\.\d{1,9})?))?Z?$/

/** Converts ISO 8601 to a serial number; `null` for other texts. */
export function isoToSerial(text: string, system: DateSystem): number | null {
  const match = ISO_DATE.exec(text)
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const time = (hours * 3600 + minutes * 60 + seconds) / DAY_SECONDS
  const date = Date.UTC(year, month - 1, day)
  if (system === '1904') return (date - DAY_1904_MS) / DAY_MS + time
  const days = (date - DAY_1900_MS) / DAY_MS
  return (days <= 60 ? Math.max(days - 1, 0) : days) + time
}

/**
 * Converts a serial number to ISO 8601: a date, a time, or both; `null` beyond the range of a
 * sheet.
 */
export function serialToIso(serial: number, system: DateSystem): string | null {
  const date = serialToDate(serial, system)
  if (date === null) return null
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T')
  const clock = time.replace(/\.000$/, '')
  if (serial < 1 && system === '1900') return clock
  return clock === '00:00:00' ? day : `${day} ${clock}`
}
