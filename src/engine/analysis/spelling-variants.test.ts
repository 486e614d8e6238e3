import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'
import { listClassicalVariants, listGreekVariants, listSpellingVariants, toSounds } from './spelling-variants.ts'
import { splitWords } from './split-words.ts'

const formsOf = (query: string, language = 'en') =>
  listSpellingVariants(query, splitWords(query), language).map(({ text }) => text)

describe('listSpellingVariants', () => {
  const cases: [guarantee: string, query: string, forms: string[]][] = [
    ['join letters and digits by hyphens, the letters never alone', 'COVID19', ['COVID-19']],
    ['join all parts of a name', 'KX200B', ['KX-200-B']],
    ['leave out parts of one character, which say nothing', '5km', ['km', '5-km']],
    ['join what a hyphen joins, and the parts beside it', 'COVID-19', ['COVID19', 'COVID19']],
    ['take a number from its unit', '400mg', ['400', 'mg', '400-mg']],
    ['join a number and its unit', '400 mg', ['400mg']],
    ['join the two halves of a word', 'book binder', ['bookbinder']],
    ['join the halves of a hyphenated word in a sentence too', 'who pays for the e-mail of the guests', ['email']],
    [
      'give a large number with the marks that it may have',
      '8450',
      ['8450.00', '8450,00', '8.450', '8.450.00', '8.450,00'],
    ],
    ['take the marks out of a large number', '18.442', ['18442', '18442.00', '18442,00', '18.442.00', '18.442,00']],
    ['write decimals with a comma and with a point', '1.5', ['1,5']],
    ['give a version with and without its letter', 'v2.3.1', ['v231', '2.3.1', 'v-2']],
    ['name a Greek letter, and write a named one', 'α beta', ['alpha', 'β', 'betum', 'αbeta']],
    ['take apart a name with a Greek letter', 'TNFα', ['tnf', 'α', 'alpha']],
    ['spell as the British and as the Americans do', 'anaemic tumors', ['anemic', 'tumours', 'anaemictumors']],
    ['write an abbreviation with points', 'NATO, UK', ['N.A.T.O', 'U.K']],
    ['leave an ordinary question alone', 'who was the engineer of the bridge', []],
    ['leave an address alone', 'a.b@c.org', []],
    ['leave scripts without spaces alone', '东京都 서울에서', []],
  ]
  for (const [guarantee, query, forms] of cases) {
    it(guarantee, () => assert.deepEqual(formsOf(query), forms))
  }

  it('write an umlaut as two letters and as one, in German only', () => {
    assert.deepEqual(formsOf('Mueller', 'de'), ['müller'])
    assert.deepEqual(formsOf('Schröder', 'de'), ['schroeder'])
    assert.deepEqual(formsOf('neue, Quelle', 'de'), [])
    assert.deepEqual(formsOf('Mueller'), [])
  })

  it('include English spellings in English only', () => {
    assert.deepEqual(formsOf('fibre', 'fr'), [])
    assert.deepEqual(formsOf('fibre'), ['fiber'])
  })
})

describe('listGreekVariants', () => {
  const cases: [guarantee: string, word: string, forms: string[]][] = [
    ['name a letter', 'Β', ['beta']],
    ['write a name as its letter', 'Gamma', ['γ']],
    ['give the parts of a name', 'TNFα', ['tnf', 'α', 'alpha']],
    ['join the number of a name with a hyphen, and leave its letter with it', 'IL1β', ['il1β', 'il-1β', 'il1', 'il-1']],
    ['are none for other words', 'alphabet', []],
    ['are none for Greek words', 'βιβλίο', []],
  ]
  for (const [guarantee, word, forms] of cases) {
    it(guarantee, () => assert.deepEqual([...new Set(listGreekVariants(word))], forms))
  }
})

describe('Greek and Latin words of English', () => {
  const analyzer = createAnalyzer()

  const cases: [one: string, several: string][] = [
    ['diagnosis', 'diagnoses'],
    ['bacterium', 'bacteria'],
    ['nucleus', 'nuclei'],
    ['matrix', 'matrices'],
    ['index', 'indices'],
    ['carcinoma', 'carcinomata'],
    ['foramen', 'foramina'],
    ['criterion', 'criteria'],
    ['mitochondrion', 'mitochondria'],
    ['locus', 'loci'],
  ]
  for (const [one, several] of cases) {
    it(`are searched in singular and plural: ${one} and ${several}`, () => {
      const [single, plural] = analyzer.terms(`${one} ${several}`, 'en')
      assert.ok(analyzer.queryTerms(one, ['en']).forms.includes(plural ?? ''))
      assert.ok(analyzer.queryTerms(several, ['en']).forms.includes(single ?? ''))
    })
  }

  it('need a minimum length, such an ending, and English', () => {
    for (const word of ['gas', 'era', 'gum', 'library']) assert.deepEqual(listClassicalVariants(word), [])
    assert.deepEqual(
      analyzer.queryTerms('Thesis', ['de']).forms.filter((form) => form.startsWith('these')),
      [],
    )
  })
})

describe('toSounds', () => {
  it('writes names alike that sound alike, in Latin, Cyrillic and Greek letters', () => {
    for (const [one, other] of [
      ['Фотон', 'photon'],
      ['Тесла', 'Tesla'],
      ['Виктория', 'Victoria'],
      ['Бисмарк', 'Bismarck'],
      ['Одісей', 'Odisei'],
      ['Αλέξανδρος', 'Alexandros'],
      ['Ćuprija', 'Cuprija'],
      ['Philadelphia', 'Filadelfia'],
    ] as const)
      assert.equal(toSounds(one), toSounds(other), one)
    assert.equal(toSounds('Ньютон'), 'nuton')
  })

  it('keeps other scripts, digits and borders of words', () => {
    assert.equal(toSounds('氧-18 比 16: 50 %'), '氧-18 比 16: 50 %')
    assert.equal(toSounds('मार्च'), 'मार्च')
  })
})
