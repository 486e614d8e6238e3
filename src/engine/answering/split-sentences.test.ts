import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitSentences } from './split-sentences.ts'

function split(text: string): string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end))
}

test('abbreviations, initials and decimals do not end a sentence', () => {
  assert.deepEqual(split('Dr. Lind met J. R. Vance, i.e. her aunt. See Fig. 3 and No. 5. It cost 3.5 million.'), [
    'Dr. Lind met J. R. Vance, i.e. her aunt.',
    'See Fig. 3 and No. 5.',
    'It cost 3.5 million.',
  ])
})

test('a blank number field does not end a sentence', () => {
  assert.deepEqual(split('They signed Agreement No. _______ on this day. It is in force.'), [
    'They signed Agreement No. _______ on this day.',
    'It is in force.',
  ])
})

test('a code after an abbreviation for a number does not begin a sentence', () => {
  assert.deepEqual(split('It needs part no. QH-77/B of 2031. Order it as no. A4. He said no. Ann agreed.'), [
    'It needs part no. QH-77/B of 2031.',
    'Order it as no. A4.',
    'He said no.',
    'Ann agreed.',
  ])
})

test('abbreviations that often come last end a sentence before a capital', () => {
  assert.deepEqual(split('It ended at 5 p.m. The rest is here. Orrin Inc. said so.'), [
    'It ended at 5 p.m.',
    'The rest is here.',
    'Orrin Inc. said so.',
  ])
})

test('German ordinals, dates and spaced abbreviations do not end a sentence', () => {
  assert.deepEqual(split('Am 3. Oktober war z. B. die Werft zu. Das 19. Jahrhundert war lang, d. h. sehr lang.'), [
    'Am 3. Oktober war z. B. die Werft zu.',
    'Das 19. Jahrhundert war lang, d. h. sehr lang.',
  ])
})

test('French quotation marks, Spanish titles and Russian abbreviations are recognized', () => {
  assert.deepEqual(split('Il a dit « Non ! » et partit. Il revint.'), ['Il a dit « Non ! » et partit.', 'Il revint.'])
  assert.deepEqual(split('El Sr. Lago vive en Vigo desde 1990. Trabaja.'), [
    'El Sr. Lago vive en Vigo desde 1990.',
    'Trabaja.',
  ])
  assert.deepEqual(split('В 1918 г. он уехал. А. С. Левин жил там, т. е. в доме.'), [
    'В 1918 г. он уехал.',
    'А. С. Левин жил там, т. е. в доме.',
  ])
})

test('scripts without spaces have other full stops', () => {
  assert.deepEqual(split('船到了。她说：“好！”然后走了。'), ['船到了。', '她说：“好！”', '然后走了。'])
})

test('list items and table rows are one sentence each, and a wrapped line continues', () => {
  assert.deepEqual(split('1. First item\n2. Second item\n| a | b |\nA line that is\nmerely wrapped. End.'), [
    '1. First item',
    '2. Second item',
    '| a | b |',
    'A line that is\nmerely wrapped.',
    'End.',
  ])
})

test('a figure alone on a line belongs to the label below', () => {
  assert.deepEqual(split('Orrin Dam\n\n74 m\nHeight\n\n12,300 t\nSteel'), [
    'Orrin Dam',
    '74 m\nHeight',
    '12,300 t\nSteel',
  ])
  assert.deepEqual(split('Height\n74 m\nSteel\n12,300 t'), ['Height', '74 m', 'Steel', '12,300 t'])
})

test('a paragraph is wrapped if each line is too full for the next word', () => {
  assert.deepEqual(
    split('Die Mitglieder der Werkstatt treffen sich jeden zweiten Monat am\nMontag um 18 Uhr im großen Saal.'),
    ['Die Mitglieder der Werkstatt treffen sich jeden zweiten Monat am\nMontag um 18 Uhr im großen Saal.'],
  )
  const paragraph = [
    'The service says for the whole of `drain` that it is not ready, and',
    '`stop` ends it. It was first built for the harbour of Vigo by',
    'Ann Lee. It holds',
  ]
  assert.deepEqual(split(paragraph.join('\n')), [
    `${paragraph[0]}\n\`stop\` ends it.`,
    'It was first built for the harbour of Vigo by\nAnn Lee.',
    'It holds',
  ])
})

test('lines with room for the next word are no paragraph', () => {
  const apart = [
    'Anna likes tea and the long way home along the river\nBen likes milk',
    'We met with all of them in the large room of the new house at\n- Anna',
    'We met with all of them in the large room of the new house at\n| a | b |',
    'We met with all of them in the large room of the new house at\nPlace: here',
    'Anna Berg, Vigo, Spain, 14 May, Room 7, Harbour Street, Ward X\nBen Lund, Oslo, Norway, 15 May, Room 8, River Street, Ward Y',
    '```\nthe first of all lines that a program wrote before it went on to\nThe second\n```',
  ]
  for (const text of apart) assert.deepEqual(split(text), text.split('\n'), text)
})

test('a command continues after a backslash', () => {
  assert.deepEqual(split('```sh\nget $URL \\\n  -d 1\nput\n```'), ['```sh', 'get $URL \\\n  -d 1', 'put', '```'])
})

test('a note after the full stop belongs to the sentence', () => {
  assert.deepEqual(split('It grew.[12] Then it fell.[3][4]'), ['It grew.[12]', 'Then it fell.[3][4]'])
})

test('a numbered heading or item is one sentence, whatever marks precede the number', () => {
  const lines = ['## 6. Pets and smoking', '### **2. Term**', '- 3. Rent it.', '> 4. Keys', '**5. Deposit**']
  assert.deepEqual(split(lines.join('\n')), lines)
})

test('sentences are in order, disjoint, trimmed, bounded, and contain every letter', () => {
  const piece = fc.constantFrom(
    'Dr. ',
    'a',
    'B',
    '. ',
    '!',
    '\n',
    ' ',
    '。',
    '3.5',
    'z. B. ',
    '[1]',
    '😀',
    '”',
    '\u00a0',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      let last = 0
      let rest = ''
      for (const { start, end } of splitSentences(text)) {
        assert.ok(start >= last && end > start)
        const sentence = text.slice(start, end)
        assert.equal(sentence, sentence.trim())
        rest += text.slice(last, start)
        last = end
      }
      assert.equal((rest + text.slice(last)).trim(), '')
    }),
    { numRuns: 500 },
  )
})

test('a text without any stop is cut at word borders', () => {
  const parts = split('word '.repeat(2000))
  assert.ok(parts.length > 10)
  assert.ok(parts.every((part) => part.length <= 700 && /^word( word)*$/.test(part)))
})

test('labels with values on a line are one sentence each, and cells without labels stay together', () => {
  assert.deepEqual(split('型号：YQ-X3   颜色：珍珠白   保修期：两年\nBill to: Ada Byron      Invoice no: 12'), [
    '型号：YQ-X3',
    '颜色：珍珠白',
    '保修期：两年',
    'Bill to: Ada Byron',
    'Invoice no: 12',
  ])
  assert.deepEqual(split('Labour     36 h     $72.00\nOak Street     Date: 4 May'), [
    'Labour     36 h     $72.00',
    'Oak Street     Date: 4 May',
  ])
  assert.deepEqual(split('Type: KX200   steel   Price: $5'), ['Type: KX200   steel', 'Price: $5'])
})

test('a caption and a single word belong to the next sentence on their line', () => {
  const said = [
    'Article 6 – Pets. Small pets are allowed.',
    '4. DEPOSIT. The tenant pays two rents.',
    '§ 4 Vergütung. Das Gehalt beträgt 4.000 EUR.',
    'Section 11. Licences',
    'No. None of our brands does.',
  ]
  assert.deepEqual(split(said.join('\n')), said)
  assert.deepEqual(split('No.\nRoom 7 is free. None is. Why? Because. It rained in 4. Then it stopped.'), [
    'No.',
    'Room 7 is free.',
    'None is.',
    'Why?',
    'Because.',
    'It rained in 4.',
    'Then it stopped.',
  ])
})

test('many lines and long words take linear time, and code within a line is no fence', () => {
  const lines = 'a word of prose that is wrapped\n'.repeat(200_000)
  assert.ok(split(lines).length > 1)
  assert.equal(split(`a${"'".repeat(300)}#`).length, 1)
  const text = '```run``` starts it and is what everybody types who has the tool at\nVigo harbour.'
  assert.deepEqual(split(text), [text])
})

test('an ordinal after an article, an extension number and a clause caption do not end a sentence', () => {
  for (const text of [
    'Mitglied wird, wer das 14. Lebensjahr vollendet hat.',
    'Das Büro liegt im 3. Obergeschoss.',
    'Call Jonas (ext. 214).',
    'SEXTA. Mascotas. No se admiten animales.',
    'CUARTA.- Fianza. Se entregan 1.440 euros.',
  ])
    assert.equal(splitSentences(text).length, 1, text)
  assert.equal(splitSentences('Es waren 14. Lena kam später.').length, 2)
})

test('a record is one sentence and never continues in the next', () => {
  const records = ['{"id":"T-2","resolution":"The account was closed. It was sent again."}', '{"id":"T-3","open":true}']
  assert.deepEqual(split(`The tickets. All of May.\n${records.join('\n')}\nThe end.`), [
    'The tickets.',
    'All of May.',
    ...records,
    'The end.',
  ])
})
