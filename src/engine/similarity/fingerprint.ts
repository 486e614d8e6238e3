import { type CooperativeTask, runSync } from '../../concurrency/event-loop-yield.ts'
import { bandsOf, createMinHash, mix, shareOfEqual } from './min-hash.ts'
import { createTextHash } from './text-hash.ts'

/** What tells whether two documents say the same. */
export type Fingerprint = {
  /**
   * SHA-256 of the normalised text, lower-case hex: equal for texts that differ only in case,
   * punctuation, white space and compatibility forms. A text without a letter or digit is hashed as
   * it is.
   */
  hash: string
  /**
   * For near-duplicates; `null` for a text of fewer than five words, which only its hash compares.
   */
  signature: {
    /** For {@link estimateJaccard}, base64. */
    value: string
    /**
     * Labels of twelve hex digits; two documents of Jaccard similarity 0.9 share one with a
     * probability above 0.999.
     */
    bands: string[]
  } | null
}

/** Reads a document piece by piece; where it is cut into pieces makes no difference. */
export type FingerprintReader = {
  add(piece: string): void
  /** The fingerprint of all pieces; ends the reader. */
  digest(): Fingerprint
}

/** Words in a shingle: the API's "similar content" is taken as overlap of runs of five words. */
const SHINGLE_WORDS = 5

/** Makes the reader of one document. */
export function createFingerprint(): FingerprintReader {
  const minHash = createMinHash()
  const recent = new Uint32Array(SHINGLE_WORDS)
  let count = 0

  const text = createTextHash((wordHash) => {
    recent[count % SHINGLE_WORDS] = wordHash
    count++
    if (count >= SHINGLE_WORDS) minHash.add(shingle(recent, count))
  })

  return {
    add: text.add,
    digest() {
      const hash = text.digest()
      if (count < SHINGLE_WORDS) return { hash, signature: null }
      const signature = minHash.signature()
      return { hash, signature: { value: encode(signature), bands: bandsOf(signature) } }
    },
  }
}

/** The same of a text that is whole. */
export function fingerprintOf(text: string): Fingerprint {
  return runSync(readFingerprint([text]))
}

/** The same of a text in pieces, one a step: 147 million characters took 6 s. */
export function* readFingerprint(pieces: readonly string[]): CooperativeTask<Fingerprint> {
  const fingerprint = createFingerprint()
  for (const piece of pieces) {
    fingerprint.add(piece)
    yield
  }
  return fingerprint.digest()
}

/**
 * The estimated Jaccard similarity, 0 to 1, of two documents by their signatures; 0 when one is not
 * a signature.
 */
export function estimateJaccard(one: string, other: string): number {
  return shareOfEqual(readSignature(one), readSignature(other))
}

/** A signature's value as {@link shareOfEqual} compares it: for one that is compared many times. */
export function readSignature(value: string): Uint32Array {
  const bytes = Buffer.from(value, 'base64')
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)))
}

/** The bands of a signature's value; those of {@link Fingerprint}. */
export function bandsOfSignature(value: string): string[] {
  return bandsOf(readSignature(value))
}

function shingle(recent: Uint32Array, count: number): number {
  let hash = 0
  for (let back = SHINGLE_WORDS; back > 0; back--)
    hash = mix(Math.imul(hash, 31) ^ (recent[(count - back) % SHINGLE_WORDS] ?? 0))
  return hash
}

function encode(signature: Uint32Array): string {
  return Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString('base64')
}
