import { normalizeWordForMatch } from '../analysis/fold.ts'

/** Number words from 2 to 12, by language (ISO 639-1), separated by spaces; `/` joins forms. */
const SMALL: Readonly<Record<string, string>> = {
  en: 'two three four five six seven eight nine ten eleven twelve',
  de: 'zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf',
  fr: 'deux trois quatre cinq six sept huit neuf dix onze douze',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce',
  it: 'due tre quattro cinque sei sette otto nove dieci undici dodici',
  pt: 'dois/duas três quatro cinco seis sete oito nove dez onze doze',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf',
  pl: `
    dwa/dwie/dwóch trzy/trzech cztery/czterech pięć/pięciu sześć/sześciu
    siedem/siedmiu osiem/ośmiu dziewięć/dziewięciu dziesięć/dziesięciu jedenaście dwanaście
  `,
  ru: `
    два/две/двух три/трёх/трех четыре/четырёх пять/пяти шесть/шести
    семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать двенадцать/двенадцати
  `,
  sv: 'två tre fyra fem sex sju åtta nio tio elva tolv',
  da: 'to tre fire fem seks syv otte ni ti elleve tolv',
  no: 'to tre fire fem seks sju/syv åtte ni ti elleve tolv',
  cs: `
    dva/dvě/dvou tři/tří čtyři/čtyř pět/pěti šest/šesti
    sedm/sedmi osm/osmi devět/devíti deset/deseti jedenáct dvanáct
  `,
  tr: 'iki üç dört beş altı yedi sekiz dokuz on',
}
/** Larger number words. */
const LARGE: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  en: {
    ...{ 13: 'thirteen', 14: 'fourteen', 15: 'fifteen', 16: 'sixteen', 17: 'seventeen', 18: 'eighteen' },
    ...{ 19: 'nineteen', 20: 'twenty', 21: 'twenty-one', 30: 'thirty', 40: 'forty', 45: 'forty-five', 50: 'fifty' },
    ...{ 60: 'sixty', 70: 'seventy', 80: 'eighty', 90: 'ninety', 100: 'hundred', 1000: 'thousand' },
  },
  de: {
    ...{ 13: 'dreizehn', 14: 'vierzehn', 15: 'fünfzehn', 16: 'sechzehn', 18: 'achtzehn', 20: 'zwanzig' },
    ...{ 30: 'dreißig', 40: 'vierzig', 50: 'fünfzig', 60: 'sechzig', 90: 'neunzig', 100: 'hundert', 1000: 'tausend' },
  },
  fr: { 14: 'quatorze', 15: 'quinze', 20: 'vingt', 30: 'trente', 40: 'quarante', 50: 'cinquante', 60: 'soixante' },
  es: { 14: 'catorce', 15: 'quince', 20: 'veinte', 30: 'treinta', 40: 'cuarenta', 60: 'sesenta', 90: 'noventa' },
  it: { 14: 'quattordici', 15: 'quindici', 20: 'venti', 30: 'trenta', 60: 'sessanta', 90: 'novanta' },
  pt: { 14: 'catorze', 15: 'quinze', 20: 'vinte', 30: 'trinta', 60: 'sessenta', 90: 'noventa' },
  nl: { 14: 'veertien', 15: 'vijftien', 20: 'twintig', 30: 'dertig', 60: 'zestig', 90: 'negentig' },
  pl: { 14: 'czternaście/czternastu', 15: 'piętnaście', 20: 'dwadzieścia', 30: 'trzydzieści/trzydziestu' },
  ru: { 14: 'четырнадцать/четырнадцати', 15: 'пятнадцать', 20: 'двадцать', 30: 'тридцать/тридцати' },
}

/** Values of number words by language (ISO 639-1); words are keyed by `normalizeWordForMatch`. */
export const NUMBER_WORDS: Readonly<Record<string, ReadonlyMap<string, number>>> = Object.fromEntries(
  Object.entries(SMALL).map(([language, list]) => {
    const small = list
      .trim()
      .split(/\s+/)
      .map((forms, index) => [index + 2, forms] as const)
    const large = Object.entries(LARGE[language] ?? {}).map(([value, forms]) => [Number(value), forms] as const)
    const words = [...small, ...large].flatMap(([value, forms]) =>
      forms.split('/').map((form) => [normalizeWordForMatch(form), value] as const),
    )
    return [language, new Map(words)]
  }),
)

const DIGITS = '〇零一二三四五六七八九'
const TENS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }
const MYRIADS: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8 }

/** Characters of Chinese and Japanese numbers. */
export const HAN_DIGITS = `${DIGITS}两十百千万萬億亿`

/** Reads a Chinese or Japanese number such as `十五` or `二〇二八`; `null` if it is none. */
export function readHanNumber(written: string): number | null {
  const digits = [...written].map((character) => (character === '两' ? 2 : digitOf(character)))
  if (digits.every((digit) => digit !== null)) return Number(digits.join(''))
  let total = 0
  let section = 0
  let digit: number | null = null
  for (const character of written) {
    const ten = TENS[character]
    const myriad = MYRIADS[character]
    if (ten !== undefined) section += (digit ?? 1) * ten
    else if (myriad !== undefined) {
      total += (section + (digit ?? 0) || 1) * myriad
      section = 0
    }
    digit = ten === undefined && myriad === undefined ? (character === '两' ? 2 : digitOf(character)) : null
  }
  return total + section + (digit ?? 0)
}

function digitOf(character: string): number | null {
  const place = DIGITS.indexOf(character)
  return place === -1 ? null : Math.max(0, place - 1)
}
