import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectLanguage } from './detect-language.ts'

const TEXTS: Readonly<Record<string, string>> = {
  en: 'Incidents of the first class are acknowledged within ten minutes by whoever is on call.',
  de: 'Störungen der ersten Klasse werden innerhalb von zehn Minuten vom Bereitschaftsdienst bestätigt.',
  fr: "Les incidents de première classe sont confirmés en dix minutes par l'équipe d'astreinte.",
  es: 'Las incidencias de primera clase se confirman en diez minutos por el equipo de guardia.',
  ru: 'Инциденты первого класса подтверждаются дежурным в течение десяти минут.',
  tr: 'Birinci sınıf olaylar nöbetçi ekip tarafından on dakika içinde onaylanır.',
  ja: '第一級の障害は当番の担当者が十分以内に確認することになっています。',
  ko: '일급 장애는 당직 담당자가 십 분 이내에 확인해야 하며 이후 보고서를 작성합니다.',
}

describe('detectLanguage', () => {
  for (const [language, text] of Object.entries(TEXTS)) {
    it(`knows ${language} from one sentence`, () => assert.equal(detectLanguage(text), language))
  }

  it('is null for a short text, or for no language', () => {
    for (const text of ['', 'hello', 'P1', '1,2,3\n4,5,6\n'.repeat(100)]) assert.equal(detectLanguage(text), null)
  })

  it('does not take names and numbers for a language', () => {
    const lists = [
      'ACME March, 1963 Greniewski, M, Turski, W. CA630620 JB March 14, 1978 10:04 AM 2905 5 829 829 5 829',
      'ACME August, 1961 Reynolds, S. W. CA610805 JB March 16, 1978 10:10 PM 299 5 299 299 5 299 299',
    ]
    for (const text of lists) assert.equal(detectLanguage(text), null)
  })

  it('knows a sentence without a stop word by letters of its language, but not a list of names', () => {
    assert.equal(detectLanguage('Akşamları bisikletler trende ücretsiz taşınır.'), 'tr')
    assert.equal(detectLanguage('Yıldırım, Çağla; Wałęsa, Paweł; Dvořák, Jiří; Szűcs, Gergő; Nguyễn, Thơ'), null)
  })

  it('returns the most frequent language of a long text', () => {
    const text = `${(TEXTS['fr'] ?? '').repeat(5)}${(TEXTS['de'] ?? '').repeat(60)}`
    assert.equal(detectLanguage(text), 'de')
  })
})
