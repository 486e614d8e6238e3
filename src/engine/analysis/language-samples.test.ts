import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isEnglishSample } from './language-samples.ts'

const PROSE =
  'The boiler was serviced in March, and the report that came with it says which of the valves should be changed.'

describe('isEnglishSample', () => {
  it('recognizes English prose', () => {
    for (const samples of [1, 5]) assert.equal(isEnglishSample(PROSE, samples), true)
  })

  it('does not accept other languages, even with English titles', () => {
    const texts = [
      'Am Abend lief "The Lord of the Rings" im Kino, danach gingen alle noch etwas essen und sprachen über das Buch.',
      'Heute habe ich „The Lion, the Witch and the Wardrobe“ gelesen, ein schönes Buch über vier Kinder.',
      'Ieri sera ho visto "The Good, the Bad and the Ugly" con mio fratello, al cinema vicino a casa.',
      'La chaudière a été révisée en mars, et le rapport qui l’accompagne dit quelles vannes doivent être changées.',
      'De ketel is in maart nagekeken, en het rapport dat erbij zat zegt welke kleppen vervangen moeten worden.',
      'Kjelen ble etterset i mars, og rapporten som fulgte med, sier hvilke ventiler som bør skiftes.',
      'Котёл обслуживали в марте, и в отчёте сказано, какие клапаны следует заменить.',
    ]
    for (const text of texts) assert.equal(isEnglishSample(text, 1), false, text)
  })

  it('is false for mixed texts, and for text other than prose', () => {
    const mixed = `${PROSE}${'Störungen werden innerhalb von zehn Minuten bestätigt, und Ursachen danach gesucht. '.repeat(9)}`
    for (const text of ['', 'hello', '1,2,3\n4,5,6\n'.repeat(9), mixed]) assert.equal(isEnglishSample(text, 5), false)
  })
})
