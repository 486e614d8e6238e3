import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateJaccard, type Fingerprint, fingerprintOf } from '../../../engine/similarity/fingerprint.ts'
import { createEarlierTexts } from './duplicates.ts'

/** Reference: compares each text with all earlier texts. */
function findByAll({ hash, signature }: Fingerprint, earlier: readonly { id: string; fingerprint: Fingerprint }[]) {
  const isSame = (other: Fingerprint) =>
    hash === other.hash ||
    (signature !== null && other.signature !== null && estimateJaccard(signature.value, other.signature.value) >= 0.9)
  return earlier.find(({ fingerprint }) => isSame(fingerprint))?.id ?? null
}

/**
 * A text of 300 words, some of them replaced in a repeating pattern. Texts are equal, nearly equal,
 * similar or different.
 */
function textOf(number: number): string {
  const words = Array.from({ length: 300 }, (_, place) => `word${place + 1000 * (number % 7)}`)
  for (let change = 0; change < number % 5; change += 1)
    words[(number * 13 + change * 41) % 300] = `other${number % 11}`
  return words.join(' ')
}

test('a text is a duplicate of the first equal or nearly equal text, as in a full comparison', () => {
  const texts = createEarlierTexts()
  const earlier: { id: string; fingerprint: Fingerprint }[] = []
  const found: (string | null)[] = []
  for (let number = 0; number < 400; number += 1) {
    const fingerprint = fingerprintOf(number % 9 === 8 ? `short ${number % 4}` : textOf(number))
    const id = `text ${number}`
    found.push(texts.find(fingerprint))
    assert.equal(found.at(-1), findByAll(fingerprint, earlier), id)
    // Some duplicates are kept, as in requests without deduplication.
    if (number % 3 > 0 && found.at(-1) !== null) continue
    texts.add(id, fingerprint)
    earlier.push({ id, fingerprint })
  }
  assert.ok(found.filter((id) => id === null).length > 20)
  assert.ok(new Set(found).size > 10, `${new Set(found).size} are repeated`)
})

test('texts without common bands are not compared', () => {
  const texts = createEarlierTexts()
  const count = 2000
  let looks = 0
  for (let number = 0; number < count; number += 1) {
    const { hash, signature } = fingerprintOf(`the heron number ${number} of weir ${number * 7} is back`)
    const fingerprint = {
      hash,
      get signature() {
        looks += 1
        return signature
      },
    }
    assert.equal(texts.find(fingerprint), null)
    texts.add(`text ${number}`, fingerprint)
  }
  assert.ok(looks <= 4 * count, `${looks} looks`)
})
