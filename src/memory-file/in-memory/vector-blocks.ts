import { createBestSlots, type FoundSlots } from './best-slots.ts'
import { withLength } from './growing-array.ts'
import { VECTOR_DOTS_MODULE } from './vector-dots-module.ts'

/** Vectors of a block, compared by one call. */
const BLOCK_LENGTH = 1024
/** The dot products read so many numbers at a time. */
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
type Dots = (...addresses: [query: number, vectors: number, bytes: number, count: number, out: number]) => void
/** The part of WebAssembly in use, for which Node's types have no declaration. */
type Engine = {
  Memory: new (size: { initial: number; maximum: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { vectors: { memory: Memory } }) => { exports: unknown }
}

const WebAssembly = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly

/** Memory for the vectors of all indexes of a thread. It grows, and freed blocks are used again. */
export type VectorMemory = {
  readonly memory: Memory
  readonly dots: Dots
  /** Address for a query of at most `MAX_DIMENSIONS` numbers. */
  readonly query: number
  /** Address for the dot products of a block. */
  readonly out: number
  take(bytes: number): number
  free(address: number, bytes: number): void
}

/** So many vectors are also kept as 16-bit floats. Lance has an index from 4,096. */
const MAX_EXACT = 4096

/** Longer vectors are compared by Lance alone. */
export const MAX_DIMENSIONS = 16_384

/** Creates an empty memory. Throws if WebAssembly lacks relaxed SIMD. */
export function createVectorMemory(): VectorMemory {
  const out = MAX_DIMENSIONS
  let end = out + 4 * BLOCK_LENGTH
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES), maximum: MAX_PAGES })
  const module = new WebAssembly.Module(Buffer.from(VECTOR_DOTS_MODULE, 'base64'))
  const { dots } = new WebAssembly.Instance(module, { vectors: { memory } }).exports as { dots: Dots }
  const freed = new Map<number, number[]>()
  return {
    memory,
    dots,
    query: 0,
    out,
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
  const bytes = STEP * Math.ceil(dimensions / STEP)
  const blocks: number[] = []
  // The value of a vector's largest number divided by 127; 0 without a vector.
  let scales = new Float32Array(0)
  let sums = new Int32Array(0)
  // `null` for many vectors.
  let exact: Float16Array | null = new Float16Array(0)
  let end = 0

  const numbersAt = (slot: number) => {
    const address = (blocks[Math.floor(slot / BLOCK_LENGTH)] ?? 0) + (slot % BLOCK_LENGTH) * bytes
    return new Int8Array(memory.memory.buffer, address, bytes)
  }

  function cosineOf(query: Float32Array, slot: number): number {
    const numbers = exact?.subarray(slot * dimensions, (slot + 1) * dimensions) ?? numbersAt(slot)
    let dot = 0
    for (let at = 0; at < dimensions; at += 1) dot += (query[at] ?? 0) * (numbers[at] ?? 0)
    return Math.min(1, Math.max(-1, exact === null ? dot * (scales[slot] ?? 0) : dot))
  }

  return {
    put(slot, halves) {
      while (blocks.length * BLOCK_LENGTH <= slot) blocks.push(memory.take(BLOCK_LENGTH * bytes))
      scales = withLength(scales, slot + 1)
      sums = withLength(sums, slot + 1)
      end = Math.max(end, slot + 1)
      const floats = new Float16Array(halves.buffer, halves.byteOffset, halves.length)
      if (end > MAX_EXACT) exact = null
      if (exact !== null) exact = withLength(exact, end * dimensions)
      exact?.set(floats, slot * dimensions)
      const largest = findLargest(floats)
      const numbers = numbersAt(slot).fill(0)
      let sum = 0
      for (let at = 0; at < dimensions; at += 1) {
        const number = Math.round(((floats[at] ?? 0) * MAX_NUMBER) / (largest || 1))
        numbers[at] = number
        sum += number
      }
      scales[slot] = largest / MAX_NUMBER
      sums[slot] = sum
    },
    search(query, limit, passes) {
      const scale = roundQuery(query, new Uint8Array(memory.memory.buffer, memory.query, bytes))
      const nearest = createBestSlots(limit)
      let least = Number.NEGATIVE_INFINITY
      for (let first = 0; first < end; first += BLOCK_LENGTH) {
        const count = Math.min(BLOCK_LENGTH, end - first)
        memory.dots(memory.query, blocks[first / BLOCK_LENGTH] ?? 0, bytes, count, memory.out)
        const dots = new Int32Array(memory.memory.buffer, memory.out, count)
        for (let at = 0, slot = first; at < count; at += 1, slot += 1) {
          const own = scales[slot] ?? 0
          const cosine = ((dots[at] ?? 0) - QUERY_SHIFT * (sums[slot] ?? 0)) * own * scale
          if (cosine > least && own !== 0 && passes(slot)) least = nearest.offer(slot, cosine)
        }
      }
      const again = createBestSlots(limit)
      for (const slot of nearest.list().slots.sort()) again.offer(slot, cosineOf(query, slot))
      return again.list()
    },
    close() {
      for (const address of blocks.splice(0)) memory.free(address, BLOCK_LENGTH * bytes)
      end = 0
    },
  }
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
