import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LanguageReply, LanguageRequest } from './language-detector.ts'
import { createLanguageDetector } from './language-detector.ts'

const ENGLISH =
  'The boiler was serviced in March, and the report that came with it says which of the valves should be changed.'
const GERMAN = 'Der Kessel wurde im März gewartet, und im Bericht steht, welche der Ventile ersetzt werden sollen.'

function openDetector(answer: (request: LanguageRequest) => Promise<LanguageReply>) {
  const seen = { asked: [] as LanguageRequest[], warnings: 0 }
  const start = () => {
    return {
      call(request: LanguageRequest) {
        seen.asked.push(request)
        return answer(request)
      },
      terminate: async () => undefined,
    }
  }
  const log = {
    warn() {
      seen.warnings += 1
    },
  }
  return { seen, detector: createLanguageDetector({ start, log, idleMs: 60_000, retryMs: 60_000 }) }
}

describe('a detector of languages', () => {
  it('knows plain English without its thread, also in a text of which a part is something else', async () => {
    const { detector } = openDetector(() => assert.fail())
    for (const text of [ENGLISH, `${ENGLISH} `.repeat(40), `${`${ENGLISH} `.repeat(40)}${GERMAN}`])
      assert.equal(await detector.detect(text), 'en')
  })

  it('does not ask its thread of what is too short to tell', async () => {
    const { detector } = openDetector(() => assert.fail())
    for (const text of ['', 'hello', 'P1', '1,2,3\n4,5,6\n'.repeat(100)])
      assert.equal(await detector.detect(text), null)
  })

  it('asks its thread of everything else, with no more than what it reads', async () => {
    const { seen, detector } = openDetector(async () => ({ language: 'xx' }))
    assert.equal(await detector.detect(`${GERMAN} `.repeat(1000)), 'xx')
    assert.equal(seen.asked[0]?.samples.join('').length, 1000)
    await detector.close()
  })

  it('tells by itself what a broken thread cannot, and the log says so', async () => {
    const { seen, detector } = openDetector(() => Promise.reject(new Error('out of memory')))
    assert.equal(await detector.detect(GERMAN), 'de')
    assert.equal(seen.warnings, 1)
  })
})
