type Numbers = Uint8Array | Uint32Array | Int32Array | Float16Array | Float32Array | BigUint64Array

const MIN_LENGTH = 1024
/** Doubling would leave up to half of a large array unused. */
const GROWTH = 1.25

/** Returns an array of at least `length` numbers: the given one, or a longer copy with zeros. */
export function withLength<Kind extends Numbers>(numbers: Kind, length: number): Kind {
  if (numbers.length >= length) return numbers
  const Kind = numbers.constructor as new (length: number) => Kind
  const longer = new Kind(Math.max(MIN_LENGTH, length, Math.ceil(numbers.length * GROWTH)))
  longer.set(numbers as never)
  return longer
}
