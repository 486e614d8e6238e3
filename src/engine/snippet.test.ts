import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Analyzer, createAnalyzer } from './analysis/analyzer.ts'
import { makeSnippet } from './snippet.ts'

const analyzer = createAnalyzer()
const FILLER = 'Nothing of interest stands in this sentence at all. '

function snippet(text: string, query: string, languages: string[] = ['en'], highlight = true): string {
  return makeSnippet(analyzer, { text, terms: analyzer.queryTerms(query, languages).terms, languages, highlight })
}

/** Counts match lookups in a text of one-word sentences that all match. */
function countLooks(sentences: number): number {
  let looks = 0
  const matches = Array.from({ length: sentences }, (_, index) => ({
    term: 'go',
    get start() {
      looks += 1
      return index * 4
    },
    end: index * 4 + 2,
  }))
  const told: Analyzer = { ...analyzer, findTerms: () => matches }
  makeSnippet(told, { text: 'Go! '.repeat(sentences), terms: ['go'], languages: ['en'], highlight: false })
  return looks
}

function unescapeHtml(html: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '')
}

describe('a snippet', () => {
  const cases: [guarantee: string, text: string, query: string, languages: string[], expected: string][] = [
    [
      'marks every form of a word',
      'Acknowledging it, we acknowledged.',
      'acknowledge',
      ['en'],
      '<mark>Acknowledging</mark> it, we <mark>acknowledged</mark>.',
    ],
    [
      'marks in every language of the memory',
      'Die Kündigungen',
      'Kündigung',
      ['en', 'de'],
      'Die <mark>Kündigungen</mark>',
    ],
    ['marks inside a run of Han as one', '昨日東京都は雨', '東京都', ['ja'], '昨日<mark>東京都</mark>は雨'],
    ['marks the part of an identifier that was asked for', 'ERR_4012', '4012', ['en'], 'ERR_<mark>4012</mark>'],
    ['marks an identifier whole', 'See ERR_4012.', 'err_4012', ['en'], 'See <mark>ERR_4012</mark>.'],
    [
      'escapes all else',
      'a < b & "P1" <mark>',
      'P1',
      ['en'],
      'a &lt; b &amp; &quot;<mark>P1</mark>&quot; &lt;mark&gt;',
    ],
    ['marks Thai with a vowel of two signs', 'ภาษาและทำงาน', 'ภาษา', ['th'], '<mark>ภาษา</mark>และทำงาน'],
    ['marks no part of an emoji', 'I ❤️ it', 'love ☀️', ['en'], 'I ❤️ it'],
    ['marks no stop words', 'How we do it', 'how do we act', ['en'], 'How we do it'],
  ]
  for (const [guarantee, text, query, languages, expected] of cases) {
    it(guarantee, () => assert.equal(snippet(text, query, languages), expected))
  }

  it('without highlighting has no marks, and is still escaped', () => {
    assert.equal(snippet('P1 < P2', 'P1', ['en'], false), 'P1 &lt; P2')
  })

  it('is the passage with most words of the query', () => {
    const text = `${FILLER.repeat(8)}An incident occurred. ${FILLER.repeat(8)}The incident is acknowledged. ${FILLER.repeat(8)}`
    const found = snippet(text, 'acknowledged incident')
    assert.match(found, /The <mark>incident<\/mark> is <mark>acknowledged<\/mark>\./)
    assert.ok(found.replace(/<\/?mark>/g, '').length <= 300)
  })

  it('marks the part of a long run of matches that the passage contains', () => {
    assert.match(snippet('東京都の予算'.repeat(60), '東京都の予算', ['ja']), /<mark>東京都/)
  })

  it('is the first passage if nothing matches', () => {
    assert.match(snippet(FILLER.repeat(20), 'zebra'), /^Nothing of interest/)
  })

  it('is found in a text of matches only in linear time', () => {
    const [some, more] = [countLooks(500), countLooks(1000)]
    assert.ok(more < 3 * some, `${some} looks at 500 sentences, ${more} at 1000`)
  })

  it('without marks and escapes, is a slice of at most 300 characters that splits no character', () => {
    const text = fc.array(
      fc.constantFrom('P1 ', 'incidents ', '<b>&amp;', '東京都', '😀', 'é', '. ', '\n', '"', 'ไทย', 'wordwithoutend'),
      { maxLength: 150 },
    )
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('P1', 'incident', '東京都', 'ไทย amp', '<mark>'),
        fc.boolean(),
        (parts, query, highlight) => {
          const whole = parts.join('')
          const html = snippet(whole, query, ['en', 'ja'], highlight)
          const bare = html.replace(/<\/?mark>/g, '')
          assert.doesNotMatch(bare, /[<>"']/)
          const slice = unescapeHtml(bare)
          assert.ok(whole.includes(slice) && slice.length <= 300 && slice.isWellFormed())
          if (!highlight) assert.equal(bare, html)
          assert.equal(html.split('<mark>').length, html.split('</mark>').length)
        },
      ),
      { numRuns: 200 },
    )
  })
})
