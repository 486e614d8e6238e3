/** Number words of a language. */
type NumberWords = {
  /**
   * One to twenty, thirty to ninety and hundred, separated by commas, each with its forms. Empty
   * where the word is an article as well.
   */
  cardinals: string
  /** Two hundred to nine hundred where they are one irregular word, in the same format. */
  hundreds?: string
  /** Words: forms of thousand. */
  thousand: string
  /** Words: one, where it is an article as well, and a number only within a larger one. */
  one?: string
  /** Words between the parts of a number: "hundred and five". */
  and?: string
  /** Words before "hundred" in "percent": "pour cent". */
  percent?: string
  /** True if the parts are written as one word: `zweihundertfünfzig`. */
  isJoined?: boolean
  /** Beginnings of compounds, from one: `Dreizimmerwohnung`. */
  beginnings?: string
}

/** Number words by language (ISO 639-1). */
export const NUMBER_WORDS: Readonly<Record<string, NumberWords>> = {
  en: {
    cardinals: `
      one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen,
      fifteen, sixteen, seventeen, eighteen, nineteen, twenty, thirty, forty, fifty, sixty, seventy,
      eighty, ninety, hundred
    `,
    thousand: 'thousand',
    and: 'and',
  },
  de: {
    cardinals: `
      eins, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, dreizehn, vierzehn,
      fünfzehn, sechzehn, siebzehn, achtzehn, neunzehn, zwanzig, dreißig dreissig, vierzig, fünfzig,
      sechzig, siebzig, achtzig, neunzig, hundert
    `,
    thousand: 'tausend',
    and: 'und',
    isJoined: true,
    beginnings: 'ein, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf',
  },
  fr: {
    cardinals: `
      , deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, treize, quatorze, quinze,
      seize, dix-sept, dix-huit, dix-neuf, vingt vingts, trente, quarante, cinquante, soixante, soixante-dix
      septante, quatre-vingts quatre-vingt huitante, quatre-vingt-dix nonante, cent cents
    `,
    thousand: 'mille',
    one: 'un une',
    and: 'et',
    percent: 'pour',
  },
  es: {
    cardinals: `
      , dos dós, tres trés, cuatro, cinco, seis séis, siete, ocho, nueve, diez, once, doce, trece, catorce, quince,
      dieciséis, diecisiete, dieciocho, diecinueve, veinte veinti, treinta, cuarenta, cincuenta, sesenta,
      setenta, ochenta, noventa, cien ciento
    `,
    hundreds: `
      doscientos doscientas, trescientos trescientas, cuatrocientos cuatrocientas, quinientos quinientas, seiscientos
      seiscientas, setecientos setecientas, ochocientos ochocientas, novecientos novecientas
    `,
    thousand: 'mil',
    one: 'uno un una',
    and: 'y',
    percent: 'por',
    isJoined: true,
  },
  it: {
    cardinals: `
      , due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici, tredici, quattordici,
      quindici, sedici, diciassette, diciotto, diciannove, venti vent, trenta trent, quaranta quarant,
      cinquanta cinquant, sessanta sessant, settanta settant, ottanta ottant, novanta novant, cento
    `,
    thousand: 'mille mila',
    one: 'uno un una',
    and: 'e',
    percent: 'per',
    isJoined: true,
  },
  nl: {
    cardinals: `
      één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf, dertien, veertien,
      vijftien, zestien, zeventien, achttien, negentien, twintig, dertig, veertig, vijftig, zestig,
      zeventig, tachtig, negentig, honderd
    `,
    thousand: 'duizend',
    and: 'en',
    isJoined: true,
    beginnings: 'één een, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf',
  },
  pt: {
    cardinals: `
      , dois duas, três, quatro, cinco, seis, sete, oito, nove, dez, onze, doze, treze, catorze quatorze,
      quinze, dezasseis dezesseis, dezassete dezessete, dezoito, dezanove dezenove, vinte, trinta,
      quarenta, cinquenta, sessenta, setenta, oitenta, noventa, cem cento
    `,
    hundreds: `
      duzentos duzentas, trezentos trezentas, quatrocentos quatrocentas, quinhentos quinhentas, seiscentos seiscentas,
      setecentos setecentas, oitocentos oitocentas, novecentos novecentas
    `,
    thousand: 'mil',
    one: 'um uma',
    and: 'e',
    percent: 'por',
  },
  pl: {
    cardinals: `
      jeden jedna jedno, dwa dwie dwóch dwu, trzy trzech, cztery czterech, pięć pięciu, sześć sześciu,
      siedem siedmiu, osiem ośmiu, dziewięć dziewięciu, dziesięć dziesięciu, jedenaście jedenastu,
      dwanaście dwunastu, trzynaście, czternaście czternastu, piętnaście, szesnaście, siedemnaście,
      osiemnaście, dziewiętnaście, dwadzieścia dwudziestu, trzydzieści trzydziestu, czterdzieści,
      pięćdziesiąt, sześćdziesiąt, siedemdziesiąt, osiemdziesiąt, dziewięćdziesiąt, sto
    `,
    hundreds: 'dwieście, trzysta, czterysta, pięćset, sześćset, siedemset, osiemset, dziewięćset',
    thousand: 'tysiąc tysiące tysięcy',
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
    hundreds: 'двести, триста, четыреста, пятьсот, шестьсот, семьсот, восемьсот, девятьсот',
    thousand: 'тысяча тысячи тысяч',
    beginnings: 'одно, двух дву, трёх трех, четырёх четырех, пяти, шести, семи, восьми, девяти, десяти',
  },
  sv: {
    cardinals: `
      , två, tre, fyra, fem, sex, sju, åtta, nio, tio, elva, tolv, tretton, fjorton, femton, sexton, sjutton,
      arton, nitton, tjugo, trettio, fyrtio, femtio, sextio, sjuttio, åttio, nittio, hundra
    `,
    thousand: 'tusen',
    one: 'ett en',
    and: 'och',
    isJoined: true,
  },
  da: {
    cardinals: `
      , to, tre, fire, fem, seks, syv, otte, ni, ti, elleve, tolv, tretten, fjorten, femten, seksten, sytten, atten,
      nitten, tyve, tredive, fyrre, halvtreds, tres, halvfjerds, firs, halvfems, hundrede
    `,
    thousand: 'tusind tusinde',
    one: 'en et',
    and: 'og',
    isJoined: true,
  },
  no: {
    cardinals: `
      , to, tre, fire, fem, seks, sju syv, åtte, ni, ti, elleve, tolv, tretten, fjorten, femten, seksten, sytten,
      atten, nitten, tjue, tretti, førti, femti, seksti, sytti, åtti, nitti, hundre
    `,
    thousand: 'tusen',
    one: 'en ett',
    and: 'og',
    isJoined: true,
  },
  cs: {
    cardinals: `
      , dva dvě dvou, tři tří, čtyři čtyř, pět pěti, šest šesti, sedm sedmi, osm osmi, devět devíti, deset deseti,
      jedenáct, dvanáct, třináct, čtrnáct, patnáct, šestnáct, sedmnáct, osmnáct, devatenáct, dvacet, třicet,
      čtyřicet, padesát, šedesát, sedmdesát, osmdesát, devadesát, sto sta stě set
    `,
    thousand: 'tisíc tisíce',
    one: 'jeden jedna jedno',
  },
  tr: {
    cardinals: `
      , iki, üç, dört, beş, altı, yedi, sekiz, dokuz, on, , , , , , , , , , yirmi, otuz, kırk, elli, altmış,
      yetmiş, seksen, doksan, yüz
    `,
    thousand: 'bin',
    one: 'bir',
  },
}
