import { createBestSlots, type FoundSlots } from './best-slots.ts'
import { withLength } from './growing-array.ts'
import { VECTOR_DOTS_MODULE } from './vector-dots-module.ts'

/** Slots of a block, compared by one call. */
export const BLOCK_LENGTH = 1024
/** The comparison reads so many numbers at a time. */
const STEP = 32
/** Largest magnitude of a number of a vector. */
const MAX_NUMBER = 127
/** Numbers of a query are -63 to 63, and shifted by 64. */
const MAX_QUERY_NUMBER = 63
const QUERY_SHIFT = 64
const PAGE_BYTES = 64 * 1024
/**
 * Growing in larger steps gives pages of 2 MB, where the system has them: comparing 100,000 vectors
 * takes a third of the time.
 */
const GROWTH_BYTES = 32 * 1024 * 1024
/** WebAssembly addresses have 32 bits. */
const MAX_PAGES = 65_536

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }
/** The functions of `vector-dots.wat`. */
type Kernels = {
  cosines(...block: [query: number, block: number, bytes: number, scale: number, out: number]): void
  dot(query: number, vector: number, bytes: number): number
  above(scores: number, least: number, found: number): number
}
/** The part of WebAssembly in use, for which Node's types have no declaration. */
type Engine = {
  Memory: new (size: { initial: number; maximum: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { vectors: { memory: Memory } }) => { exports: unknown }
}

const WebAssembly = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly

/**
 * Memory for the vectors and scores of all indexes of a thread. It grows, and freed blocks are used
 * again.
 */
export type VectorMemory = {
  readonly memory: Memory
  readonly kernels: Kernels
  /** Addresses of a query of at most `MAX_DIMENSIONS` numbers, in 32 and in 7 bits. */
  readonly query: number
  readonly rounded: number
  /** Address for the cosines of a block. */
  readonly out: number
  /** The places of a block of scores that are above `least`, until the next call. */
  listAbove(scores: number, least: number): Uint32Array
  /** Takes bytes, which are all 0. */
  take(bytes: number): number
  free(address: number, bytes: number): void
}

/** So many vectors are also kept as 16-bit floats. Lance has an index from 4,096. */
const MAX_EXACT = 4096

/** Longer vectors are compared by Lance alone. */
export const MAX_DIMENSIONS = 16_384

/** Creates an empty memory. Throws if WebAssembly lacks relaxed SIMD. */
export function createVectorMemory(): VectorMemory {
  const rounded = 4 * MAX_DIMENSIONS
  const out = rounded + MAX_DIMENSIONS
  const places = out + 4 * BLOCK_LENGTH
  let end = places + 4 * BLOCK_LENGTH
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES), maximum: MAX_PAGES })
  const module = new WebAssembly.Module(Buffer.from(VECTOR_DOTS_MODULE, 'base64'))
  const kernels = new WebAssembly.Instance(module, { vectors: { memory } }).exports as Kernels
  const freed = new Map<number, number[]>()
  return {
    memory,
    kernels,
    query: 0,
    rounded,
    out,
    listAbove: (scores, least) => new Uint32Array(memory.buffer, places, kernels.above(scores, least, places)),
    take(bytes) {
      const again = freed.get(bytes)?.pop()
      if (again !== undefined) return again
      const address = end
      end += bytes
      const missing = end - memory.buffer.byteLength
      // Throws a RangeError if the memory of the machine is used up.
      if (missing > 0) memory.grow(Math.ceil(Math.max(missing, GROWTH_BYTES) / PAGE_BYTES))
      return address
    },
    free(address, bytes) {
      new Uint8Array(memory.buffer, address, bytes).fill(0)
      freed.set(bytes, [...(freed.get(bytes) ?? []), address])
    },
  }
}

/** Vectors by slot, as signed bytes with a scale each. */
export type VectorBlocks = {
  /** Puts 16-bit floats at a slot. Vectors of zeros are never found. */
  put(slot: number, halves: Uint16Array): void
  /**
   * The nearest slots that pass, by the cosine with a query of length 1. Compares all vectors with
   * the query in 7 bits, and the best again with the query itself. Few vectors are compared as
   * 16-bit floats, so that the scores equal those of Lance.
   */
  search(query: Float32Array, limit: number, passes: (slot: number) => boolean): FoundSlots
  /** Frees the memory. */
  close(): void
}

/** Creates blocks for vectors of a length. */
export function createVectorBlocks(memory: VectorMemory, dimensions: number): VectorBlocks {
  const vectors = createRoundedVectors(memory, dimensions)
  // `null` for many vectors.
  let exact: Float16Array | null = new Float16Array(0)
  let end = 0

  function cosineOf(query: Float32Array, slot: number): number {
    const halves = exact?.subarray(slot * dimensions, (slot + 1) * dimensions)
    const cosine = halves === undefined ? vectors.cosineOf(slot) : dotOfHalves(query, halves)
    return Math.min(1, Math.max(-1, cosine))
  }

  return {
    put(slot, halves) {
      end = Math.max(end, slot + 1)
      const floats = new Float16Array(halves.buffer, halves.byteOffset, halves.length)
      if (end > MAX_EXACT) exact = null
      if (exact !== null) exact = withLength(exact, end * dimensions)
      exact?.set(floats, slot * dimensions)
      vectors.put(slot, floats)
    },
    search(query, limit, passes) {
      vectors.setQuery(query)
      const nearest = createBestSlots(limit)
      let least = Number.NEGATIVE_INFINITY
      for (let first = 0; first < end; first += BLOCK_LENGTH) {
        const { cosines, scales } = vectors.compare(first)
        for (const at of memory.listAbove(memory.out, least)) {
          const cosine = cosines[at] ?? 0
          if (cosine > least && scales[at] !== 0 && passes(first + at)) least = nearest.offer(first + at, cosine)
        }
      }
      const again = createBestSlots(limit)
      for (const slot of nearest.list().slots.sort()) again.offer(slot, cosineOf(query, slot))
      return again.list()
    },
    close() {
      vectors.close()
      end = 0
    },
  }
}

/** Vectors as signed bytes, in blocks. */
type RoundedVectors = {
  put(slot: number, floats: Float16Array): void
  /** Sets the query of the comparisons that follow. */
  setQuery(query: Float32Array): void
  /** Cosines of the rounded query with a block. The scale of a slot without a vector is 0. */
  compare(first: number): { cosines: Float32Array; scales: Float32Array }
  /** The cosine of the query itself. */
  cosineOf(slot: number): number
  close(): void
}

/** A block has its vectors, then the dot product of each with the shift, then the scale of each. */
function createRoundedVectors(memory: VectorMemory, dimensions: number): RoundedVectors {
  const { kernels, query: queryAt, rounded, out } = memory
  const bytes = STEP * Math.ceil(dimensions / STEP)
  const blockBytes = BLOCK_LENGTH * (bytes + 8)
  const blocks: number[] = []
  let queryScale = 0

  const blockOf = (slot: number) => blocks[Math.floor(slot / BLOCK_LENGTH)] ?? 0
  const addressOf = (slot: number) => blockOf(slot) + (slot % BLOCK_LENGTH) * bytes
  const scalesOf = (slot: number) =>
    new Float32Array(memory.memory.buffer, blockOf(slot) + BLOCK_LENGTH * (bytes + 4), BLOCK_LENGTH)

  return {
    put(slot, floats) {
      while (blocks.length * BLOCK_LENGTH <= slot) blocks.push(memory.take(blockBytes))
      const largest = findLargest(floats)
      const numbers = new Int8Array(memory.memory.buffer, addressOf(slot), dimensions)
      let sum = 0
      for (let at = 0; at < dimensions; at += 1) {
        const number = Math.round(((floats[at] ?? 0) * MAX_NUMBER) / (largest || 1))
        numbers[at] = number
        sum += number
      }
      const shifts = new Int32Array(memory.memory.buffer, blockOf(slot) + BLOCK_LENGTH * bytes, BLOCK_LENGTH)
      shifts[slot % BLOCK_LENGTH] = QUERY_SHIFT * sum
      scalesOf(slot)[slot % BLOCK_LENGTH] = largest / MAX_NUMBER
    },
    setQuery(query) {
      new Float32Array(memory.memory.buffer, queryAt, bytes).fill(0).set(query)
      queryScale = roundQuery(query, new Uint8Array(memory.memory.buffer, rounded, bytes))
    },
    compare(first) {
      kernels.cosines(rounded, blockOf(first), bytes, queryScale, out)
      return { cosines: new Float32Array(memory.memory.buffer, out, BLOCK_LENGTH), scales: scalesOf(first) }
    },
    cosineOf: (slot) => kernels.dot(queryAt, addressOf(slot), bytes) * (scalesOf(slot)[slot % BLOCK_LENGTH] ?? 0),
    close() {
      for (const address of blocks.splice(0)) memory.free(address, blockBytes)
    },
  }
}

function dotOfHalves(query: Float32Array, halves: Float16Array): number {
  let dot = 0
  for (let at = 0; at < halves.length; at += 1) dot += (query[at] ?? 0) * (halves[at] ?? 0)
  return dot
}

/** Rounds a query to 7 bits. Returns the value of 1. */
function roundQuery(query: Float32Array, rounded: Uint8Array): number {
  const largest = findLargest(query)
  rounded.fill(QUERY_SHIFT)
  query.forEach((number, at) => {
    rounded[at] = Math.round((number * MAX_QUERY_NUMBER) / (largest || 1)) + QUERY_SHIFT
  })
  return largest / MAX_QUERY_NUMBER
}

function findLargest(numbers: Float32Array | Float16Array): number {
  let largest = 0
  for (let at = 0; at < numbers.length; at += 1) largest = Math.max(largest, Math.abs(numbers[at] ?? 0))
  return largest
}
