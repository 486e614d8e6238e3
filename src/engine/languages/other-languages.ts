import type { Endings, Language } from './language.ts'

/**
 * Vowel signs, nasal marks, and the consonant before such a sign in plurals. Elsewhere the
 * consonant distinguishes words, such as subject and poison.
 */
const DEVANAGARI: Endings = { letters: 'ािीुूृेैोौंः', inside: 'य', least: 2 }
const SOUTH_SLAVIC: Endings = { letters: 'aeioumhgjt' }
/** Latin and Cyrillic alphabet. */
const SERBIAN: Endings = { letters: `${SOUTH_SLAVIC.letters}аеиоумхгјт` }

/** Languages with stemming or stop words only. */
export const OTHER_LANGUAGES: readonly Language[] = [
  {
    code: 'af',
    stopWords: 'afr',
  },
  {
    code: 'ar',
    stemmer: 'arabic',
    stopWords: 'ara',
    askingWords: 'ما ماذا من متى أين كيف كم لماذا هل أي أية',
  },
  {
    code: 'be',
    endings: { letters: 'аяоеэіыуюйьмхвгўц' },
  },
  {
    code: 'bg',
    endings: { letters: 'аеиоуъюятв' },
    stopWords: 'bul',
  },
  {
    code: 'bn',
    endings: { letters: 'ািীেোর', least: 2 },
    stopWords: 'ben',
  },
  {
    code: 'ca',
    stemmer: 'catalan',
    stopWords: 'cat',
  },
  {
    code: 'cs',
    stemmer: 'czech',
    stopWords: 'ces',
    askingWords: 'kdo co kdy kde kam odkud jak jaký jaká jaké proč kolik který která které',
  },
  {
    code: 'da',
    stemmer: 'danish',
    stopWords: 'dan',
    askingWords: 'hvem hvad hvornår hvor hvordan hvorfor hvilken hvilket hvilke',
    answers: { currencies: 'kroner' },
  },
  {
    code: 'el',
    endings: { letters: 'αειουηωνσ' },
    stopWords: 'ell',
    isFoldedFirst: true,
    askingWords: 'ποιος ποια ποιο ποιοι ποιες ποιον τι πότε πού πώς πόσο πόση πόσος πόσοι πόσες πόσα γιατί',
  },
  {
    code: 'et',
    endings: { letters: 'aeioudstlgk' },
    stopWords: 'est',
  },
  {
    code: 'eu',
    stemmer: 'basque',
    stopWords: 'eus',
  },
  {
    code: 'fa',
    endings: { letters: 'ايهن' },
    stopWords: 'fas',
    askingWords: 'چه چرا چگونه چند کجا کدام کی آیا',
  },
  {
    code: 'fi',
    stemmer: 'finnish',
    stopWords: 'fin',
    askingWords: 'kuka mikä mitä missä mistä mihin milloin miten miksi kuinka kenen montako',
  },
  {
    code: 'ga',
    stemmer: 'irish',
    stopWords: 'gle',
  },
  {
    code: 'gl',
    endings: { letters: 'aeiosnr' },
    stopWords: 'glg',
  },
  {
    code: 'gu',
    endings: { letters: 'ાિીુૂેોં', least: 2 },
    stopWords: 'guj',
  },
  {
    code: 'he',
    stemmer: 'hebrew',
    stopWords: 'heb',
  },
  {
    code: 'hi',
    endings: DEVANAGARI,
    stopWords: 'hin',
    askingWords: 'क्या कब कहाँ कहां कौन किस किसने किसे किसका किसकी किसके कितना कितनी कितने कैसे कैसा कैसी क्यों',
  },
  {
    code: 'hr',
    endings: SOUTH_SLAVIC,
    stopWords: 'hrv',
  },
  {
    code: 'hu',
    stemmer: 'hungarian',
    stopWords: 'hun',
    askingWords: 'ki mi kik mikor hol hová honnan hogyan miért mennyi hány melyik milyen',
  },
  {
    code: 'hy',
    stemmer: 'armenian',
    stopWords: 'hye',
  },
  {
    code: 'id',
    stemmer: 'malay',
    stopWords: 'ind',
    askingWords: 'apa siapa kapan mana dimana bagaimana mengapa berapa kenapa',
  },
  {
    code: 'is',
    endings: { letters: 'aiurmns' },
  },
  {
    code: 'ja',
    isUnspaced: true,
    questions: { phrases: { hour: '何時' } },
    answers: { currencies: '円', hourUnits: '時', measures: 'キロ グラム メートル リットル' },
  },
  {
    code: 'ka',
    endings: { letters: 'აეიოუსთდმბ' },
  },
  {
    code: 'ko',
    stopWords: 'kor',
  },
  {
    code: 'lt',
    endings: { letters: 'aeiouysm' },
    stopWords: 'lit',
  },
  {
    code: 'lv',
    endings: { letters: 'aeiousm' },
    stopWords: 'lav',
  },
  {
    code: 'mr',
    endings: DEVANAGARI,
    stopWords: 'mar',
  },
  {
    code: 'ms',
    stemmer: 'malay',
    stopWords: 'msa',
  },
  {
    code: 'no',
    stemmer: 'norwegian',
    stopWords: 'nob',
    askingWords: 'hvem hva når hvor hvordan hvorfor hvilken hvilket hvilke',
    answers: { currencies: 'kroner' },
  },
  {
    code: 'ro',
    stemmer: 'romanian',
    stopWords: 'ron',
    askingWords: 'cine ce când unde cum cât câtă câți câte care',
  },
  {
    code: 'sk',
    endings: { letters: 'aeiouymchvj' },
    stopWords: 'slk',
  },
  {
    code: 'sl',
    stemmer: 'slovene',
    stopWords: 'slv',
  },
  {
    code: 'sr',
    endings: SERBIAN,
  },
  {
    code: 'sv',
    stemmer: 'swedish',
    stopWords: 'swe',
    askingWords: 'vem vad när var hur varför vilken vilket vilka',
    answers: { currencies: 'kronor' },
  },
  {
    code: 'ta',
    stemmer: 'tamil',
  },
  {
    code: 'te',
    endings: { letters: 'ాిీుూెేైొోౌం', least: 2 },
  },
  {
    code: 'tl',
    stopWords: 'tgl',
  },
  {
    code: 'tr',
    stemmer: 'turkish',
    stopWords: 'tur',
    askingWords: 'kim ne nerede nereye nereden nasıl neden niçin niye kaç hangi hangisi kimin kime',
  },
  {
    code: 'uk',
    endings: { letters: 'аяоеєиіїуюйьмхвг' },
    stopWords: 'ukr',
    askingWords: 'хто що де коли чому навіщо як який яка яке які скільки котрий куди звідки чий',
  },
  {
    code: 'ur',
    endings: { letters: 'ايےںو' },
    stopWords: 'urd',
  },
  {
    code: 'vi',
    stopWords: 'vie',
  },
  {
    code: 'yo',
    stopWords: 'yor',
  },
]
