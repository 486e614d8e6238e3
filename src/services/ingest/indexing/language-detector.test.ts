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

describe('the language detector', () => {
  it('detects plain English without the thread, also in mixed text', async () => {
    const { detector } = openDetector(() => assert.fail())
    for (const text of [ENGLISH, `${ENGLISH} `.repeat(40), `${`${ENGLISH} `.repeat(40)}${GERMAN}`])
      assert.equal(await detector.detect(text), 'en')
  })

  it('does not call the thread for text that is too short', async () => {
    const { detector } = openDetector(() => assert.fail())
    for (const text of ['', 'hello', 'P1', '1,2,3\n4,5,6\n'.repeat(100)])
      assert.equal(await detector.detect(text), null)
  })

  it('calls the thread for all other text with samples only', async () => {
    const { seen, detector } = openDetector(async () => ({ language: 'xx' }))
    assert.equal(await detector.detect(`${GERMAN} `.repeat(1000)), 'xx')
    assert.equal(seen.asked[0]?.samples.join('').length, 1000)
    await detector.close()
  })

  it('falls back to the main thread when the thread fails, and logs the failure', async () => {
    const { seen, detector } = openDetector(() => Promise.reject(new Error('out of memory')))
    assert.equal(await detector.detect(GERMAN), 'de')
    assert.equal(seen.warnings, 1)
  })
})
