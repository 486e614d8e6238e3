import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectLanguage } from './detect-language.ts'
import { isEnglish } from './is-english.ts'

const PROSE =
  'The boiler was serviced in March, and the report that came with it says which of the valves should be changed.'

describe('isEnglish', () => {
  it('knows English prose, as the detector does', () => {
    for (const text of [PROSE, `${PROSE} `.repeat(40)]) {
      assert.equal(isEnglish(text), true)
      assert.equal(detectLanguage(text), 'en')
    }
  })

  it('does not take another language for it, not even where it names English titles', () => {
    const texts = [
      'Am Abend lief "The Lord of the Rings" im Kino, danach gingen alle noch etwas essen und sprachen über das Buch.',
      'Heute habe ich „The Lion, the Witch and the Wardrobe“ gelesen, ein schönes Buch über vier Kinder.',
      'Ieri sera ho visto "The Good, the Bad and the Ugly" con mio fratello, al cinema vicino a casa.',
      'La chaudière a été révisée en mars, et le rapport qui l’accompagne dit quelles vannes doivent être changées.',
      'De ketel is in maart nagekeken, en het rapport dat erbij zat zegt welke kleppen vervangen moeten worden.',
      'Kjelen ble etterset i mars, og rapporten som fulgte med, sier hvilke ventiler som bør skiftes.',
      'Котёл обслуживали в марте, и в отчёте сказано, какие клапаны следует заменить.',
    ]
    for (const text of texts) assert.equal(isEnglish(text), false, text)
  })

  it('says nothing of what is mostly something else, or no prose', () => {
    const mixed = `${PROSE}${'Störungen der ersten Klasse werden innerhalb von zehn Minuten bestätigt. '.repeat(20)}`
    for (const text of ['', 'hello', '1,2,3\n4,5,6\n'.repeat(50), mixed]) assert.equal(isEnglish(text), false)
  })
})
