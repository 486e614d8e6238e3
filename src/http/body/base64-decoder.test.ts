import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../errors.ts'
import { createBase64Decoder } from './base64-decoder.ts'

function decode(text: string, pieceLength = 1_000_000) {
  const decoder = createBase64Decoder('image')
  const decoded: Buffer[] = []
  for (let at = 0; at < text.length; at += pieceLength) decoded.push(decoder.write(text.slice(at, at + pieceLength)))
  decoded.push(decoder.end())
  return { bytes: Buffer.concat(decoded), type: decoder.mediaType() }
}

function refusal(text: string): string {
  try {
    decode(text)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return `${error.code} ${error.facts.param}: ${error.message}`
  }
  return 'taken'
}

describe('createBase64Decoder', () => {
  const bytes = Buffer.from([0, 255, 254, 62, 63, 251, 7, 16, 131, 16])
  const written = bytes.toString('base64')
  const forms: readonly (readonly [string, string, string | null])[] = [
    ['base64', written, null],
    ['without padding', written.replace(/=+$/, ''), null],
    ['in the alphabet for URLs', bytes.toString('base64url'), null],
    ['in lines', `${written.slice(0, 5)}\r\n ${written.slice(5, 9)}\n${written.slice(9)}\n`, null],
    ['as a data URL', `data:image/png;base64,${written}`, 'image/png'],
    ['as a data URL with parameters', ` DATA:image/jpeg;name=a.jpg;BASE64,${written}`, 'image/jpeg'],
    ['as a data URL without type', `data:;base64,${written}`, null],
  ]
  for (const [title, text, type] of forms) {
    it(`decodes ${title} at every chunk boundary`, () => {
      for (let length = 1; length <= text.length; length++) assert.deepEqual(decode(text, length), { bytes, type })
    })
  }

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /must not be empty/],
    [' \n', /must not be empty/],
    ['data:image/png;base64,', /must not be empty/],
    ['hello, world!', /must be base64: it contains ","/],
    ['AAAA"', /must be base64/],
    ['AAAÄ', /must be base64: it contains "Ä"/],
    ['AAAAA', /truncated/],
    ['AAA==', /truncated/],
    ['AA=', /truncated/],
    ['AAAA====', /truncated/],
    ['AA==AA==', /must be base64/],
    ['data:image/png,AAAA', /data URL prefix without base64/],
    ['data:image/png;base64', /ends within the data URL prefix/],
    [`data:${'x'.repeat(2000)}`, /data URL prefix without base64/],
    // Must take linear time: a pattern that restarts at each space would take quadratic time.
    [`data:;${' '.repeat(1_000_000)},AAAA`, /data URL prefix without base64/],
  ]
  for (const [text, expected] of wrong) {
    it(`refuses ${JSON.stringify(text.slice(0, 30))} and names the field`, () => {
      assert.match(refusal(text), expected)
      assert.match(refusal(text), /^validation_failed image: image /)
    })
  }

  it('rejects data after the padding in a later piece', () => {
    const decoder = createBase64Decoder('image')
    decoder.write('AA==')
    assert.throws(() => decoder.write('AA'), /continues after the padding/)
  })
})
