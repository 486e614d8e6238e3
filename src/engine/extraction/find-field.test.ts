import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, value } from '../../../test/support/find-value.ts'
import { atOnce } from '../../pacing/in-turns.ts'
import { createFieldFinder } from './find-field.ts'

test('a finding names its passage and the exact place of what it read', () => {
  const texts = ['Nothing of the kind.', 'Invoice date: 1 March 2026\nDue date: 31 March 2026']
  const finding = find('Invoice date', texts, { type: 'date' })
  assert.deepEqual([finding?.value, finding?.rawValue, finding?.passage], ['2026-03-01', '1 March 2026', 1])
  assert.equal(texts[1]?.slice(finding?.start, finding?.end), '1 March 2026')
  assert.ok((finding?.confidence ?? 0) > 0.9 && (finding?.confidence ?? 2) < 1)
})

test('what the passages do not say is not found', () => {
  const invoice =
    'INVOICE\n\nInvoice date: 1 March 2026\nSubtotal    £1,050.00\nVAT (20%)    £210.00\nTotal due   £1,260.00'
  assert.equal(value('Delivery date', invoice, { type: 'date', section: 'Delivery' }), null)
  assert.equal(value('Discount', invoice, { type: 'currency' }), null)
  assert.equal(value('Sales representative', invoice), null)
  assert.equal(value('Invoice date', [], { type: 'date' }), null)
})

test('a label that says no more than its type is found word for word, whatever its section is called', () => {
  const text = 'Client: Bob\nAmount: €45.50\nDate: 3 May 2026\nQuantity: 45\nRate: 4.5 %\nNumber: 77'
  const wanted = { currency: 'Amount', date: 'Date', integer: 'Quantity', percent: 'Rate', number: 'Number' }
  const found = Object.entries(wanted).map(([type, label]) => value(label, text, { type, section: 'Payment details' }))
  assert.deepEqual(found, [{ amount: 45.5, currency: 'EUR' }, '2026-05-03', 45, 4.5, 77])
})

test('a number behind its sign is found without a colon, and what is due by every word for it', () => {
  assert.equal(value('Numéro facture', 'Atelier Dubois\nFacture n° F2024-118\nTours'), 'F2024-118')
  assert.equal(value('Invoice number', 'Brandt\nInvoice nº 2024/931\nHamburg'), '2024/931')
  assert.equal(value('Fälligkeitsdatum', 'Zahlbar bis: 5. März 2025', { type: 'date' }), '2025-03-05')
})

test('a word that ends as one for a number does is none', () => {
  for (const text of ['We met at the Casino 2026.', 'Madrid 2026', 'Aluminum 2000'])
    assert.equal(value('Invoice number', text), null, text)
  assert.equal(value('Rechnungsnummer', 'Rechnung\nRechnungsnr. 2026-4711', { language: 'de' }), '2026-4711')
})

test('names in letters without capitals are names', () => {
  const text = 'Customer: 山田商店\nSupplier: شركة النور\nManager: none given'
  assert.deepEqual(
    ['Customer', 'Supplier', 'Manager'].map((label) => value(label, text)),
    ['山田商店', 'شركة النور', null],
  )
})

test('total, subtotal and tax are told apart', () => {
  const invoice = 'Subtotal    £1,050.00\nVAT (20%)    £210.00\nTotal due   £1,260.00'
  assert.deepEqual(value('Total amount', invoice, { type: 'currency' }), { amount: 1260, currency: 'GBP' })
  assert.deepEqual(value('Subtotal', invoice, { type: 'currency' }), { amount: 1050, currency: 'GBP' })
  assert.deepEqual(value('VAT', invoice, { type: 'currency' }), { amount: 210, currency: 'GBP' })
  assert.equal(value('VAT rate', invoice, { type: 'percent' }), 20)
})

test('values are found in sentences by the words around them', () => {
  const lease =
    'The tenancy begins on 1 February 2026 and ends on 31 January 2027. The Tenant pays a deposit of £1,725 and a late charge of £25. Pets are not allowed.'
  assert.equal(value('Start date', lease, { type: 'date' }), '2026-02-01')
  assert.equal(value('End date', lease, { type: 'date' }), '2027-01-31')
  assert.deepEqual(value('Deposit', lease, { type: 'currency' }), { amount: 1725, currency: 'GBP' })
  assert.deepEqual(value('Late charge', lease, { type: 'currency' }), { amount: 25, currency: 'GBP' })
  assert.equal(value('Pets allowed', lease, { type: 'boolean' }), false)
})

test('the words of one line of a form say nothing of the next', () => {
  assert.equal(value('Order date', 'Due date: 31 March 2026\nPurchase order: PO 88', { type: 'date' }), null)
  assert.equal(value('Net total', 'Terms        Net 30\nPlace        Leeds', { type: 'number' }), null)
})

test('two sentences that say as much for different values leave the field open', () => {
  const text = 'Party A may end it with a notice of 30 days. Party B may end it with a notice of 60 days.'
  assert.equal(value('Notice (days)', text, { type: 'integer' }), null)
})

test('a correction that names the field goes before the documents', () => {
  const texts = ['Deposit: £1,725', 'Correction. The deposit is £1,500.']
  assert.deepEqual(value('Deposit', texts, { type: 'currency' }), { amount: 1500, currency: 'GBP' })
  assert.deepEqual(value('Deposit', ['Deposit: £1,725', 'Correction. The rent is £1,500.'], { type: 'currency' }), {
    amount: 1725,
    currency: 'GBP',
  })
})

test('of two labels that fit the first is taken, with less confidence, and it is said', () => {
  const finding = find('Deposit', 'Deposit: £10\nDeposit: £20', { type: 'currency' })
  assert.deepEqual([finding?.rawValue, finding?.isContested], ['£10', true])
  assert.ok((finding?.confidence ?? 1) < 0.9)
})

test('a unit that the label names has to stand behind the number', () => {
  assert.equal(value('Notice period (days)', 'Notice period: 2 months', { type: 'integer' }), null)
  assert.equal(value('Notice period (months)', 'Notice period: 2 months', { type: 'integer' }), 2)
})

test('a number of running text has the unit that the label names', () => {
  const text = 'Body weight was noted, and 80 of the animals were weighed again.'
  assert.equal(value('Body weight (kg)', text, { type: 'number' }), null)
  assert.equal(value('Body weight (kg)', 'The body weight was 80 kg.', { type: 'number' }), 80)
})

test('the one address of a paper is its writer’s and nobody else’s', () => {
  const text = 'Harrow & Pike Ltd\naccounts@harrow.example\n\nFor Mr Tern.'
  assert.equal(value('Email', text, { type: 'email' }), 'accounts@harrow.example')
  assert.equal(value('Supplier e-mail', text, { type: 'email' }), 'accounts@harrow.example')
  assert.equal(value('Customer e-mail', text, { type: 'email' }), null)
})

test('the currency of an amount without one is that of the document', () => {
  assert.deepEqual(value('Grand total', '{"currency": "CHF", "grandTotal": 1982.01}', { type: 'currency' }), {
    amount: 1982.01,
    currency: 'CHF',
  })
  assert.deepEqual(value('Grand total', '{"grandTotal": 1982.01}', { type: 'currency' }), {
    amount: 1982.01,
    currency: null,
  })
})

test('an unknown type and none are read as strings', () => {
  assert.equal(value('Colour', 'Colour: dark green', { type: 'shade' }), 'dark green')
  assert.equal(value('Colour', 'Colour: dark green'), 'dark green')
})

test('a label is found in British and in American spelling', () => {
  assert.equal(value('Color', 'Colour: dark green'), 'dark green')
  assert.equal(value('Colour', 'Color: dark green'), 'dark green')
  assert.equal(value('Cost center', 'Cost centre: Leeds'), 'Leeds')
  assert.equal(value('Colour', 'Collar: dark green'), null)
})

test('a label whose word every object of the language has is read like any other', () => {
  const texts = ['Client: Acme Ltd\nConstructor: Smith Brothers', 'The constructor number is 42.']
  assert.equal(value('Constructor', texts), 'Smith Brothers')
  assert.ok((find('Constructor', texts)?.confidence ?? 0) > 0.9)
  assert.equal(value('Client constructor', 'Client: Acme Ltd'), null)
})

test('the lines of an address are one value', () => {
  const text = 'Address:            41 Weir Lane\n                    Shrewsbury SY2 6HT\nInspector:          Colm'
  assert.equal(value('Address', text), '41 Weir Lane, Shrewsbury SY2 6HT')
})

test('forms with wide colons are read line by line', () => {
  const text = '发票号码：20260318\n开票日期：2026年3月5日\n電話：03-1234-5678'
  assert.equal(value('发票号码', text), '20260318')
  assert.equal(value('开票日期', text, { type: 'date' }), '2026-03-05')
  assert.equal(value('電話', text, { type: 'phone' }), '0312345678')
})

test('a sentence or a heading is no value of a string', () => {
  assert.equal(value('Law', '## Law\n\nThis agreement has a clause on courts. Disputes go to Amsterdam.'), null)
})

test('passages of the same words below other headings are read each for itself', () => {
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
    (section) => atOnce(finder.find(field, [{ ...station, section }]))?.value,
  )
  assert.deepEqual(found, [undefined, 'Acme College'])
})

test('a passage of nothing but digits, brackets or labels is read as well', () => {
  for (const piece of ['1 ', '(', '- ', 'a: ', '"a":', '12.12.', 'A b ', '| ', '+1-', 'x@', 'no 1 ', '(the "A") ']) {
    for (const type of ['date', 'currency', 'number', 'phone', 'url', 'email', 'list', 'string', 'boolean'])
      assert.doesNotThrow(() => find('Signature date', piece.repeat(2000 / piece.length), { type }), piece)
  }
})

test('a passage of one long word or gap is not gone through from each of its characters', () => {
  for (const piece of ['a', ' ', '*', '.'])
    assert.doesNotThrow(() => find('Order number', `x: ${piece.repeat(100_000)}x`, { type: 'list' }), piece)
})

test('a cell is found by what any of its row says and by its column, never by the column alone', () => {
  const list =
    '| Article no. | Product | Weight (kg) | Price | In stock |\n| --- | --- | --- | --- | --- |\n' +
    '| 1001 | Hiking boot Alta | 1.2 | 129.00 € | yes |\n| 1002 | Trail shoe Brisa | 0.7 | 99.50 € | no |'
  assert.deepEqual(value('Price of the trail shoe', list, { type: 'currency' }), { amount: 99.5, currency: 'EUR' })
  assert.equal(value('Weight of the hiking boot (kg)', list, { type: 'number' }), 1.2)
  assert.equal(value('Is the trail shoe in stock', list, { type: 'boolean' }), false)
  assert.equal(value('Article number of Hiking boot Alta', list), '1001')
  for (const label of ['Price', 'Price of the sandal', 'Product price'])
    assert.equal(value(label, list, { type: 'currency' }), null, label)
  const csv = 'order_id,customer,sku,description,qty\nA-1001,Linde,KX-20,Desk lamp,12\nA-1002,Bodega,KX-31,Wall clock,3'
  assert.equal(value('Quantity of wall clocks', csv, { type: 'integer' }), 3)
  assert.equal(value('Customer of order A-1002', csv), 'Bodega')
  assert.equal(value('Customer of order 1009', csv.replaceAll('A-', 'Order ')), null)
})

test('the cell of another column is no value of the row that is asked for', () => {
  const list = 'Item          Weight     Pages\nAtlas         2.10       320\nPrimer        0.40       96'
  assert.equal(value('Price of the atlas', list, { type: 'currency' }), null)
})

test('a row that goes on with a table of an earlier passage is not the only one', () => {
  const passage = { section: null, title: null, isFirst: false, isCorrection: false }
  const rest = { ...passage, text: 'Clock,2026-02-09,40', header: 'item,order date,quantity' }
  const field = { key: 'date', dataType: 'date', sectionName: '', context: null }
  const dateOf = (label: string) => atOnce(createFieldFinder(['en']).find({ ...field, label }, [rest]))?.value ?? null
  assert.deepEqual([dateOf('Order date'), dateOf('Order date of the clock')], [null, '2026-02-09'])
})

test('labels beside each other name what stands below each, and none is the value of the other', () => {
  const invoice =
    'Bill To:                     Ship To:\nMaple Dental LLC             Harbor Clinic\n410 Elm St                   Dock 2'
  assert.equal(value('Bill to', invoice), 'Maple Dental LLC')
  assert.equal(value('Ship to', invoice), 'Harbor Clinic')
  assert.equal(value('Customer', invoice), 'Maple Dental LLC')
  const form = 'Name:               Date:\nAda Lind            3 May 2026'
  assert.equal(value('Name', form), 'Ada Lind')
  assert.equal(value('Date', form, { type: 'date' }), '2026-05-03')
  assert.equal(value('Name', 'Name:               Date:\n\nWe thank you for your visit.'), null)
  assert.equal(value('Lieferung an', 'Rechnung an:       Lieferung an:\nAlster GmbH        Hafen Depot'), 'Hafen Depot')
})

test('a law of two countries is one', () => {
  const of = (law: string) => value('Governing law', `This Agreement is governed by ${law}.`)
  assert.equal(of('the laws of England and Wales'), 'the laws of England and Wales')
  assert.equal(of('the law of Ireland and the courts there decide'), 'the law of Ireland')
})

test('rows of separated values are no sentences', () => {
  const csv = 'id,name,order date,shipped\nA-1,Desk lamp,2026-02-03,yes\nA-2,Wall clock,2026-02-05,no'
  assert.equal(value('Delivery date', csv, { type: 'date' }), null)
})

test('the next meeting is not this one, and the date on which a contract begins not that of the contract', () => {
  const minutes = 'Minutes of the meeting\n\nDate: 12 May 2026\nParticipants: Ines, Tom\nNext meeting: 26 May 2026'
  assert.equal(value('Meeting date', minutes, { type: 'date' }), '2026-05-12')
  assert.deepEqual(value('Attendees', minutes, { type: 'list' }), ['Ines', 'Tom'])
  const said = 'The board discussed the lease.\n\nThe next meeting of the board takes place on 26 May 2026.'
  assert.equal(value('Board meeting date', said, { type: 'date' }), null)
  assert.equal(value('Next meeting', said, { type: 'date' }), '2026-05-26')
  const contract = 'This Agreement is made on 4 March 2026. The Agreement commences on 1 April 2026.'
  assert.equal(value('Agreement date', contract, { type: 'date' }), '2026-03-04')
  assert.equal(value('Start date', contract, { type: 'date' }), '2026-04-01')
})

test('what is a date already is found behind a label that says so', () => {
  const type = 'date'
  assert.equal(value('Due date', "Date d'échéance : 05/04/2026", { type, language: 'fr' }), '2026-04-05')
  assert.equal(value('Due date', 'Fälligkeitsdatum: 5.4.2026', { type, language: 'de' }), '2026-04-05')
})

test('Spanish invoices and contracts are read by what their labels mean, also for English fields', () => {
  const language = 'es'
  const invoice =
    'FACTURA\n\nCliente: Construcciones Olmo, S.A.\nNúmero de factura: 2026-0457\nFecha de vencimiento: 02/04/2026\n' +
    'Base imponible: 500,00 €\nIVA (21 %): 105,00 €\nTotal a pagar: 605,00 €'
  assert.equal(value('Customer', invoice, { language }), 'Construcciones Olmo, S.A.')
  assert.equal(value('Invoice number', invoice, { language }), '2026-0457')
  assert.equal(value('Due date', invoice, { type: 'date', language }), '2026-04-02')
  assert.deepEqual(value('Total amount', invoice, { type: 'currency', language }), { amount: 605, currency: 'EUR' })
  assert.deepEqual(value('Subtotal', invoice, { type: 'currency', language }), { amount: 500, currency: 'EUR' })
  const lease =
    'CONTRATO DE ARRENDAMIENTO\nEn Valencia, a 15 de enero de 2026\n\n' +
    'De una parte, D.ª Carmen Ortega Ruiz, mayor de edad (en adelante, "la Arrendadora").\n' +
    'De otra parte, D. Pablo Serrano Gil, con DNI 87654321X (en lo sucesivo, el Arrendatario).\n\n' +
    'El contrato tendrá una duración de doce meses y comienza el 1 de febrero de 2026. La renta mensual es de 850 euros.'
  assert.equal(value('Arrendador', lease, { language }), 'Carmen Ortega Ruiz')
  assert.equal(value('Tenant', lease, { language }), 'Pablo Serrano Gil')
  assert.equal(value('Fecha de inicio', lease, { type: 'date', language }), '2026-02-01')
  assert.equal(value('Duración (meses)', lease, { type: 'integer', language }), 12)
  assert.deepEqual(value('Monthly rent', lease, { type: 'currency', language }), { amount: 850, currency: 'EUR' })
  const undefinedParties = 'CONTRATO DE ARRENDAMIENTO\nEn Valencia, a 15 de enero de 2026\n\nLa renta es de 850 euros.'
  assert.equal(value('Arrendador', undefinedParties, { language }), null)
})

test('a span of days has a start and an end', () => {
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

test('a label word for word goes before one that means the same', () => {
  const invoice = 'Total:  £792.00\nAmount paid:  £200.00\nAmount due:  £592.00'
  const amounts = ['Total', 'Amount due'].map((label) => value(label, invoice, { type: 'currency' }))
  assert.deepEqual(amounts, [
    { amount: 792, currency: 'GBP' },
    { amount: 592, currency: 'GBP' },
  ])
})

test('numbers of orders and customers, of notes and invoices, arrivals and departures are told apart', () => {
  const note = 'Lieferschein Nr. L-5583\nBestellnummer: B-20931\nKundennummer: 40077'
  const labels = ['Lieferscheinnummer', 'Bestellnummer', 'Kundennummer']
  assert.deepEqual(
    labels.map((label) => value(label, note, { language: 'de' })),
    ['L-5583', 'B-20931', '40077'],
  )
  assert.equal(value('Número de factura', 'Ibarra\nFactura n.º 2026/117', { language: 'es' }), '2026/117')
  const stay = 'Check-in: Friday, 17 July 2026 (from 15:00)\nCheck-out: Monday, 20 July 2026 (until 11:00)'
  assert.equal(value('Check-out date', stay, { type: 'date' }), '2026-07-20')
  assert.equal(value('是否含运费', '是否含运费：否', { type: 'boolean', language: 'zh' }), false)
  assert.deepEqual(value('Attendees', 'Present: Joan Pike, Amir Shah', { type: 'list' }), ['Joan Pike', 'Amir Shah'])
})

test('a label begins behind the sentence before it, and a number is no part of a date or telephone number', () => {
  const text = 'Claims must be reported within 45 days. Claims line: 0800 555 0133'
  assert.equal(value('Claims line', text, { type: 'phone' }), '08005550133')
  assert.equal(value('Claims reported', text), null)
  assert.equal(value('Claims line', text, { type: 'integer' }), null)
  assert.deepEqual(value('Total incl. VAT', 'Total incl. VAT: £20', { type: 'currency' }), {
    amount: 20,
    currency: 'GBP',
  })
})

test('in how many days something is due is read from what has to be done within them', () => {
  const cases: [label: string, text: string, expected: number | null, language?: string][] = [
    ['Payment terms (days)', 'Please pay within 30 days to account 88120031.', 30],
    ['Payment period (days)', 'The balance must be paid within 45 days of booking.', 45],
    ['Payment due within', 'Payment is due within 45 days. Late payments are charged 1.5% per month.', 45],
    ['Zahlungsfrist (Tage)', 'Zahlbar innerhalb von 14 Tagen.', 14, 'de'],
    ['Délai de paiement (jours)', 'Paiement à 30 jours par virement.', 30, 'fr'],
    ['Payment terms (days)', 'You have 28 days of paid holiday.', null],
  ]
  for (const [label, text, expected, language] of cases)
    assert.equal(
      value(label, text, { type: 'integer', ...(language === undefined ? {} : { language }) }),
      expected,
      text,
    )
})

test('a number is that of the thing right behind it', () => {
  const flat = 'Vermietet wird die Wohnung mit 3 Zimmern und 78 m² Wohnfläche.'
  assert.equal(value('Zimmer', flat, { type: 'integer', language: 'de' }), 3)
  assert.equal(value('Number of adults', 'Room: double\nGuests: 2 adults, 1 child', { type: 'integer' }), 2)
  assert.equal(value('Number of dogs', 'Room: double\nGuests: 2 adults, 1 child', { type: 'integer' }), null)
})

test('a party of several is a list of them, and a landlady a landlord', () => {
  const lease =
    'Mietvertrag zwischen Frau Helga Brandt, Lindenallee 4 (nachstehend "Vermieterin") und Herrn Karim Haddad und Frau Lena Vogt (nachstehend "Mieter")'
  assert.equal(value('Vermieter', lease, { language: 'de' }), 'Frau Helga Brandt')
  assert.deepEqual(value('Mieter', lease, { type: 'list', language: 'de' }), ['Herrn Karim Haddad', 'Frau Lena Vogt'])
})

test('a paper says what it is below its letterhead as well', () => {
  const letterhead = 'Malerbetrieb Sonnleitner GmbH\nGewerbering 7\n\n'
  const date = { type: 'date', language: 'de' }
  const rechnung = `${letterhead}Rechnung Nr. 2026-0187\nDatum: 12. März 2026`
  assert.equal(value('Rechnungsdatum', rechnung, date), '2026-03-12')
  const note = 'Riverside Surgery\n\nPRESCRIPTION\n\nDate: 18/03/2026'
  assert.equal(value('Prescription date', note, { type: 'date' }), '2026-03-18')
  assert.equal(
    value('Invoice number', `${letterhead}Rechnung Nr. 2026-0187\nMwSt. 19 %    284,05 €`, { language: 'de' }),
    '2026-0187',
  )
  assert.equal(
    value('Steuernummer', `${letterhead}Rechnung Nr. 2026-0187\nMwSt. 19 %    284,05 €`, { language: 'de' }),
    null,
  )
})

test('a label that asks is for what it asks', () => {
  const notice = 'Wann: Samstag, 20. Juni 2026, 17:00 Uhr\nWo: Stadthalle Weiden'
  assert.equal(value('Datum', notice, { type: 'date', language: 'de' }), '2026-06-20')
  assert.equal(value('Ort', notice, { language: 'de' }), 'Stadthalle Weiden')
  assert.equal(value('Preis', notice, { type: 'currency', language: 'de' }), null)
})

test('what somebody does, where and since when is read from the lines of a CV', () => {
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

test('what a value is per is asked for with its label', () => {
  const stay = 'Rate: EUR 128.00 per night\nBreakfast: EUR 14.00 per person'
  assert.deepEqual(value('Rate per night', stay, { type: 'currency' }), { amount: 128, currency: 'EUR' })
  assert.equal(value('Number of nights', stay, { type: 'integer' }), null)
})

test('the list below a numbered heading is found by it', () => {
  const minutes = '2. Rents\nThe rent rises.\n\n3. Action items\n- Amir orders the parts\n- Joan writes to the council'
  assert.deepEqual(value('Action items', minutes, { type: 'list' }), [
    'Amir orders the parts',
    'Joan writes to the council',
  ])
})

test('words of scripts without spaces are found within their runs', () => {
  const text = '第三条 月租金为人民币4,500元，押金为人民币9,000元。'
  const amounts = ['月租金', '押金', '违约金'].map((label) => value(label, text, { type: 'currency', language: 'zh' }))
  assert.deepEqual(amounts, [{ amount: 4500, currency: 'CNY' }, { amount: 9000, currency: 'CNY' }, null])
})

test('lists of one item behind their label, and of items with colons below it, are lists', () => {
  assert.deepEqual(value('Absent', 'Absent: Dan Ito', { type: 'list' }), ['Dan Ito'])
  const cv = 'ELENA MARCHETTI\nGraphic designer\n\nLANGUAGES\n- Italian: native\n- English: C1\n\nSKILLS\nletterpress'
  assert.deepEqual(value('Languages', cv, { type: 'list' }), ['Italian: native', 'English: C1'])
  assert.equal(value('Full name', cv), 'ELENA MARCHETTI')
  assert.equal(value('Full name', cv.replace('ELENA MARCHETTI', 'CURRICULUM VITAE')), null)
  assert.equal(value('Phone', 'Leader: Bob Farrow (07700 900 455)', { type: 'phone' }), '07700900455')
})

test('a word that objects have by nature is a word as any other', () => {
  assert.equal(find('Native code', 'Constructor: Bob Hill'), null)
  const delivery = find('Delivery date', 'For delivery, constructor Hill named 3 May 2026.', { type: 'date' })
  assert.ok(delivery !== null && delivery.confidence > 0)
})

test('what stands in brackets behind words is no debt, and the day of an order no part of its number', () => {
  const flat = "Deposit: five weeks' rent (£1,326.92)\nLoss: (£1,326.92)"
  const amounts = ['Deposit', 'Loss'].map((label) => value(label, flat, { type: 'currency' }))
  assert.deepEqual(amounts, [
    { amount: 1326.92, currency: 'GBP' },
    { amount: -1326.92, currency: 'GBP' },
  ])
  assert.equal(value('Bestellnummer', 'Ihre Bestellung: BE-1902 vom 12.05.2026', { language: 'de' }), 'BE-1902')
})

test('who asks for one is not answered by how many there are, where a name is given', () => {
  assert.equal(value('Guest', 'Guest name: Erik Lindqvist\nGuests: 2 adults, 1 child'), 'Erik Lindqvist')
  assert.equal(value('Guest', 'Guests: 2 adults, 1 child'), '2 adults, 1 child')
})

test('birth, and where, is read within a line, and a numbered heading of Markdown is a label', () => {
  const letter = 'Re: Mr Frank Osborne, DOB 22/09/1957, 9 Chapel Row, Wells'
  assert.equal(value('Date of birth', letter, { type: 'date' }), '1957-09-22')
  assert.equal(value('Geburtsort', 'Geboren am 4. März 1988 in Kassel', { language: 'de' }), 'Kassel')
  const minutes = '## 4. Actions\n- Samir orders the valve\n- Grace books the hall'
  assert.deepEqual(value('Action items', minutes, { type: 'list' }), ['Samir orders the valve', 'Grace books the hall'])
})

test('one thing has several names', () => {
  const stay = 'Confirmation number: AI-55210\nArrival: Thursday 6 August 2026\nDeparture: Sunday 9 August 2026'
  assert.equal(value('Booking reference', stay), 'AI-55210')
  assert.equal(value('Check-out date', stay, { type: 'date' }), '2026-08-09')
  const cv =
    'Berufserfahrung\nseit 04/2019    Teamleiterin, Nordmann GmbH, Kassel\n2014 – 2019    Trainee, Union AG, Fulda'
  assert.equal(value('Derzeitiger Arbeitgeber', cv, { language: 'de' }), 'Nordmann GmbH')
  assert.equal(value('Venue', 'Location: The Old Pump House'), 'The Old Pump House')
})

test('the days within which less is paid are not those within which all is due', () => {
  const terms = 'Zahlbar innerhalb von 14 Tagen ohne Abzug. Bei Zahlung innerhalb von 7 Tagen gewähren wir 2 % Skonto.'
  assert.equal(value('Zahlungsfrist (Tage)', terms, { type: 'integer', language: 'de' }), 14)
  assert.equal(value('Skonto', terms, { type: 'percent', language: 'de' }), 2)
})

test('what somebody is paid is an amount, and no hours', () => {
  const slip =
    'Payments      Hours    Rate     Amount\nBasic pay     152.00   13.40    2,036.80\nOvertime      11.50    20.10    231.15'
  assert.deepEqual(value('Overtime pay', slip, { type: 'currency' }), { amount: 231.15, currency: null })
  assert.equal(value('Overtime hours', slip, { type: 'number' }), 11.5)
  const short = 'Payments      Hours    Days     Month\nOvertime      11.50    2        5'
  assert.notDeepEqual(value('Overtime', short, { type: 'currency' }), { amount: 11.5, currency: null })
})

test('the reference of a thing is its number, and a price a rate', () => {
  const quote = 'Your reference: K-77\nQuote ref: Q-1184\nRate: £124.00 per night'
  assert.equal(value('Quote number', quote), 'Q-1184')
  assert.equal(value('Invoice number', quote), null)
  assert.deepEqual(value('Price per night', quote, { type: 'currency' }), { amount: 124, currency: 'GBP' })
})

test('a word may mean one thing in French and another in Spanish', () => {
  const bail = 'Un appartement de trois pièces.'
  assert.equal(value('Nombre de pièces', bail, { type: 'integer', language: 'fr' }), 3)
  assert.equal(value('Nombre del trabajador', 'Trabajador: Lucía Romero', { language: 'es' }), 'Lucía Romero')
})

test('the date of a paper is the day of its issue, and of no other thing', () => {
  const invoice = 'INVOICE\n\nIssue date       1 June 2026\nDue date         1 July 2026'
  assert.equal(value('Invoice date', invoice, { type: 'date' }), '2026-06-01')
  assert.equal(value('Payment due date', invoice, { type: 'date' }), '2026-07-01')
  assert.equal(value('Delivery date', invoice, { type: 'date' }), null)
})

test('what is measured within a line is named by the word before it, except in a row of cells', () => {
  const findings = 'Befund: Gewicht 104 kg, Größe 178 cm, BMI 32,8.'
  assert.equal(value('Gewicht (kg)', findings, { type: 'number', language: 'de' }), 104)
  assert.equal(value('BMI', findings, { type: 'number', language: 'de' }), 32.8)
  const rows =
    'Art.-Nr.   Bezeichnung          Menge\n4410       KVH Fichte           48\n7703       OSB-Platte 18 mm     35'
  assert.equal(value('Menge OSB-Platte', rows, { type: 'integer', language: 'de' }), 35)
})

test('what is insured is not who insures, and a line with a price is worth its sum', () => {
  assert.equal(value('Insurer', 'Certificate of travel insurance\n\nInsured persons: Ann Lee, Leo Lee'), null)
  const offer = 'Buffet, pro Person 18,90 €            2.268,00 €'
  assert.equal(value('Preis pro Person', offer, { type: 'currency', language: 'de' }), null)
})

test('the last day of something is asked for by "until", and the time within which by a deadline', () => {
  const offer = 'Das Angebot ist gültig bis zum 31. Mai 2026. Die Lieferung ist am 1. Juli 2026.'
  assert.equal(value('Gültig bis', offer, { type: 'date', language: 'de' }), '2026-05-31')
  const claims = 'Claims must be made within 28 days of your return.'
  assert.equal(value('Claims deadline (days)', claims, { type: 'integer' }), 28)
  assert.equal(
    value('Date de paiement', 'Payé le 29/05/2026 par virement', { type: 'date', language: 'fr' }),
    '2026-05-29',
  )
})

test('the employer before the current one is the previous one', () => {
  const cv =
    'EXPERIENCE\nMar 2020 – present   Principal Engineer, Calder Bridges Ltd\nSep 2015 – Feb 2020   Senior Engineer, Thorne & Partners'
  assert.equal(value('Previous employer', cv), 'Thorne & Partners')
  assert.equal(value('Current employer', cv), 'Calder Bridges Ltd')
})

test('a tenancy and a lease are of rent, by the German words for them', () => {
  const lease = 'MIETVERTRAG\n\n§ 2 Mietzeit\nDas Mietverhältnis beginnt am 1. Mai 2026 und läuft auf unbestimmte Zeit.'
  assert.equal(value('Mietbeginn', lease, { type: 'date', language: 'de' }), '2026-05-01')
})

test('a date on a line of its own is that of the issue, and the "Ablauf" of something its end', () => {
  const letter = 'Calloway Print Works Ltd\n\n15 June 2026\n\nTO WHOM IT MAY CONCERN'
  assert.equal(value('Date of issue', letter, { type: 'date' }), '2026-06-15')
  const policy = 'Versicherungsbeginn: 01.04.2026\nVersicherungsablauf: 01.04.2027'
  assert.equal(value('Versicherungsende', policy, { type: 'date', language: 'de' }), '2027-04-01')
})
