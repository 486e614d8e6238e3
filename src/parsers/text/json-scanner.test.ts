import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createJsonScanner } from './json-scanner.ts'

function isValid(text: string): boolean {
  const scanner = createJsonScanner()
  for (const unit of text.split('')) scanner.write(unit)
  return scanner.end() === null
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('agrees with JSON.parse', () => {
  const scraps = fc
    .array(fc.constantFrom(...'{}[]:,"\\ \n-0123456789.eE+abntrufls/', 'true', 'null', '"a"', '\\u00e9', '1.5e-3'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''))
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]:,"\\ 0x')).map(([json, at, mark]) => {
    const place = at % (json.length + 1)
    return json.slice(0, place) + mark + json.slice(place + 1)
  })
  fc.assert(
    fc.property(fc.oneof(scraps, damaged, fc.json()), (text) => assert.equal(isValid(text), parses(text))),
    { numRuns: 2000 },
  )
})

test('names an error by the character found', () => {
  for (const [text, found] of [
    ['{"a":1 x', 'x'],
    ['{"a":1,7', '7'],
    ['[1,?', '?'],
    ['{"a"=1}', '='],
    ['[1 😀', '😀'],
  ] as const) {
    const scanner = createJsonScanner()
    scanner.write(text)
    const message = scanner.end()?.message
    assert.ok(message?.endsWith(` is expected, not "${found}"`), message)
  }
})
