import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'

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

  it('are words of their own in other languages, and where they are as often others', () => {
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
    it(`have one term, by which they are found: ${form} and ${base}`, () => {
      const terms = analyzer.terms(base, language)
      assert.deepEqual(analyzer.terms(form, language), terms)
      assert.equal(analyzer.findTerms(`x ${form}`, terms, [language])[0]?.start, 2)
    })

  it('are words of their own where they are as often others, and in every other language', () => {
    const stems = analyzer.terms('Stahl Gefahren Verwandte Sprachen Befunden Angeboten', 'de')
    assert.deepEqual(stems, ['stahl', 'gefahr', 'verwandt', 'sprach', 'befund', 'angebot'])
    const others = analyzer.terms('überlegen widerlich Herzog Betrug Begriffen vermisst entlang', 'de')
    assert.deepEqual(others, ['uberleg', 'wid', 'herzog', 'betrug', 'begriff', 'vermiss', 'entlang'])
    assert.deepEqual(analyzer.terms('vino trajes', 'es'), ['vin', 'traj'])
    assert.deepEqual(analyzer.terms('fing hizo fez', 'en'), ['fing', 'hizo', 'fez'])
  })
})
