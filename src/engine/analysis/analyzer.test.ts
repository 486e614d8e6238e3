import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from './analyzer.ts'

const analyzer = createAnalyzer()
const LANGUAGES = [null, 'en', 'de', 'fr', 'ru', 'tr', 'ar', 'ja', 'th', 'ta', 'xx']

describe('terms', () => {
  const cases: [guarantee: string, language: string | null, text: string, terms: string[]][] = [
    ['stems English words', 'en', 'Organizations acknowledged incidents', ['organ', 'acknowledg', 'incid']],
    ['stems by the language of the text', 'de', 'Kündigungsfristen', ['kundigungsfrist']],
    ['takes English where no language is known', null, 'running', ['run']],
    ['takes endings off where there is no stemmer', 'pl', 'kontami kontach konto', ['kont', 'kont', 'kont']],
    ['takes endings off Greek words, whatever their accents', 'el', 'μαθητές ΜΑΘΗΤΩΝ', ['μαθητ', 'μαθητ']],
    ['takes endings off Serbian words', 'sr', 'подешавања подешавањима', ['подешавањ', 'подешавањ']],
    ['and off Croatian ones with a t', 'hr', 'postavkama postavite', ['postavk', 'postav']],
    ['takes endings off Galician words', 'gl', 'ligazóns ligazón', ['ligaz', 'ligaz']],
    ['takes prefixes and endings off Indonesian words', 'id', 'membaca bacaannya', ['baca', 'baca']],
    ['and off Malay ones', 'ms', 'pembaca', ['baca']],
    ['takes endings off Telugu words', 'te', 'ఫైలును ఫైలు', ['ఫైలున', 'ఫైల']],
    ['leaves three letters of a word, or two of an Indic one', 'uk', 'ними', ['ним']],
    ['takes endings off Belarusian words', 'be', 'файлы файлаў файламі', ['файл', 'файл', 'файл']],
    ['takes endings off Georgian words', 'ka', 'ფაილი ფაილების ფაილებს', ['ფაილ', 'ფაილ', 'ფაილ']],
    ['takes endings off Icelandic words', 'is', 'hestur hestanna hestum', ['hest', 'hest', 'hest']],
    ['takes prefixes off Hebrew words', 'he', 'ספרים והספרים', ['ספרים', 'ספרים']],
    ['leaves words of other languages without a stemmer whole', 'sq', 'librave', ['librave']],
    ['keeps a short identifier as it is', 'en', 'P1', ['p1']],
    ['gives an identifier whole and in parts', 'en', 'ERR_4012', ['err_4012', 'err', '4012']],
    ['gives a version whole and in parts', 'en', 'v2.3.1.', ['v2.3.1', 'v2', '3', '1']],
    ['gives an address whole and in parts', 'en', 'a.b@c.org', ['a.b@c.org', 'a', 'b', 'c', 'org']],
    ['splits camelCase', 'en', 'getUserById', ['getuserbyid', 'get', 'user', 'by', 'id']],
    ['splits a name behind an abbreviation', 'en', 'JSONParser', ['jsonparser', 'json', 'parser']],
    [
      'splits no plural of an abbreviation, and no name with one capital before another',
      'en',
      'PDFs RNases',
      ['pdfs', 'rnase'],
    ],
    ['splits a hyphenated word into its words', 'en', 'well-known', ['well', 'know']],
    ['keeps a hyphenated code whole', 'en', 'COVID-19', ['covid-19', 'covid', '19']],
    ['reads grouped thousands as one number', 'en', '1,000.50', ['1000.50']],
    ['does so where no-break spaces group them', 'fr', '12\u202f450,00 €', ['12450,00', '12', '450', '00']],
    ['and apostrophes', 'de', '1’250’000 Fr.', ['1250000', '1', '250', '000', 'fr']],
    ['does not take a name and a number for one', 'en', 'A4\u00a0100 g, 5\u00a01000', ['a4', '100', 'g', '5', '1000']],
    ['nor one behind a joint', 'fr', 'COVID-19\u00a0123 cas', ['covid-19', 'covid', '19', '123', 'cas']],
    ['keeps the names of C++ and C#', 'en', 'C++ C#', ['c++', 'c', 'c#', 'c']],
    ['drops the ends of contractions', 'en', "Anna's it’ll", ['anna', 'it']],
    ['takes accents off', 'fr', 'École où', ['ecol', 'ou']],
    ['reads full-width and half-width forms', 'en', 'ＡＢ１', ['ab1']],
    ['gives bigrams of Han, and the last character, which begins none', 'zh', '东京都', ['东京', '京都', '都']],
    ['gives a Han character that stands alone', 'zh', '水', ['水']],
    ['gives bigrams of Thai', 'th', 'ไทย', ['ไท', 'ทย']],
    ['gives bigrams of Katakana, half-width too', 'ja', 'ｶﾞｽ', ['ガス']],
    [
      'gives Korean words, of longer ones than two syllables the bigrams alone',
      'ko',
      '서울에서 비',
      ['서울', '울에', '에서', '비'],
    ],
    ['separates scripts that touch', 'ja', 'P1警報', ['p1', '警報', '報']],
    ['tells a subject from poison, in each of its forms', 'hi', 'विषय विषयों विष', ['विषय', 'विषय', 'विष']],
    ['keeps vowel signs inside of Indic words', 'hi', 'किताबें किताब', ['किताब', 'किताब']],
    [
      'writes nasals of Devanagari in one way, and no point below',
      'hi',
      'हिन्दी हिंदी बाज़ार बाजार',
      ['हिंद', 'हिंद', 'बाजार', 'बाजार'],
    ],
    ['takes articles, "and" and endings off Arabic words', 'ar', 'والمكتبات المكتبه مكتبة', ['مكتب', 'مكتب', 'مكتب']],
    ['reads Thai digits as numbers', 'th', 'ปี ๒๕๖๓', ['ปี', '2563']],
    ['gives a Korean syllable without the mark of its part in the sentence', 'ko', '책을', ['책을', '책']],
    ['reads Arabic with and without points alike', 'ar', 'مُدَرِّس مدرس', ['مدرس', 'مدرس']],
    ['reads the escapes of JSON', 'de', String.raw`{"city":"K\u00f6ln\tS\u00fcd"}`, ['city', 'koln', 'sud']],
    ['reads pairs of surrogates', 'zh', String.raw`\ud842\udfb7\u91ce`, ['𠮷野', '野']],
    ['leaves colours of logs out', 'en', '\u001b[1;33mwarning\u001b[0m', ['warn']],
    ['writes all digits alike', 'ar', '٣٤', ['34']],
  ]
  for (const [guarantee, language, text, terms] of cases) {
    it(guarantee, () => assert.deepEqual(analyzer.terms(text, language), terms))
  }

  it('have no white space, are never empty, and are deterministic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        const terms = analyzer.terms(text, language)
        for (const term of terms) assert.match(term, /^\S+$/)
        assert.deepEqual(createAnalyzer().terms(text, language), terms)
      }),
      { numRuns: 300 },
    )
  })

  it('equal those of the tokens, besides dates and last characters of Han', () => {
    const pieces = [
      'C++',
      'C#',
      "Anna's",
      'v2.3.1',
      'getUser',
      '(a',
      'b)',
      '-',
      '#',
      '東京',
      '１,000',
      '1,000',
      'é',
      '. ',
      ' ',
      '\n',
      '\t',
      '\u0001',
      '\u00a0',
      '+',
      '_',
      '\\',
      '\\u00e9',
      '\\n',
      '"a":',
      '\u001b[1m',
    ]
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 }),
        (parts) => {
          const text = parts.join('')
          const tokens = analyzer.tokens(text, 'en').map(({ term }) => term)
          const terms = analyzer.terms(text, 'en')
          assert.deepEqual(
            terms.filter((term) => tokens.includes(term)),
            tokens,
          )
          assert.ok(terms.every((term) => /^\p{Script=Han}$/u.test(term) || tokens.includes(term)))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('stay short for a megabyte without a space', () => {
    for (const unit of ['a', 'a.', '1,', '東', '가', '𠀀']) {
      const terms = analyzer.terms(unit.repeat(100_000), 'en')
      assert.ok(terms.every((term) => term.length <= 128))
    }
  })
})

describe('tokens', () => {
  it('lie within the text, by start', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        let start = 0
        for (const token of analyzer.tokens(text, language)) {
          assert.ok(token.start >= start && token.end > token.start && token.end <= text.length)
          start = token.start
        }
      }),
      { numRuns: 300 },
    )
  })

  it('have the offsets of their words', () => {
    const text = 'See ERR_4012 in 東京都'
    const places = analyzer.tokens(text, 'en').map(({ start, end }) => text.slice(start, end))
    assert.deepEqual(places, ['See', 'ERR_4012', 'ERR', '4012', 'in', '東京', '京都'])
  })

  it('have original offsets for words with escapes', () => {
    const text = String.raw`{"to":"J\u00fcrgen\n\u6771\u4eac\u90fd"}`
    const places = analyzer.tokens(text, 'de').map(({ start, end }) => text.slice(start, end))
    const written = ['to', String.raw`J\u00fcrgen`, String.raw`\u6771\u4eac`, String.raw`\u4eac\u90fd`]
    assert.deepEqual(places, written)
    const [name] = analyzer.findTerms(text, analyzer.queryTerms('jürgen', ['de']).terms, ['de'])
    assert.equal(text.slice(name?.start, name?.end), written[1])
  })
})

describe('queryTerms', () => {
  it('exclude stop words', () => {
    assert.deepEqual(analyzer.queryTerms('how fast do we acknowledge a P1?', ['en']).terms, [
      'fast',
      'acknowledg',
      'p1',
    ])
  })

  it('keep all words of a query of stop words', () => {
    assert.deepEqual(analyzer.queryTerms('The Who', ['en']).terms, ['the', 'who'])
    assert.deepEqual(analyzer.queryTerms('to be or not to be', ['en']).terms, ['to', 'be', 'or', 'not'])
  })

  it('exclude interrogatives, and Greek stop words with or without accents', () => {
    assert.deepEqual(analyzer.queryTerms('¿Cuántos días?', ['es']).terms, ['dias'])
    assert.deepEqual(analyzer.queryTerms('Πότε είναι η γιορτή', ['el']).terms, ['γιορτ'])
    assert.deepEqual(analyzer.queryTerms('ποτε ειναι η γιορτη', ['el']).terms, ['γιορτ'])
  })

  it('are the union over the languages of the memory', () => {
    assert.deepEqual(analyzer.queryTerms('Kündigungen', ['en', 'de']).terms, ['kundigungen', 'kundig'])
  })

  it("exclude stop words of the query's language, for every language", () => {
    assert.deepEqual(analyzer.queryTerms('was ist die Frist', ['en', 'de']).terms, ['frist'])
  })

  it('use English if the memory has no language', () => {
    assert.deepEqual(analyzer.queryTerms('running', []).terms, ['run'])
  })

  it('include variants of a word, but not its parts', () => {
    const query = analyzer.queryTerms('HIV-1 and haemoglobin', ['en'])
    assert.deepEqual(analyzer.variantTerms('HIV-1', query), ['hiv1', 'h.i.v'])
    assert.deepEqual(analyzer.variantTerms('haemoglobin', query), ['hemoglobin'])
  })

  it('include the typed words and quoted phrases', () => {
    const { words, phrases } = analyzer.queryTerms('the “escalation paths” of "P1 incidents"', ['en'])
    assert.deepEqual(words, ['escalation', 'paths', 'p1', 'incidents'])
    assert.deepEqual(phrases, ['escalation paths', 'P1 incidents'])
  })

  it('match the terms of the text', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 8 }), fc.constantFrom('en', 'de', 'it'), (text, language) => {
        const terms = new Set(analyzer.terms(text, language))
        for (const term of analyzer.queryTerms(text, [language]).terms) assert.ok(terms.has(term))
      }),
      { numRuns: 100 },
    )
  })
})

describe('findTerms', () => {
  it('finds a single Chinese character anywhere in a run', () => {
    const places = analyzer.findTerms('今天下雨，雨天', ['雨'], ['zh']).map(({ start }) => start)
    assert.deepEqual([...new Set(places)], [3, 5])
  })

  it('finds the same as tokens, in any of the languages', () => {
    const text = fc.array(
      fc.constantFrom('Organizations', 'P1', 'Häuser', 'البيت', 'बात', 'ERR_4012', '東京都', '서울에서', 'über'),
      { maxLength: 9 },
    )
    fc.assert(
      fc.property(text, fc.subarray(['en', 'de', 'ar', 'ta', 'hi']), (words, languages) => {
        const whole = words.join(' ')
        const among = languages.length > 0 ? languages : ['en']
        const tokens = among.flatMap((language) => analyzer.tokens(whole, language))
        const terms = [...new Set(tokens.map((token) => token.term))].filter((_, index) => index % 2 === 0)
        const places = (list: { term: string; start: number }[]): string[] =>
          [...new Set(list.map(({ term, start }) => `${start} ${term}`))].sort()
        assert.deepEqual(
          places(analyzer.findTerms(whole, terms, languages)),
          places(tokens.filter(({ term }) => terms.includes(term))),
        )
      }),
      { numRuns: 200 },
    )
  })
})

describe('a query of stop words', () => {
  it('is known in each language, and in scripts without spaces', () => {
    const languages = ['en', 'fr', 'es', 'ru', 'zh']
    for (const query of ['the of and', 'le la les de', 'y de la que', 'и в на что', '的了是'])
      assert.equal(analyzer.queryTerms(query, languages).hasStopWordsOnly, true, query)
    for (const query of ['la porte', 'y', '和平', 'りんご'])
      assert.equal(analyzer.queryTerms(query, languages).hasStopWordsOnly, false, query)
  })

  it('has no content terms; a stop word of any language is no content', () => {
    const { contentTerms, terms } = analyzer.queryTerms('recette de la bouillabaisse', ['en', 'fr', 'es'])
    assert.ok(contentTerms.length > 0 && contentTerms.every((term) => !['de', 'la'].includes(term)))
    assert.ok(terms.includes('de'))
    assert.deepEqual(analyzer.queryTerms('the of and', ['en']).contentTerms, [])
  })
})
