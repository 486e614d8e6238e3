import { hash } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Dialect } from './migrations/migration.ts'

/** SQLite knows no checksum; every connection that writes has ours by this name. */
const FUNCTION = 'row_checksum'
/** 64 bits are enough against chance, and nothing here is against an attacker. */
const HEX_DIGITS = 16

/** Gives a connection to SQLite the function by which the triggers of `0013-row-checksums` work. */
export function addRowChecksum(database: DatabaseSync): void {
  const options = { varargs: true, deterministic: true, useBigIntArguments: true }
  database.function(FUNCTION, options, (...values) => checksumOf(values))
}

/** What {@link checksumExpression} is on PostgreSQL, of the same values: a row that is copied from one to the other keeps its checksum. */
export function checksumOf(values: readonly SQLOutputValue[]): string {
  const text = values.map((value) => {
    if (value === null) return '-'
    if (typeof value === 'number') return `=${textOfNumber(value)}`
    return value instanceof Uint8Array ? `#${Buffer.from(value).toString('hex')}` : `=${value}`
  })
  return hash('sha256', text.join('\x1f')).slice(0, HEX_DIGITS)
}

/** As PostgreSQL writes a `double precision`: the shortest digits, with an exponent of two digits or more below 1e-4 and from 1e15 on. */
function textOfNumber(value: number): string {
  const size = Math.abs(value)
  if (value === 0 || !Number.isFinite(value) || (size >= 1e-4 && size < 1e15)) return String(value)
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}

/** SQL for the checksum of these columns of a row, which `prefix` names: `new.`, or nothing. */
export function checksumExpression(dialect: Dialect, columns: readonly string[], prefix = ''): string {
  const names = columns.map((column) => prefix + column)
  if (dialect === 'sqlite') return `${FUNCTION}(${names.join(', ')})`
  const values = names.map((name) => `coalesce('=' || ${name}, '-')`)
  return `left(encode(sha256(convert_to(concat_ws(chr(31), ${values.join(', ')}), 'UTF8')), 'hex'), ${HEX_DIGITS})`
}
