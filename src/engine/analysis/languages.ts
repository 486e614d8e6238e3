import type { Endings } from './stemmers.ts'

/** The language a text is analysed in when none is known (ISO 639-1). */
export const DEFAULT_LANGUAGE = 'en'

/** Vowel signs and marks of nasals, and the consonant that stands behind one of them in plurals; elsewhere it tells a subject from poison. */
const DEVANAGARI: Endings = { letters: 'ािीुूृेैोौंः', inside: 'य', least: 2 }
const SOUTH_SLAVIC: Endings = { letters: 'aeioumhgjt' }
/** Written in two alphabets. */
const SERBIAN: Endings = { letters: `${SOUTH_SLAVIC.letters}аеиоумхгјт` }

/**
 * What is known of a language, by ISO 639-1: its Snowball algorithm (or one of our own), where there is none the letters of its endings (as they are
 * folded), and its list in npm `stopword`.
 */
export const LANGUAGES: Readonly<Record<string, { stemmer?: string; endings?: Endings; stopWords?: string }>> = {
  af: { stopWords: 'afr' },
  ar: { stemmer: 'arabic', stopWords: 'ara' },
  be: { endings: { letters: 'аяоеэіыуюйьмхвгўц' } },
  bg: { endings: { letters: 'аеиоуъюятв' }, stopWords: 'bul' },
  bn: { endings: { letters: 'ািীেোর', least: 2 }, stopWords: 'ben' },
  ca: { stemmer: 'catalan', stopWords: 'cat' },
  cs: { stemmer: 'czech', stopWords: 'ces' },
  da: { stemmer: 'danish', stopWords: 'dan' },
  de: { stemmer: 'german', stopWords: 'deu' },
  el: { endings: { letters: 'αειουηωνσ' }, stopWords: 'ell' },
  en: { stemmer: 'english', stopWords: 'eng' },
  es: { stemmer: 'spanish', stopWords: 'spa' },
  et: { endings: { letters: 'aeioudstlgk' }, stopWords: 'est' },
  eu: { stemmer: 'basque', stopWords: 'eus' },
  fa: { endings: { letters: 'ايهن' }, stopWords: 'fas' },
  fi: { stemmer: 'finnish', stopWords: 'fin' },
  fr: { stemmer: 'french', stopWords: 'fra' },
  ga: { stemmer: 'irish', stopWords: 'gle' },
  gl: { endings: { letters: 'aeiosnr' }, stopWords: 'glg' },
  gu: { endings: { letters: 'ાિીુૂેોં', least: 2 }, stopWords: 'guj' },
  he: { stemmer: 'hebrew', stopWords: 'heb' },
  hi: { endings: DEVANAGARI, stopWords: 'hin' },
  hr: { endings: SOUTH_SLAVIC, stopWords: 'hrv' },
  hu: { stemmer: 'hungarian', stopWords: 'hun' },
  hy: { stemmer: 'armenian', stopWords: 'hye' },
  id: { stemmer: 'malay', stopWords: 'ind' },
  is: { endings: { letters: 'aiurmns' } },
  it: { stemmer: 'italian', stopWords: 'ita' },
  ka: { endings: { letters: 'აეიოუსთდმბ' } },
  ko: { stopWords: 'kor' },
  lt: { endings: { letters: 'aeiouysm' }, stopWords: 'lit' },
  lv: { endings: { letters: 'aeiousm' }, stopWords: 'lav' },
  mr: { endings: DEVANAGARI, stopWords: 'mar' },
  ms: { stemmer: 'malay', stopWords: 'msa' },
  nl: { stemmer: 'dutch', stopWords: 'nld' },
  no: { stemmer: 'norwegian', stopWords: 'nob' },
  pl: { endings: { letters: 'aeiouymchwgj' }, stopWords: 'pol' },
  pt: { stemmer: 'portuguese', stopWords: 'por' },
  ro: { stemmer: 'romanian', stopWords: 'ron' },
  ru: { stemmer: 'russian', stopWords: 'rus' },
  sk: { endings: { letters: 'aeiouymchvj' }, stopWords: 'slk' },
  sl: { stemmer: 'slovene', stopWords: 'slv' },
  sr: { endings: SERBIAN },
  sv: { stemmer: 'swedish', stopWords: 'swe' },
  ta: { stemmer: 'tamil' },
  te: { endings: { letters: 'ాిీుూెేైొోౌం', least: 2 } },
  tl: { stopWords: 'tgl' },
  tr: { stemmer: 'turkish', stopWords: 'tur' },
  uk: { endings: { letters: 'аяоеєиіїуюйьмхвг' }, stopWords: 'ukr' },
  ur: { endings: { letters: 'ايےںو' }, stopWords: 'urd' },
  vi: { stopWords: 'vie' },
  yo: { stopWords: 'yor' },
}
