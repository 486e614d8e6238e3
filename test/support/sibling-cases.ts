import { type FieldCases, money } from './invoice-cases.ts'

/** Numbered, lettered and named siblings in labels, sentences, tables and records. */
export const SIBLING_CASES: readonly FieldCases[] = [
  {
    name: 'Severities on one line',
    language: 'en',
    text: 'Response time for severity 1: 30 minutes. Response time for severity 2: 4 hours.',
    fields: [
      ['Response time for severity 1', 'number', 30],
      ['Response time for severity 2', 'number', 4],
      ['Response time for severity 3', 'number', null],
    ],
  },
  {
    name: 'Classes in a table of two columns',
    language: 'en',
    text: '| Class | Fee |\n|---|---|\n| Class A | £12.00 |\n| Class B | £15.50 |',
    fields: [
      ['Fee for class A', 'currency', money(12, 'GBP')],
      ['Fee for class B', 'currency', money(15.5, 'GBP')],
      ['Fee for class C', 'currency', null],
    ],
  },
  {
    name: 'Sizes',
    language: 'fr',
    text: 'Tarif XS : 4,90 € par mois. Tarif XL : 19,90 € par mois.',
    fields: [
      ['Prix du tarif XL', 'currency', money(19.9, 'EUR')],
      ['Prix du tarif L', 'currency', null],
    ],
  },
  {
    name: 'Rooms without the asked number',
    language: 'es',
    text: 'Sala 1: 120 asientos\nSala 2: 85 asientos',
    fields: [
      ['Asientos de la sala 2', 'integer', 85],
      ['Asientos de la sala 3', 'integer', null],
    ],
  },
  {
    name: 'Tanks before their values',
    language: 'en',
    text: 'Tank A holds 300 litres and tank B holds 450 litres.',
    fields: [
      ['Litres in tank A', 'number', 300],
      ['Litres in tank B', 'number', 450],
      ['Litres in tank C', 'number', null],
    ],
  },
  {
    name: 'Tanks behind their values',
    language: 'en',
    text: 'There are 300 litres in tank A and 450 litres in tank B.',
    fields: [
      ['Litres in tank A', 'number', 300],
      ['Litres in tank B', 'number', 450],
      ['Litres in tank C', 'number', null],
    ],
  },
  {
    name: 'Stages',
    language: 'en',
    text: 'Stage 1 begins on 3 March 2026. Stage 2 begins on 4 April 2026. Stage 3 begins on 5 May 2026.',
    fields: [
      ['Start of stage 2', 'date', '2026-04-04'],
      ['Start of stage 3', 'date', '2026-05-05'],
      ['Start of stage 4', 'date', null],
      ['End of stage 2', 'date', null],
    ],
  },
  {
    name: 'Headings',
    language: 'en',
    text: '## Building A\n\nYear built: 1931\nArea: 420 m²\n\n## Building B\n\nYear built: 1964\nArea: 515 m²',
    fields: [
      ['Year built of building A', 'integer', 1931],
      ['Area of building B', 'number', 515],
      ['Area of building C', 'number', null],
    ],
  },
  {
    name: 'Lists and ranges of zones',
    language: 'en',
    text: 'Zones 1-3 cost 3 EUR. Zones 4 and 5 cost 5 EUR.',
    fields: [
      ['Cost of zone 2', 'currency', money(3, 'EUR')],
      ['Cost of zone 5', 'currency', money(5, 'EUR')],
      ['Cost of zone 6', 'currency', null],
    ],
  },
  {
    name: 'Records',
    language: 'en',
    text: '[{"fare":"2.10 EUR","zone":1},{"fare":"3.40 EUR","zone":2}]',
    fields: [
      ['Fare for zone 2', 'currency', money(3.4, 'EUR')],
      ['Fare for zone 4', 'currency', null],
    ],
  },
  {
    name: 'Separated values',
    language: 'en',
    text: 'zone,fare\nZone 1,2.10 EUR\nZone 2,3.40 EUR',
    fields: [
      ['Fare for zone 2', 'currency', money(3.4, 'EUR')],
      ['Fare for zone 3', 'currency', null],
    ],
  },
  {
    name: 'Floors',
    language: 'de',
    text: 'Miete 2. Stock: 900 €\nMiete 3. Stock: 1.100 €',
    fields: [
      ['Miete 3. Stock', 'currency', money(1100, 'EUR')],
      ['Miete 4. Stock', 'currency', null],
    ],
  },
  {
    name: 'Russian zones',
    language: 'ru',
    text: 'Зона 1: 60 рублей. Зона 2: 90 рублей.',
    fields: [
      ['Цена зоны 2', 'currency', money(90, 'RUB')],
      ['Цена зоны 3', 'currency', null],
    ],
  },
  {
    name: 'Japanese zones and shops',
    language: 'ja',
    text: 'ゾーン1の運賃：200円\nゾーン2の運賃：300円\n1号店の電話：03-1111-2222\n2号店の電話：03-3333-4444',
    fields: [
      ['ゾーン2の運賃', 'currency', money(300, 'JPY')],
      ['ゾーン3の運賃', 'currency', null],
      ['2号店の電話', 'phone', '0333334444'],
      ['3号店の電話', 'phone', null],
    ],
  },
  {
    name: 'Shifts',
    language: 'en',
    text: 'Morning shift supervisor: j.orr@plant.example\nNight shift supervisor: d.cole@plant.example',
    fields: [
      ['Night shift supervisor', 'email', 'd.cole@plant.example'],
      ['Late shift supervisor', 'email', null],
    ],
  },
  {
    name: 'Teams',
    language: 'fr',
    text: "Chef d'équipe du matin : a.roux@usine.example\nChef d'équipe de nuit : b.petit@usine.example",
    fields: [
      ["Chef d'équipe de nuit", 'email', 'b.petit@usine.example'],
      ["Chef d'équipe du soir", 'email', null],
    ],
  },
  {
    name: 'Gates',
    language: 'en',
    text: 'North gate width: 3 m\nSouth gate width: 4 m',
    fields: [
      ['South gate width (m)', 'number', 4],
      ['East gate width (m)', 'number', null],
    ],
  },
  {
    name: 'Levels, and another thing behind',
    language: 'en',
    text: 'Level 1 costs 20 EUR. Level 2 costs 40 EUR. A certificate costs 15 EUR.',
    fields: [
      ['Cost of level 2', 'currency', money(40, 'EUR')],
      ['Cost of level 3', 'currency', null],
    ],
  },
  {
    name: 'An address with its kind in the name',
    language: 'en',
    text: 'Release manager: Odalys Finch. Security reports go to security@tidewatch.example.',
    fields: [['Security email', 'email', 'security@tidewatch.example']],
  },
]
