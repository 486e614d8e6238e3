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
    it(`are found in each form by each other form: ${forms.join(', ')}`, () => {
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
    it(`are not made of other words: ${asked} does not find ${standing}`, () => {
      assert.ok(!isFound(language, asked, standing))
    })

  it('get variants in queries of up to forty words', () => {
    const words = Array.from({ length: 40 }, (_, index) => `Wort${index}`).join(' ')
    assert.ok(!analyzer.queryTerms(`${words} kaufen`, ['de']).forms.includes('gekauft'))
  })

  it('have variants in the language of the query only', () => {
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

describe('irregular forms of English words', () => {
  const analyzer = createAnalyzer()

  const cases: [form: string, base: string][] = [
    ['bought', 'buying'],
    ['written', 'writes'],
    ['Went', 'going'],
    ['ate', 'eat'],
    ['children', "child's"],
    ['knives', 'knife'],
  ]
  for (const [form, base] of cases) {
    it(`have one term: ${form} and ${base}`, () => {
      const [term] = analyzer.terms(form, 'en')
      assert.equal(analyzer.terms(base, 'en')[0], term)
    })

    it(`are found in a text: ${form} by ${base}`, () => {
      const { terms } = analyzer.queryTerms(`They ${base}`, ['en'])
      assert.ok(
        analyzer.findTerms(`Nobody ${form} here`, terms, ['en']).some(({ start }) => start === 'Nobody '.length),
      )
    })
  }

  it('are separate words in other languages, and if as often another word', () => {
    assert.deepEqual(analyzer.terms('found', 'de'), ['found'])
    assert.deepEqual(analyzer.terms('wound led people', 'en'), ['wound', 'led', 'peopl'])
    assert.deepEqual(
      analyzer.terms('live lives bit bits thought thoughts', 'en'),
      'live live bit bit think think'.split(' '),
    )
  })
})

describe('irregular forms of words of other languages', () => {
  const analyzer = createAnalyzer()

  const cases: [language: string, form: string, base: string][] = [
    ['de', 'geschrieben', 'schreiben'],
    ['de', 'aufgeschriebenen', 'aufschreiben'],
    ['de', 'unterschrieben', 'unterschreibe'],
    ['de', 'verlor', 'verlieren'],
    ['de', 'anfing', 'anfangen'],
    ['de', 'überwiesene', 'überweisen'],
    ['de', 'hinterließ', 'hinterlassen'],
    ['de', 'hergekommen', 'herkommen'],
    ['de', 'vorausging', 'vorausgehen'],
    ['de', 'heruntergefallene', 'herunterfallen'],
    ['de', 'anerkannte', 'anerkennen'],
    ['de', 'verglichen', 'vergleichen'],
    ['de', 'verschob', 'verschieben'],
    ['nl', 'gekocht', 'kopen'],
    ['nl', 'steden', 'stad'],
    ['es', 'hizo', 'hacer'],
    ['es', 'durmió', 'dormir'],
    ['fr', 'écrivit', 'écrire'],
    ['fr', 'yeux', 'œil'],
    ['it', 'scritto', 'scrivere'],
    ['it', 'uomini', 'uomo'],
    ['pt', 'fez', 'fazer'],
  ]
  for (const [language, form, base] of cases)
    it(`have one term and are found by it: ${form} and ${base}`, () => {
      const terms = analyzer.terms(base, language)
      assert.deepEqual(analyzer.terms(form, language), terms)
      assert.equal(analyzer.findTerms(`x ${form}`, terms, [language])[0]?.start, 2)
    })

  it('are separate words if as often another word, and in other languages', () => {
    const stems = analyzer.terms('Stahl Gefahren Verwandte Sprachen Befunden Angeboten', 'de')
    assert.deepEqual(stems, ['stahl', 'gefahr', 'verwandt', 'sprach', 'befund', 'angebot'])
    const others = analyzer.terms('überlegen widerlich Herzog Betrug Begriffen vermisst entlang', 'de')
    assert.deepEqual(others, ['uberleg', 'wid', 'herzog', 'betrug', 'begriff', 'vermiss', 'entlang'])
    assert.deepEqual(analyzer.terms('vino trajes', 'es'), ['vin', 'traj'])
    assert.deepEqual(analyzer.terms('fing hizo fez', 'en'), ['fing', 'hizo', 'fez'])
  })
})
