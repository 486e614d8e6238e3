/** A field of a message as it is written: a number, or the bytes of a text, of a message, or of several numbers together. */
export type ProtobufField = { number: number; value: bigint | Buffer }

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5

/** The fields of a message in their order. Throws RangeError where the bytes are none. https://protobuf.dev/programming-guides/encoding/ */
export function* readProtobufFields(message: Buffer): Generator<ProtobufField> {
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at)
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    if (at + length > message.length) throw new RangeError('a message that ends too early')
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const number = tag >> 3
    const type = tag & 7
    if (type === VARINT) yield { number, value: varint() }
    else if (type === BYTES) yield { number, value: take(Number(varint())) }
    else if (type === FIXED_64) yield { number, value: take(8) }
    else if (type === FIXED_32) yield { number, value: take(4) }
    else throw new RangeError(`a field of the unknown type ${type}`)
  }
}
