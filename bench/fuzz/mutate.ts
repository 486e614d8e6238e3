import { pick, type Random } from '../random.ts'

/** A way to spoil a file; `others` are further files of the format to take pieces from. */
type Mutation = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer

/**
 * Extreme values to write over a number, in both byte orders. Every binary format contains such
 * lengths, counts and offsets.
 */
const EXTREMES = [0, 1, 0xff, 0x7f_ff, 0xff_ff, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_fe, 0xff_ff_ff_ff] as const
const MAX_FLIPS = 40
const MAX_PIECE_BYTES = 4096
const MAX_OVERWRITTEN_BYTES = 64
const MAX_BYTES = 2 ** 21

/** By name, for the report. */
const MUTATIONS = { flip, overwrite, extreme, number, cut, remove, splice, double } satisfies Record<string, Mutation>

/** The name of a mutation. */
export type MutationName = keyof typeof MUTATIONS
const NAMES = Object.keys(MUTATIONS) as MutationName[]
/**
 * Mutations that move no bytes: moved bytes break the outermost container and hide everything
 * behind it.
 */
const IN_PLACE: readonly MutationName[] = ['flip', 'overwrite', 'extreme']
const IN_PLACE_SHARE = 0.6

/**
 * A mutated copy of `bytes` with one to three mutations, at most 2 MB, and the names of the
 * mutations.
 */
export function mutate(
  bytes: Buffer,
  random: Random,
  others: readonly Buffer[],
): { bytes: Buffer; by: MutationName[] } {
  const names = random() < IN_PLACE_SHARE ? IN_PLACE : NAMES
  const by = Array.from({ length: 1 + below(random, 3) }, () => pick(random, names))
  const mutated = by.reduce<Buffer>((current, name) => MUTATIONS[name](current, random, others), Buffer.from(bytes))
  // The service refuses empty files without reading.
  return { bytes: mutated.length === 0 ? bytes.subarray(0, 1) : mutated.subarray(0, MAX_BYTES), by }
}

function flip(bytes: Buffer, random: Random): Buffer {
  for (let flips = 1 + below(random, MAX_FLIPS); flips > 0 && bytes.length > 0; flips -= 1) {
    const at = below(random, bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8))
  }
  return bytes
}

function cut(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, below(random, bytes.length + 1))
}

function remove(bytes: Buffer, random: Random): Buffer {
  const [from, to] = piece(bytes, random)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
}

/** Overwrites with a piece of another file. */
function overwrite(bytes: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  const other = pick(random, others)
  const [from, to] = piece(other, random)
  other.copy(bytes, below(random, bytes.length + 1), from, Math.min(to, from + MAX_OVERWRITTEN_BYTES))
  return bytes
}

/** Inserts a piece of another file. */
function splice(bytes: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  const other = pick(random, others)
  const at = below(random, bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), other.subarray(...piece(other, random)), bytes.subarray(at)])
}

/** A piece twice, or many times. */
function double(bytes: Buffer, random: Random): Buffer {
  const [from, to] = piece(bytes, random)
  const times = random() < 0.8 ? 1 : 1 + below(random, 200)
  const more = Array.from({ length: times }, () => bytes.subarray(from, to))
  return Buffer.concat([bytes.subarray(0, to), ...more, bytes.subarray(to)]).subarray(0, MAX_BYTES)
}

/**
 * A number of two or four bytes set to an extreme, at one to four places, more often near the
 * beginning.
 */
function extreme(bytes: Buffer, random: Random): Buffer {
  for (let times = 1 + below(random, 4); times > 0 && bytes.length >= 4; times -= 1) {
    const at = Math.floor(random() ** 2 * (bytes.length - 3))
    const value = pick(random, EXTREMES)
    const isShort = random() < 0.5
    if (random() < 0.3) isShort ? bytes.writeUInt16BE(value & 0xff_ff, at) : bytes.writeUInt32BE(value, at)
    else isShort ? bytes.writeUInt16LE(value & 0xff_ff, at) : bytes.writeUInt32LE(value, at)
  }
  return bytes
}

/** A number in digits set to an extreme: lengths and offsets of PDF, attributes of XML. */
function number(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(/\d+/g)]
  if (found.length === 0) return bytes
  const { 0: digits, index } = pick(random, found)
  const value = pick(random, ['0', '-1', '1', '65536', '2147483648', '4294967295', '99999999999999999999', '1e308'])
  return Buffer.concat([bytes.subarray(0, index), Buffer.from(value), bytes.subarray(index + digits.length)])
}

function piece(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = below(random, bytes.length + 1)
  return [from, Math.min(bytes.length, from + 1 + below(random, MAX_PIECE_BYTES))]
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit)
}
