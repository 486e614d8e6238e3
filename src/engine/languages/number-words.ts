/** Number words of a language. */
type NumberWords = {
  /**
   * One to twenty, thirty to ninety and hundred, separated by commas, each with its forms. Empty
   * where the word is an article as well.
   */
  cardinals: string
  /** Form of 21 to 99, with `ten` and `one` in place of the parts. */
  joined: string
  /** Beginnings of compounds, from one: `Dreizimmerwohnung`. Empty if the language has none. */
  beginnings: string
}

/** Number words by language (ISO 639-1). */
export const NUMBER_WORDS: Readonly<Record<string, NumberWords>> = {
  en: {
    cardinals: `
      one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen,
      fifteen, sixteen, seventeen, eighteen, nineteen, twenty, thirty, forty, fifty, sixty, seventy,
      eighty, ninety, hundred
    `,
    joined: 'ten-one',
    beginnings: '',
  },
  de: {
    cardinals: `
      eins, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, dreizehn, vierzehn,
      fünfzehn, sechzehn, siebzehn, achtzehn, neunzehn, zwanzig, dreißig dreissig, vierzig, fünfzig,
      sechzig, siebzig, achtzig, neunzig, hundert
    `,
    joined: 'oneundten',
    beginnings: 'ein, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf',
  },
  fr: {
    cardinals: `
      , deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, treize, quatorze, quinze,
      seize, dix-sept, dix-huit, dix-neuf, vingt, trente, quarante, cinquante, soixante, soixante-dix
      septante, quatre-vingts quatre-vingt huitante, quatre-vingt-dix nonante, cent
    `,
    joined: 'ten-one',
    beginnings: '',
  },
  es: {
    cardinals: `
      , dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, trece, catorce, quince,
      dieciséis, diecisiete, dieciocho, diecinueve, veinte, treinta, cuarenta, cincuenta, sesenta,
      setenta, ochenta, noventa, cien ciento
    `,
    joined: 'ten y one',
    beginnings: '',
  },
  it: {
    cardinals: `
      , due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici, tredici, quattordici,
      quindici, sedici, diciassette, diciotto, diciannove, venti, trenta, quaranta, cinquanta, sessanta,
      settanta, ottanta, novanta, cento
    `,
    joined: 'tenone',
    beginnings: '',
  },
  nl: {
    cardinals: `
      één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf, dertien, veertien,
      vijftien, zestien, zeventien, achttien, negentien, twintig, dertig, veertig, vijftig, zestig,
      zeventig, tachtig, negentig, honderd
    `,
    joined: 'oneenten',
    beginnings: 'één een, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf',
  },
  pt: {
    cardinals: `
      , dois duas, três, quatro, cinco, seis, sete, oito, nove, dez, onze, doze, treze, catorze quatorze,
      quinze, dezasseis dezesseis, dezassete dezessete, dezoito, dezanove dezenove, vinte, trinta,
      quarenta, cinquenta, sessenta, setenta, oitenta, noventa, cem cento
    `,
    joined: 'ten e one',
    beginnings: '',
  },
  pl: {
    cardinals: `
      jeden jedna jedno, dwa dwie dwóch dwu, trzy trzech, cztery czterech, pięć pięciu, sześć sześciu,
      siedem siedmiu, osiem ośmiu, dziewięć dziewięciu, dziesięć dziesięciu, jedenaście jedenastu,
      dwanaście dwunastu, trzynaście, czternaście czternastu, piętnaście, szesnaście, siedemnaście,
      osiemnaście, dziewiętnaście, dwadzieścia dwudziestu, trzydzieści trzydziestu, czterdzieści,
      pięćdziesiąt, sześćdziesiąt, siedemdziesiąt, osiemdziesiąt, dziewięćdziesiąt, sto
    `,
    joined: 'ten one',
    beginnings: 'jedno, dwu, trzy, cztero, pięcio, sześcio, siedmio, ośmio, dziewięcio, dziesięcio',
  },
  ru: {
    cardinals: `
      один одна одно одного, два две двух, три трёх трех, четыре четырёх четырех, пять пяти, шесть шести,
      семь семи, восемь восьми, девять девяти, десять десяти, одиннадцать одиннадцати, двенадцать
      двенадцати, тринадцать, четырнадцать четырнадцати, пятнадцать, шестнадцать, семнадцать,
      восемнадцать, девятнадцать, двадцать двадцати, тридцать тридцати, сорок, пятьдесят, шестьдесят,
      семьдесят, восемьдесят, девяносто, сто
    `,
    joined: 'ten one',
    beginnings: 'одно, двух дву, трёх трех, четырёх четырех, пяти, шести, семи, восьми, девяти, десяти',
  },
}
