/** The two ways a workbook counts days. */
export type DateSystem = '1900' | '1904'

const DAY_MS = 86_400_000
const DAY_1904_MS = Date.UTC(1904, 0, 1)
const DAY_1900_MS = Date.UTC(1899, 11, 30)
/** 9999-12-31, the last day that a sheet shows. */
const MAX_SERIAL = 2_958_466

/**
 * The moment a serial number stands for, in UTC fields; `null` outside of what a sheet shows. In the 1900 system day 60 is
 * the 29 February 1900 that never was, so the days before it lie one later.
 */
export function serialToDate(serial: number, system: DateSystem): Date | null {
  if (!(serial >= 0 && serial < MAX_SERIAL)) return null
  if (system === '1904') return new Date(DAY_1904_MS + Math.round(serial * DAY_MS))
  const days = serial < 60 && serial >= 1 ? serial + 1 : serial
  return new Date(DAY_1900_MS + Math.round(days * DAY_MS))
}

/** A serial number as ISO 8601: a day, a time of day, or both; `null` outside of what a sheet shows. */
export function serialToIso(serial: number, system: DateSystem): string | null {
  const date = serialToDate(serial, system)
  if (date === null) return null
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T')
  const clock = time.replace(/\.000$/, '')
  if (serial < 1 && system === '1900') return clock
  return clock === '00:00:00' ? day : `${day} ${clock}`
}
