import { type FieldCases, money } from './invoice-cases.ts'

/** Values that a text states after their label without a colon, in a sentence or in a rate. */
export const STATED_CASES: readonly FieldCases[] = [
  {
    name: 'Kaltmiete 870 Euro, Stellplatz 60 Euro, ',
    language: 'de',
    text: 'Kaltmiete 870 Euro, Stellplatz 60 Euro, Kaution 2.610 Euro',
    fields: [
      ['Kaution', 'currency', money(2610, 'EUR')],
      ['Stellplatz', 'currency', money(60, 'EUR')],
      ['Heizkosten', 'currency', null],
      ['Kaltmiete', 'currency', money(870, 'EUR')],
      ['Warmmiete', 'currency', null],
    ],
  },
  {
    name: 'Ticket 18.20 USD    Service fee 2.10 USD',
    language: 'en',
    text: 'Ticket 18.20 USD    Service fee 2.10 USD    Total 20.30 USD',
    fields: [
      ['Service fee', 'currency', money(2.1, 'USD')],
      ['Ticket', 'currency', money(18.2, 'USD')],
      ['Total', 'currency', money(20.3, 'USD')],
      ['Delivery fee', 'currency', null],
      ['Tax', 'currency', null],
    ],
  },
  {
    name: 'Miles flown 880    Miles balance 12,450 ',
    language: 'en',
    text: 'Miles flown 880    Miles balance 12,450    Tier points 40',
    fields: [
      ['Miles balance', 'integer', 12450],
      ['Miles flown', 'integer', 880],
      ['Tier points', 'integer', 40],
      ['Points balance', 'integer', null],
      ['Bonus miles', 'integer', null],
    ],
  },
  {
    name: 'Loyer 650 euros, charges 85 euros, dépôt',
    language: 'fr',
    text: 'Loyer 650 euros, charges 85 euros, dépôt de garantie 650 euros',
    fields: [
      ['Charges', 'currency', money(85, 'EUR')],
      ['Dépôt de garantie', 'currency', money(650, 'EUR')],
    ],
  },
  {
    name: 'Zahlbar am 15.03.2026. Lieferung am 2. A',
    language: 'de',
    text: 'Zahlbar am 15.03.2026. Lieferung am 2. April 2026.',
    fields: [
      ['Fälligkeitsdatum', 'date', '2026-03-15'],
      ['Lieferdatum', 'date', '2026-04-02'],
      ['Rechnungsdatum', 'date', null],
    ],
  },
  {
    name: 'Summa 800,00 kr',
    language: 'sv',
    text: 'Summa 800,00 kr\nMoms 12% 96,00 kr',
    fields: [
      ['Momssats', 'percent', 12],
      ['Moms', 'currency', money(96, 'SEK')],
      ['Rabatt', 'percent', null],
    ],
  },
  {
    name: 'Subtotal 90,00 €',
    language: 'es',
    text: 'Subtotal 90,00 €\nIVA 21% 18,90 €',
    fields: [
      ['Tipo de IVA', 'percent', 21],
      ['IVA', 'currency', money(18.9, 'EUR')],
      ['Descuento', 'percent', null],
    ],
  },
  {
    name: 'Built in 1911 and extended in 1987, the ',
    language: 'en',
    text: 'Built in 1911 and extended in 1987, the villa has six rooms.',
    fields: [
      ['Year of construction', 'integer', 1911],
      ['Year built', 'integer', 1911],
      ['Year of purchase', 'integer', null],
    ],
  },
  {
    name: 'Das Haus wurde 1958 erbaut und 1999 sani',
    language: 'de',
    text: 'Das Haus wurde 1958 erbaut und 1999 saniert.',
    fields: [
      ['Baujahr', 'integer', 1958],
      ['Kaufjahr', 'integer', null],
    ],
  },
  {
    name: 'La maison a été construite en 1927, puis',
    language: 'fr',
    text: 'La maison a été construite en 1927, puis rénovée en 2015.',
    fields: [['Année de construction', 'integer', 1927]],
  },
  {
    name: 'Huset byggdes 1931. Lägenheten har fyra ',
    language: 'sv',
    text: 'Huset byggdes 1931. Lägenheten har fyra rum.',
    fields: [
      ['Byggår', 'integer', 1931],
      ['Antal rum', 'integer', 4],
    ],
  },
  {
    name: 'Cats are welcome. Smoking is not allowed',
    language: 'en',
    text: 'Cats are welcome. Smoking is not allowed on the balcony.',
    fields: [
      ['Cats allowed', 'boolean', true],
      ['Dogs allowed', 'boolean', null],
      ['Smoking allowed', 'boolean', false],
    ],
  },
  {
    name: 'Hunde sind willkommen. Die Kurtaxe beträ',
    language: 'de',
    text: 'Hunde sind willkommen. Die Kurtaxe beträgt 2 Euro.',
    fields: [
      ['Hunde erlaubt', 'boolean', true],
      ['Katzen erlaubt', 'boolean', null],
    ],
  },
  {
    name: 'Dogs are welcome only in the garden.',
    language: 'en',
    text: 'Dogs are welcome only in the garden.',
    fields: [['Dogs allowed', 'boolean', null]],
  },
  {
    name: 'Dogs are not welcome.',
    language: 'en',
    text: 'Dogs are not welcome.',
    fields: [['Dogs allowed', 'boolean', false]],
  },
  {
    name: 'Admission: adults £12, children £6.50.',
    language: 'en',
    text: 'Admission: adults £12, children £6.50.',
    fields: [
      ['Children', 'currency', money(6.5, 'GBP')],
      ['Students', 'currency', null],
      ['Parking', 'currency', null],
    ],
  },
  {
    name: 'Deposit not 400 EUR but 500 EUR, to be p',
    language: 'en',
    text: 'Deposit not 400 EUR but 500 EUR, to be paid soon.',
    fields: [['Cleaning', 'currency', null]],
  },
  {
    name: 'Closed until Friday 5 June 2026. Valid f',
    language: 'en',
    text: 'Closed until Friday 5 June 2026. Valid from 3 May 2026.',
    fields: [
      ['Closing date', 'date', null],
      ['Issue date', 'date', null],
    ],
  },
  {
    name: 'Sampled 03.02.2026    Received 04.02.202',
    language: 'en',
    text: 'Sampled 03.02.2026    Received 04.02.2026    Reported 05.02.2026',
    fields: [
      ['Report date', 'date', '2026-02-05'],
      ['Sample date', 'date', '2026-02-03'],
      ['Birth date', 'date', null],
    ],
  },
  {
    name: '小計 8,000円',
    language: 'ja',
    text: '小計 8,000円\n消費税（8%） 640円\n合計 8,640円',
    fields: [
      ['消費税率', 'percent', 8],
      ['合計', 'currency', money(8640, 'JPY')],
      ['割引率', 'percent', null],
      ['消費税', 'currency', money(640, 'JPY')],
    ],
  },
  {
    name: 'Nachforderung      88,10 €',
    language: 'de',
    text: 'Nachforderung      88,10 €\nVorauszahlung      50,00 €',
    fields: [
      ['Nachzahlung', 'currency', null],
      ['Vorauszahlung', 'currency', money(50, 'EUR')],
    ],
  },
  {
    name: 'Seat 14    Coach 7    Fare 31.00 EUR',
    language: 'en',
    text: 'Seat 14    Coach 7    Fare 31.00 EUR',
    fields: [
      ['Coach', 'integer', 7],
      ['Fare', 'currency', money(31, 'EUR')],
      ['Platform', 'integer', null],
    ],
  },
]
