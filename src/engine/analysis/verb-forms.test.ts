import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'

describe('regular verbs', () => {
  const analyzer = createAnalyzer()

  function isFound(language: string, asked: string, standing: string): boolean {
    const { terms, forms } = analyzer.queryTerms(asked, [language])
    return analyzer.terms(standing, language).some((term) => terms.includes(term) || forms.includes(term))
  }

  const verbs: [language: string, ...forms: string[]][] = [
    ['de', 'kaufen', 'kauft', 'kaufte', 'kauften', 'gekauft', 'gekauften'],
    ['de', 'arbeiten', 'arbeitet', 'arbeitete', 'gearbeitet'],
    ['de', 'öffnen', 'öffnet', 'öffnete', 'geöffnet'],
    ['de', 'sammeln', 'sammelt', 'sammelte', 'gesammelt'],
    ['de', 'ändern', 'ändert', 'geändert'],
    ['de', 'studieren', 'studiert', 'studierte'],
    ['de', 'einkaufen', 'einkauft', 'eingekauft'],
    ['de', 'bezahlen', 'bezahlt', 'bezahlte'],
    ['de', 'gehören', 'gehört'],
    ['de', 'gehen', 'geht', 'gegangen'],
    ['nl', 'maken', 'maakt', 'maakte', 'gemaakt'],
    ['nl', 'leven', 'leeft', 'leefde', 'geleefd'],
    ['nl', 'zetten', 'zette', 'gezet'],
    ['nl', 'wachten', 'wacht', 'wachtte', 'gewacht'],
    ['nl', 'redden', 'redt', 'redde', 'gered'],
    ['nl', 'verzamelen', 'verzamelt', 'verzameld'],
    ['nl', 'gebruiken', 'gebruikt', 'gebruikte'],
    ['nl', 'ophalen', 'opgehaald'],
  ]
  for (const [language, ...forms] of verbs)
    it(`are found in each form by every other: ${forms.join(', ')}`, () => {
      for (const asked of forms)
        for (const standing of forms) assert.ok(isFound(language, asked, standing), `${standing} by ${asked}`)
    })

  const others: [language: string, asked: string, standing: string][] = [
    ['de', 'schlecht', 'Geschlecht'],
    ['de', 'leichten', 'Leichen'],
    ['de', 'gesamte', 'Samen'],
    ['de', 'hundert', 'Hund'],
    ['de', 'starten', 'Star'],
    ['de', 'halten', 'Gehalt'],
    ['de', 'gedacht', 'Dach'],
    ['de', 'Kauft', 'gekauft'],
    ['nl', 'gemaakt', 'gemak'],
    ['en', 'market', 'marken'],
  ]
  for (const [language, asked, standing] of others)
    it(`are not made of other words: nor is ${standing} found by ${asked}`, () => {
      assert.ok(!isFound(language, asked, standing))
    })

  it('are looked up in other forms by queries of up to forty words', () => {
    const words = Array.from({ length: 40 }, (_, index) => `Wort${index}`).join(' ')
    assert.ok(!analyzer.queryTerms(`${words} kaufen`, ['de']).forms.includes('gekauft'))
  })

  it('have no forms of another language than that of the query', () => {
    const english = ['how do I heat the part', 'when did they meet', 'the test that they went to', 'get the part']
    for (const query of [...english, 'heat pump test report part list meeting'])
      for (const languages of [
        ['en', 'de', 'nl'],
        ['en', 'nl', 'de'],
      ])
        assert.deepEqual(analyzer.queryTerms(query, languages).forms, [], query)
    for (const query of english) assert.equal(analyzer.queryTerms(query, ['de']).verbs, 'en', query)
    for (const query of ['wann wurde das Boot gekauft', 'Boot gekauft im Mai', 'gekauft für Öl'])
      for (const languages of [
        ['en', 'de'],
        ['de', 'en'],
        ['nl', 'en', 'de'],
      ])
        assert.ok(analyzer.queryTerms(query, languages).forms.includes('kauf'), query)
    assert.ok(analyzer.queryTerms('waar is het huis gekocht en gemaakt', ['en', 'nl']).forms.includes('mak'))
  })
})
