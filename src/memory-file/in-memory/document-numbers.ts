import type { ChunkFilter, DocumentSet } from '../memory-file.ts'
import { bytesOf, type SlotFilter, type Texts } from './chunk-index.ts'

/** Numbers of the documents of an index, 0, 1, 2 … in order of the first chunk. */
export type DocumentNumbers = {
  /** Numbers each document of a column. */
  add(documentIds: Texts): Uint32Array
  /** The filter, with a byte for each number: 1 if the document passes. */
  toSlotFilter(filter?: ChunkFilter): SlotFilter
}

/** Number of a place without chunks. */
const NO_NUMBER = -1

/** Number of each place, and the number of documents at the time. */
type Places = { numbers: Int32Array; known: number }

/** Creates an empty numbering. */
export function createDocumentNumbers(): DocumentNumbers {
  const numbers = new Map<string, number>()
  // Looking up the identifiers of all documents of a large memory takes as long as the search.
  const placesOf = new WeakMap<readonly string[], Places>()

  function readPlaces(ids: readonly string[]): Int32Array {
    const before = placesOf.get(ids)
    if (before?.known === numbers.size && before.numbers.length === ids.length) return before.numbers
    const places = new Int32Array(ids.length).fill(NO_NUMBER)
    places.set(before?.numbers ?? [])
    ids.forEach((id, place) => {
      if (places[place] === NO_NUMBER) places[place] = numbers.get(id) ?? NO_NUMBER
    })
    placesOf.set(ids, { numbers: places, known: numbers.size })
    return places
  }

  function toBits({ ids, bits }: DocumentSet): Uint8Array {
    const numbered = new Uint8Array(numbers.size)
    const places = readPlaces(ids)
    for (let place = 0; place < bits.length; place += 1) {
      const number = places[place] ?? NO_NUMBER
      if (bits[place] === 1 && number !== NO_NUMBER) numbered[number] = 1
    }
    return numbered
  }

  return {
    add(documentIds) {
      const added = new Uint32Array(Math.max(0, documentIds.offsets.length - 1))
      let [last, number]: [Uint8Array, number] = [new Uint8Array(0), 0]
      for (let row = 0; row < added.length; row += 1) {
        const bytes = bytesOf(documentIds, row)
        // The chunks of a document follow each other.
        if (Buffer.compare(bytes, last) !== 0) {
          const id = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
          number = numbers.get(id) ?? numbers.size
          numbers.set(id, number)
          last = bytes
        }
        added[row] = number
      }
      return added
    },
    toSlotFilter: ({ kind, documents } = {}) => ({
      ...(kind === undefined ? {} : { kind }),
      ...(documents === undefined ? {} : { documents: toBits(documents) }),
    }),
  }
}
