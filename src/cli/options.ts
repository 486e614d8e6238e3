import { type Command, InvalidArgumentError } from 'commander'
import { UsageError } from './failures.ts'

const MEMORY_HELP = 'memory by id or exact name (default: RECOLLECT_MEMORY, or the only one)'

/** Adds the option that names the memory. */
export function withMemory<Given extends Command>(command: Given): Given {
  return command.option('-m, --memory <memory>', MEMORY_HELP)
}

/** Sets an absent option of {@link withMemory} to the name. */
export function setDefaultMemory(command: Command, name: string): void {
  const takesMemory = command.options.some(({ description }) => description === MEMORY_HELP)
  if (takesMemory && command.getOptionValue('memory') === undefined) command.setOptionValue('memory', name)
}

/** A commander parser of integers from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

/** A commander parser of numbers from 0 to 1. */
export function share(text: string): number {
  const value = /^\d(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value]
}

/** Collects `name=value` pairs. Numbers, true, false, null and quoted texts are read as JSON. */
export function collectMetadata(pair: string, previous: Metadata = {}): Metadata {
  const [, name = '', text = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
  if (name === '') throw new InvalidArgumentError('Give a name and a value, such as year=2026.')
  return { ...previous, [name]: readScalar(text) }
}

type Metadata = Readonly<Record<string, string | number | boolean | null>>

function readScalar(text: string): Metadata[string] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? text : (value as Metadata[string])
  } catch {
    return text
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/**
 * Parses the expiry of a key to ISO 8601 UTC. Accepts a span (`12h`, `90d`, `6w`), a date (its
 * start in UTC) or a time with a zone. Throws commander's usage error for other texts and past
 * times.
 */
export function parseExpiry(text: string, now: Date): string {
  const at = spanEnd(text, now) ?? (DATE.test(text) ? new Date(text) : null)
  if (at === null || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Give a span (12h, 90d, 6w), a date (2027-01-31) or a time (2027-01-31T12:00:00Z).')
  if (at <= now) throw new InvalidArgumentError('That time has passed already.')
  return at.toISOString()
}

function spanEnd(text: string, now: Date): Date | null {
  const match = /^([1-9]\d{0,5})([hdw])$/.exec(text)
  const unitMs = UNIT_MS[match?.[2] ?? '']
  return match === null || unitMs === undefined ? null : new Date(now.getTime() + Number(match[1]) * unitMs)
}

/**
 * Creates a handler for an unreadable file of the command line: throws a {@link UsageError} in
 * plain words.
 */
export function refuseFile(path: string): (error: NodeJS.ErrnoException) => never {
  return ({ code = '', message }) => {
    throw new UsageError(REASONS[code]?.(path) ?? `${path} cannot be read: ${message}.`)
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}.`,
  EISDIR: (path) => `${path} is a folder; name a file.`,
  EACCES: (path) => `${path} may not be read by this user.`,
}
