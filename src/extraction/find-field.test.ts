import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, value } from '../../test/support/find-value.ts'
import { runSync } from '../concurrency/event-loop-yield.ts'
import { createFieldFinder } from './find-field.ts'

test('returns the passage and exact range of a finding', () => {
  const texts = ['Nothing of the kind.', 'Invoice date: 1 March 2026\nDue date: 31 March 2026']
  const finding = find('Invoice date', texts, { type: 'date' })
  assert.deepEqual([finding?.value, finding?.rawValue, finding?.passage], ['2026-03-01', '1 March 2026', 1])
  assert.equal(texts[1]?.slice(finding?.start, finding?.end), '1 March 2026')
  assert.ok((finding?.confidence ?? 0) > 0.9 && (finding?.confidence ?? 2) < 1)
})

test('returns null for values that no passage states', () => {
  const invoice =
    'INVOICE\n\nInvoice date: 1 March 2026\nSubtotal    £1,050.00\nVAT (20%)    £210.00\nTotal due   £1,260.00'
  assert.equal(value('Delivery date', invoice, { type: 'date', section: 'Delivery' }), null)
  assert.equal(value('Discount', invoice, { type: 'currency' }), null)
  assert.equal(value('Sales representative', invoice), null)
  assert.equal(value('Invoice date', [], { type: 'date' }), null)
})

test('matches a generic label literally, with any section name', () => {
  const text = 'Client: Bob\nAmount: €45.50\nDate: 3 May 2026\nQuantity: 45\nRate: 4.5 %\nNumber: 77'
  const wanted = { currency: 'Amount', date: 'Date', integer: 'Quantity', percent: 'Rate', number: 'Number' }
  const found = Object.entries(wanted).map(([type, label]) => value(label, text, { type, section: 'Payment details' }))
  assert.deepEqual(found, [{ amount: 45.5, currency: 'EUR' }, '2026-05-03', 45, 4.5, 77])
})

test('reads a number after its sign without a colon, and due dates by every synonym', () => {
  assert.equal(value('Numéro facture', 'Atelier Dubois\nFacture n° F2024-118\nTours'), 'F2024-118')
  assert.equal(value('Invoice number', 'Brandt\nInvoice nº 2024/931\nHamburg'), '2024/931')
  assert.equal(value('Fälligkeitsdatum', 'Zahlbar bis: 5. März 2025', { type: 'date' }), '2025-03-05')
})

test('ignores words that merely end like a word for number', () => {
  for (const text of ['We met at the Casino 2026.', 'Madrid 2026', 'Aluminum 2000'])
    assert.equal(value('Invoice number', text), null, text)
  assert.equal(value('Rechnungsnummer', 'Rechnung\nRechnungsnr. 2026-4711', { language: 'de' }), '2026-4711')
})

test('prefers a correction that names the field over documents', () => {
  const texts = ['Deposit: £1,725', 'Correction. The deposit is £1,500.']
  assert.deepEqual(value('Deposit', texts, { type: 'currency' }), { amount: 1500, currency: 'GBP' })
  assert.deepEqual(value('Deposit', ['Deposit: £1,725', 'Correction. The rent is £1,500.'], { type: 'currency' }), {
    amount: 1725,
    currency: 'GBP',
  })
})

test('takes the first of two matching labels with less confidence and marks it contested', () => {
  const finding = find('Deposit', 'Deposit: £10\nDeposit: £20', { type: 'currency' })
  assert.deepEqual([finding?.rawValue, finding?.isContested], ['£10', true])
  assert.ok((finding?.confidence ?? 1) < 0.9)
})

test('requires the unit that the label names', () => {
  assert.equal(value('Notice period (days)', 'Notice period: 2 months', { type: 'integer' }), null)
  assert.equal(value('Notice period (months)', 'Notice period: 2 months', { type: 'integer' }), 2)
})

test('ignores a measure in another unit', () => {
  const asked = (label: string, text: string) => value(label, text, { type: 'number' })
  assert.equal(asked('Weight (kg)', 'Weight: 4.2 kg'), 4.2)
  assert.equal(asked('Weight (kg)', 'Weight: 4200 g'), null)
  assert.equal(asked('Length (m)', 'Length: 850 mm.'), null)
  assert.equal(asked('Length (m)', 'The length of the quay is 850 m in all.'), 850)
  assert.equal(asked('Length (m)', 'Length: 850'), 850)
})

test('ignores digit sequences beyond the number range', () => {
  const digits = '9'.repeat(400)
  for (const type of ['number', 'currency', 'percent'])
    assert.equal(value('Amount', `Amount: ${digits}${type === 'percent' ? ' %' : ' €'}`, { type }), null, type)
  assert.equal(value('Amount', `Amount: ${digits}`, { type: 'currency' }), null)
})

test('attributes the only address of a document to its author', () => {
  const text = 'Harrow & Pike Ltd\naccounts@harrow.example\n\nFor Mr Tern.'
  assert.equal(value('Email', text, { type: 'email' }), 'accounts@harrow.example')
  assert.equal(value('Supplier e-mail', text, { type: 'email' }), 'accounts@harrow.example')
  assert.equal(value('Customer e-mail', text, { type: 'email' }), null)
})

test('completes an amount with the currency of the document', () => {
  assert.deepEqual(value('Grand total', '{"currency": "CHF", "grandTotal": 1982.01}', { type: 'currency' }), {
    amount: 1982.01,
    currency: 'CHF',
  })
  assert.deepEqual(value('Grand total', '{"grandTotal": 1982.01}', { type: 'currency' }), {
    amount: 1982.01,
    currency: null,
  })
})

test('reads unknown and missing types as strings', () => {
  assert.equal(value('Colour', 'Colour: dark green', { type: 'shade' }), 'dark green')
  assert.equal(value('Colour', 'Colour: dark green'), 'dark green')
})

test('reads forms with full-width colons by line', () => {
  const text = '发票号码：20260318\n开票日期：2026年3月5日\n電話：03-1234-5678'
  assert.equal(value('发票号码', text), '20260318')
  assert.equal(value('开票日期', text, { type: 'date' }), '2026-03-05')
  assert.equal(value('電話', text, { type: 'phone' }), '0312345678')
})

test('reads equal passages separately below different headings', () => {
  const station = {
    text: '2019 – 2022  Acme College, BSc',
    header: null,
    title: null,
    isFirst: false,
    isCorrection: false,
  }
  const field = { label: 'University', key: 'university', dataType: null, sectionName: '', context: null }
  const finder = createFieldFinder(['en'])
  const found = ['Employment', 'Education'].map(
    (section) => runSync(finder.find(field, [{ ...station, section }]))?.value,
  )
  assert.deepEqual(found, [undefined, 'Acme College'])
})

test('reads a passage of only digits, brackets or labels', () => {
  for (const piece of ['1 ', '(', '- ', 'a: ', '"a":', '12.12.', 'A b ', '| ', '+1-', 'x@', 'no 1 ', '(the "A") ']) {
    for (const type of ['date', 'currency', 'number', 'phone', 'url', 'email', 'list', 'string', 'boolean'])
      assert.doesNotThrow(() => find('Signature date', piece.repeat(2000 / piece.length), { type }), piece)
  }
})

test('reads one long word or gap in linear time', () => {
  for (const piece of ['a', ' ', '*', '.'])
    assert.doesNotThrow(() => find('Order number', `x: ${piece.repeat(100_000)}x`, { type: 'list' }), piece)
})

test('treats the law of two countries as a single law', () => {
  const of = (law: string) => value('Governing law', `This Agreement is governed by ${law}.`)
  assert.equal(of('the laws of England and Wales'), 'the laws of England and Wales')
  assert.equal(of('the law of Ireland and the courts there decide'), 'the law of Ireland')
})

test('reads start and end of a date range', () => {
  const type = 'date'
  const policy = 'Policy no.: T-55\nPeriod of cover: 01/06/2026 to 30/06/2026\nPremium: €63.40'
  assert.equal(value('Start of cover', policy, { type }), '2026-06-01')
  assert.equal(value('End date', policy, { type }), '2026-06-30')
  assert.equal(find('End of cover', policy, { type })?.rawValue, '30/06/2026')
  const lease = 'Mietzeitraum: 03.07.2026 bis 17.07.2026'
  assert.equal(value('Mietbeginn', lease, { type, language: 'de' }), '2026-07-03')
  assert.equal(value('Mietende', lease, { type, language: 'de' }), '2026-07-17')
  assert.equal(value('Start date', 'Dates of the visits: 01/06/2026, 30/06/2026', { type }), null)
})

test('reads a party of several names as a list, and a landlady as landlord', () => {
  const lease =
    'Mietvertrag zwischen Frau Helga Brandt, Lindenallee 4 (nachstehend "Vermieterin") und Herrn Karim Haddad und Frau Lena Vogt (nachstehend "Mieter")'
  assert.equal(value('Vermieter', lease, { language: 'de' }), 'Frau Helga Brandt')
  assert.deepEqual(value('Mieter', lease, { type: 'list', language: 'de' }), ['Herrn Karim Haddad', 'Frau Lena Vogt'])
})

test('reads labels that are questions', () => {
  const notice = 'Wann: Samstag, 20. Juni 2026, 17:00 Uhr\nWo: Stadthalle Weiden'
  assert.equal(value('Datum', notice, { type: 'date', language: 'de' }), '2026-06-20')
  assert.equal(value('Ort', notice, { language: 'de' }), 'Stadthalle Weiden')
  assert.equal(value('Preis', notice, { type: 'currency', language: 'de' }), null)
})

test('reads positions, employers and dates from the lines of a CV', () => {
  const cv =
    'Priya Raman\n\nEXPERIENCE\n2019 – present  Senior Engineer, Halden Turbines, Bristol\n2016 – 2019  Engineer, Orme Pumps Ltd, Cardiff\n\n' +
    'EDUCATION\n2010 – 2014  MEng Mechanical Engineering, University of Bath'
  const labels = ['Current position', 'Employer', 'Employer from 2016 to 2019', 'Employer in 2012', 'Degree']
  assert.deepEqual(
    labels.map((label) => value(label, cv)),
    ['Senior Engineer', 'Halden Turbines', 'Orme Pumps Ltd', null, 'MEng Mechanical Engineering'],
  )
  assert.deepEqual(value('Work experience', cv, { type: 'list' }), [
    '2019 – present Senior Engineer, Halden Turbines, Bristol',
    '2016 – 2019 Engineer, Orme Pumps Ltd, Cardiff',
  ])
  assert.equal(value('Name', cv, { section: 'Details' }), 'Priya Raman')
})

test('uses the unit of a price as part of its label', () => {
  const stay = 'Rate: EUR 128.00 per night\nBreakfast: EUR 14.00 per person'
  assert.deepEqual(value('Rate per night', stay, { type: 'currency' }), { amount: 128, currency: 'EUR' })
  assert.equal(value('Number of nights', stay, { type: 'integer' }), null)
})

test('prefers a name over a count', () => {
  assert.equal(value('Guest', 'Guest name: Erik Lindqvist\nGuests: 2 adults, 1 child'), 'Erik Lindqvist')
  assert.equal(value('Guest', 'Guests: 2 adults, 1 child'), '2 adults, 1 child')
})

test('reads birth date and place within a line, and numbered Markdown headings as labels', () => {
  const letter = 'Re: Mr Frank Osborne, DOB 22/09/1957, 9 Chapel Row, Wells'
  assert.equal(value('Date of birth', letter, { type: 'date' }), '1957-09-22')
  assert.equal(value('Geburtsort', 'Geboren am 4. März 1988 in Kassel', { language: 'de' }), 'Kassel')
  const minutes = '## 4. Actions\n- Samir orders the valve\n- Grace books the hall'
  assert.deepEqual(value('Action items', minutes, { type: 'list' }), ['Samir orders the valve', 'Grace books the hall'])
})

test('reads pay as an amount, not as hours', () => {
  const slip =
    'Payments      Hours    Rate     Amount\nBasic pay     152.00   13.40    2,036.80\nOvertime      11.50    20.10    231.15'
  assert.deepEqual(value('Overtime pay', slip, { type: 'currency' }), { amount: 231.15, currency: null })
  assert.equal(value('Overtime hours', slip, { type: 'number' }), 11.5)
  const short = 'Payments      Hours    Days     Month\nOvertime      11.50    2        5'
  assert.notDeepEqual(value('Overtime', short, { type: 'currency' }), { amount: 11.5, currency: null })
})

test('reads a separate date line as issue date, and "Ablauf" as end date', () => {
  const letter = 'Calloway Print Works Ltd\n\n15 June 2026\n\nTO WHOM IT MAY CONCERN'
  assert.equal(value('Date of issue', letter, { type: 'date' }), '2026-06-15')
  const policy = 'Versicherungsbeginn: 01.04.2026\nVersicherungsablauf: 01.04.2027'
  assert.equal(value('Versicherungsende', policy, { type: 'date', language: 'de' }), '2027-04-01')
})

test('takes the value of the newer edition of a document', () => {
  const read = (titles: readonly string[]) => {
    const passages = ['The deposit is 80 euros.', 'The deposit is 100 euros.'].map((text, index) => ({
      ...{ text, section: null, header: null, isFirst: true, isCorrection: false },
      ...{ title: titles[index] ?? null, document: `${index}` },
    }))
    const field = { label: 'Deposit', key: 'deposit', dataType: 'currency', sectionName: '', context: null }
    return runSync(createFieldFinder(['en']).find(field, passages))?.value ?? null
  }
  assert.deepEqual(read(['Terms 2024', 'Terms 2026']), { amount: 100, currency: 'EUR' })
  assert.deepEqual(read(['Terms 2026', 'Terms 2024']), { amount: 80, currency: 'EUR' })
  assert.equal(read(['Terms of Hull 2024', 'Terms of Leeds 2026']), null)
})

test('reads names with their role behind them, or with other sentences behind', () => {
  assert.equal(value('Director', 'Kind regards\n\nBastien Roux, director'), 'Bastien Roux')
  assert.equal(value('Director', 'Kind regards\n\nBastien Roux, deputy director'), null)
  assert.equal(value('Manager', 'Manager: Ruth Ndlovu. Opens at 4:45.'), 'Ruth Ndlovu')
  assert.equal(value('館長', '館長は篠崎晴香、西分館長は大槻亮太です。', { language: 'ja' }), '篠崎晴香')
  assert.equal(value('人事总监', '人事总监是陆思远，财务总监是葛明慧。', { language: 'zh' }), '陆思远')
  assert.equal(value('联系人', '联系人：邵文澜，电话010-5550-1199', { language: 'zh' }), '邵文澜')
  assert.equal(value('Manager', 'Depot\n\nThe operations manager is Ada Holm.'), null)
})

test('gives values of a list to the words on their side of the comma or "and"', () => {
  const money = { type: 'currency' }
  const prices = 'Entry costs €4.80 for adults and €3.10 for children.'
  assert.deepEqual(value('Entry for adults', prices, money), { amount: 4.8, currency: 'EUR' })
  assert.deepEqual(value('Entry for children', prices, money), { amount: 3.1, currency: 'EUR' })
  const years = 'Revenue was £4.8 million in 2025, after £4.1 million in 2024.'
  assert.notDeepEqual(value('Revenue 2024', years, money), { amount: 4_800_000, currency: 'GBP' })
  assert.deepEqual(value('Revenue 2025', years, money), { amount: 4_800_000, currency: 'GBP' })
  const toll = 'The toll for cars is £120, for lorries £350.'
  assert.deepEqual(value('Toll for lorries', toll, money), { amount: 350, currency: 'GBP' })
  const below = `## Prices\n\n${prices}`
  assert.deepEqual(value('Price adults', below, money), { amount: 4.8, currency: 'EUR' })
})

test('takes no position number for money, no amount for a count, and no other numbered column', () => {
  const row = '3     Travel     2     25.00 €     50.00 €'
  assert.deepEqual(value('Travel', `Pos.  Service  Quantity  Price  Amount\n${row}`, { type: 'currency' }), {
    ...{ amount: 25, currency: 'EUR' },
  })
  const fees = '| Item | Low | High |\n|---|---|---|\n| Pitch | 14,50 € | 19,00 € |\n| Dog | 2,00 € | 3,00 € |'
  assert.equal(value('Number of pitches', fees, { type: 'integer' }), null)
  const models = '| | Tern 24 | Tern 32 |\n|---|---|---|\n| Noise | 44 dB | 47 dB |'
  assert.equal(value('Noise of the Tern 32', models), '47 dB')
})

test('reads telephone numbers in scripts without spaces', () => {
  assert.equal(
    value('電話番号', '予約は一か月前から。電話番号は045-555-0136です。', { type: 'phone', language: 'ja' }),
    '0455550136',
  )
  assert.equal(value('咨询电话', '咨询电话为010-5550-7788。', { type: 'phone', language: 'zh' }), '01055507788')
})

test('a role in a table is that of a name, not of a thing', () => {
  const leave =
    '| Occasion | Days | Approval |\n|---|---|---|\n| Own wedding | 2 | Manager |\n| Moving house | 1 | Manager |'
  assert.equal(value('Manager', leave), null)
  const staff =
    '| Name | Role | Room |\n|---|---|---|\n| Ann van der Lee | Manager | 2.14 |\n| Bo Lund | Clerk | 2.15 |'
  assert.equal(value('Manager', staff), 'Ann van der Lee')
  const firms = '| Firm | Role | Room |\n|---|---|---|\n| Fenwick | Supplier | 2.1 |\n| Smith, Ann | Manager | 2.2 |'
  assert.equal(value('Supplier', firms), 'Fenwick')
  assert.equal(value('Manager', firms), 'Smith, Ann')
  const things = '| Thing | State | Room |\n|---|---|---|\n| red door | Colour | 2.1 |\n| two doors | Size | 2.2 |'
  assert.equal(value('Colour', things), 'red door')
})

test('a telephone number has digits, an email address a sign, and a value no full stop', () => {
  assert.equal(value('Phone number', 'Phone: only one network, on the hill'), null)
  assert.equal(value('Phone number', 'Phone: 01482 550120'), '01482 550120')
  assert.equal(value('Email', 'Email: on request'), null)
  assert.equal(value('Website', 'Website: under construction'), null)
  assert.equal(value('Warranty', 'Warranty: two years.'), 'two years')
  assert.equal(value('Phone', 'Phone: ٠١٢٣٤٥٦'), '٠١٢٣٤٥٦')
  assert.equal(value('Email address', 'Email address: on request'), null)
  for (const [field, name] of [
    ['Email provider', 'Fastmail'],
    ['Phone model', 'Pixel Nine'],
    ['Website language', 'German'],
  ] as const)
    assert.equal(value(field, `${field}: ${name}`), name)
})
