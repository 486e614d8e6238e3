import { type FieldCases, INVOICE_CASES, money } from './invoice-cases.ts'

/** Tariffs, leaflets and datasheets: the value of a sibling is in the next row or column. */
const TABLES: readonly FieldCases[] = [
  {
    name: 'Plans',
    language: 'en',
    text: `| | Starter | Team | Business |
|---|---|---|---|
| Price per month | $9 | $29 | $79 |
| Users | 3 | 15 | 60 |
| Storage (GB) | 20 | 200 | 1000 |`,
    fields: [
      ['Price of the Team plan', 'currency', money(29, 'USD')],
      ['Price of the Business plan', 'currency', money(79, 'USD')],
      ['Price of the Enterprise plan', 'currency', null],
      ['Users in the Starter plan', 'integer', 3],
      ['Projects in the Starter plan', 'integer', null],
      ['Storage in the Team plan (GB)', 'integer', 200],
    ],
  },
  {
    name: 'Zones',
    language: 'de',
    text: `Fahrpreise ab 1. April 2026

Zone      Einzelfahrt   Tageskarte
Zone 1       2,40 €        7,20 €
Zone 2       3,60 €       10,80 €
Zone 3       4,90 €       14,70 €`,
    fields: [
      ['Einzelfahrt Zone 2', 'currency', money(3.6, 'EUR')],
      ['Tageskarte Zone 3', 'currency', money(14.7, 'EUR')],
      ['Einzelfahrt Zone 4', 'currency', null],
      ['Monatskarte Zone 1', 'currency', null],
    ],
  },
  {
    name: 'Museum leaflet',
    language: 'en',
    text: `Admission: adults £12, children £6.50, students £9.
Parking: £4 for cars. Open daily from 10 to 17.
Call 01904 555 820 for group visits.`,
    fields: [
      ['Admission for children', 'currency', money(6.5, 'GBP')],
      ['Admission for adults', 'currency', money(12, 'GBP')],
      ['Admission for seniors', 'currency', null],
      ['Parking for coaches', 'currency', null],
      ['Parking for cars', 'currency', money(4, 'GBP')],
      ['Family ticket', 'currency', null],
    ],
  },
  {
    name: 'Swimming pool leaflet',
    language: 'fr',
    text: `Entrée adulte : 5,20 €
Entrée enfant : 3,10 €
Carte de dix entrées : 45 €`,
    fields: [
      ['Tarif enfant', 'currency', money(3.1, 'EUR')],
      ['Tarif adulte', 'currency', money(5.2, 'EUR')],
      ['Tarif étudiant', 'currency', null],
      ['Abonnement annuel', 'currency', null],
    ],
  },
  {
    name: 'Quarters',
    language: 'en',
    text: `Figure (thousand USD)   Q1 2025   Q2 2025   Q3 2025
Revenue                   4,120     4,310     4,585
Headcount                    88        91        97`,
    fields: [
      ['Revenue in Q2 2025', 'number', 4310],
      ['Headcount in Q3 2025', 'integer', 97],
      ['Revenue in Q4 2025', 'number', null],
      ['Headcount in Q1 2024', 'integer', null],
      ['Profit in Q3 2025', 'number', null],
    ],
  },
  {
    name: 'Half-years in prose',
    language: 'en',
    text: `In the first half of 2025 the plant produced 41,200 tonnes. In the second half it stood still for
six weeks. Output of the Hull plant in 2024 was 77,900 tonnes.`,
    fields: [
      ['Output of the Leeds plant in 2024', 'number', null],
      ['Output of the Hull plant in 2024', 'number', 77900],
      ['Output of the Hull plant in 2023', 'number', null],
    ],
  },
  {
    name: 'Pump datasheet',
    language: 'en',
    text: `Input voltage: 24 V
Maximum pressure: 6.2 bar
Operating temperature: -10 to 50 °C
Weight without motor: 3.4 kg
Height: 210 mm
Protection class: IP54
Warranty: two years`,
    fields: [
      ['Output voltage (V)', 'number', null],
      ['Input voltage (V)', 'number', 24],
      ['Minimum pressure (bar)', 'number', null],
      ['Maximum pressure (bar)', 'number', 6.2],
      ['Weight with motor (kg)', 'number', null],
      ['Width (mm)', 'number', null],
      ['Height (mm)', 'number', 210],
      ['Efficiency', 'percent', null],
      ['Warranty (years)', 'integer', 2],
    ],
  },
  {
    name: 'Heater datasheet',
    language: 'es',
    text: `Potencia máxima: 2.000 W
Tensión de entrada: 230 V
Peso neto: 7,8 kg
Garantía: tres años`,
    fields: [
      ['Potencia mínima (W)', 'number', null],
      ['Peso bruto (kg)', 'number', null],
      ['Peso neto (kg)', 'number', 7.8],
      ['Garantía (años)', 'integer', 3],
      ['Consumo anual (kWh)', 'number', null],
    ],
  },
  {
    name: 'Stock list',
    language: 'en',
    text: `sku,colour,stock,price
A-100,blue,12,19.50
A-101,red,7,21.00
A-102,green,0,18.25`,
    fields: [
      ['Stock of red', 'integer', 7],
      ['Price of A-100', 'number', 19.5],
      ['Price of A-105', 'number', null],
      ['Stock of yellow', 'integer', null],
    ],
  },
]

/** Records and sections of several alike things. */
const RECORDS: readonly FieldCases[] = [
  {
    name: 'Machines',
    language: 'en',
    text: `{"machine":"KV-2051","hall":"North","mass_t":8.4,"serial":"77120"}
{"machine":"KV-2052","hall":"South","mass_t":6.1,"serial":"77125"}`,
    fields: [
      ['Mass of machine KV-2052 (t)', 'number', 6.1],
      ['Mass of machine KV-2051 (t)', 'number', 8.4],
      ['Mass of machine KV-2053 (t)', 'number', null],
      ['Hall of machine KV-2052', 'string', 'South'],
    ],
  },
  {
    name: 'Applicants',
    language: 'en',
    text: `# Applicants

## Nora Feld
Notice: one month. Salary wish: EUR 51,000

## Tom Aske
Email: tom@aske.example`,
    fields: [
      ['Email of Nora Feld', 'email', null],
      ['Email of Tom Aske', 'email', 'tom@aske.example'],
    ],
  },
  {
    name: 'Club accounts',
    language: 'en',
    text: `Income from court fees was GBP 2,310. The treasurer is Lena Orr. Coach: Pat Finn. See the board.`,
    fields: [
      ['Court fee', 'currency', null],
      ['Treasurer', 'string', 'Lena Orr'],
      ['Groundskeeper', 'string', null],
    ],
  },
  {
    name: 'Club in Spain',
    language: 'es',
    text: `La presidenta es Marta Olivares y el tesorero es Luis Prado.`,
    fields: [
      ['Presidenta', 'string', 'Marta Olivares'],
      ['Secretaria', 'string', null],
    ],
  },
]

/** Contracts, advertisements and CVs: words for numbers, years, and what another party has. */
const PROSE: readonly FieldCases[] = [
  {
    name: 'House for sale',
    language: 'en',
    text: `A five-bedroom farmhouse of 1887 with two bathrooms, on a plot of 1,450 m². The roof was renewed
in 2012. Price on application.`,
    fields: [
      ['Number of bedrooms', 'integer', 5],
      ['Number of bathrooms', 'integer', 2],
      ['Number of garages', 'integer', null],
      ['Year built', 'integer', null],
      ['Asking price', 'currency', null],
      ['Number of floors', 'integer', null],
    ],
  },
  {
    name: 'Flat to let',
    language: 'de',
    text: `Helle Dreizimmerwohnung, Baujahr 1974, im vierten Stock, mit Balkon. Kaltmiete 780 €,
Nebenkosten 160 €. Frei ab 1. Mai 2026. Haustiere nur mit Zustimmung des Vermieters.`,
    fields: [
      ['Anzahl Zimmer', 'integer', 3],
      ['Kaltmiete', 'currency', money(780, 'EUR')],
      ['Nebenkosten', 'currency', money(160, 'EUR')],
      ['Kaution', 'currency', null],
      ['Warmmiete', 'currency', null],
      ['Baujahr', 'integer', 1974],
      ['Haustiere erlaubt', 'boolean', null],
      ['Anzahl Bäder', 'integer', null],
    ],
  },
  {
    name: 'Flat to let in France',
    language: 'fr',
    text: `Appartement de trois pièces construit en 1968, avec deux chambres. Loyer 950 € par mois,
charges 120 €.`,
    fields: [
      ['Nombre de pièces', 'integer', 3],
      ['Nombre de chambres', 'integer', 2],
      ['Dépôt de garantie', 'currency', null],
      ['Loyer mensuel', 'currency', money(950, 'EUR')],
      ['Nombre de salles de bain', 'integer', null],
    ],
  },
  {
    name: 'Flat to let in Spain, Italy and Portugal',
    language: 'es',
    text: `Piso de cuatro habitaciones, edificio de 1995, con dos baños y garaje. Alquiler: 1.100 € al mes.`,
    fields: [
      ['Número de habitaciones', 'integer', 4],
      ['Número de baños', 'integer', 2],
      ['Número de terrazas', 'integer', null],
      ['Fianza', 'currency', null],
    ],
  },
  {
    name: 'House for sale in the Netherlands',
    language: 'nl',
    text: `Ruime woning uit 1932 met vijf slaapkamers en twee badkamers. Vraagprijs € 425.000.`,
    fields: [
      ['Aantal slaapkamers', 'integer', 5],
      ['Aantal badkamers', 'integer', 2],
      ['Aantal garages', 'integer', null],
      ['Vraagprijs', 'currency', money(425000, 'EUR')],
    ],
  },
  {
    name: 'Flat for sale in Italy',
    language: 'it',
    text: `Appartamento del 1958 con quattro camere e due bagni. Prezzo: 210.000 €.`,
    fields: [
      ['Numero di camere', 'integer', 4],
      ['Numero di bagni', 'integer', 2],
      ['Spese condominiali', 'currency', null],
    ],
  },
  {
    name: 'Flat for sale in Poland',
    language: 'pl',
    text: `Mieszkanie z 1979 roku: trzy pokoje i dwie łazienki. Cena 540 000 zł.`,
    fields: [
      ['Liczba pokoi', 'integer', 3],
      ['Liczba łazienek', 'integer', 2],
      ['Czynsz', 'currency', null],
    ],
  },
  {
    name: 'Rooms counted by age',
    language: 'en',
    text: `The barn dates from 1850. A single-storey annexe was added in 1999.`,
    fields: [
      ['Number of rooms', 'integer', null],
      ['Number of barns', 'integer', null],
      ['Floor area (m²)', 'number', null],
    ],
  },
  {
    name: 'Lease',
    language: 'en',
    text: `This lease is made on 3 February 2026 between Ida Thorne (the "Landlord") and Paul Reyes
(the "Tenant"). The rent is £1,150 a month. The Landlord may end the lease with three months' notice.
Subletting is not permitted without the written consent of the Landlord. Pets may be kept only with consent.
Interest of 4 % a year is charged on late rent.`,
    fields: [
      ['Deposit', 'currency', null],
      ['Rent', 'currency', money(1150, 'GBP')],
      ['Subletting permitted', 'boolean', null],
      ['Pets allowed', 'boolean', null],
      ['End date', 'date', null],
      ["Tenant's phone", 'phone', null],
      ["Landlord's name", 'string', 'Ida Thorne'],
      ['Rent increase', 'percent', null],
      ['Late interest rate', 'percent', 4],
      ["Tenant's notice period (months)", 'integer', null],
    ],
  },
  {
    name: 'Employment contract',
    language: 'de',
    text: `Zwischen der Nordlicht Reederei GmbH (Arbeitgeber) und Frau Petra Sonntag (Arbeitnehmerin).
Das Arbeitsverhältnis beginnt am 1. Juni 2026. Die Probezeit beträgt sechs Monate. Der Urlaub
beträgt 28 Arbeitstage. Die Vergütung beträgt 3.900 € brutto im Monat.`,
    fields: [
      ['Probezeit (Monate)', 'integer', 6],
      ['Urlaubstage', 'integer', 28],
      ['Beginn', 'date', '2026-06-01'],
      ['Ende', 'date', null],
      ['Kündigungsfrist (Monate)', 'integer', null],
      ['Jahresbonus', 'currency', null],
      ['Geburtsdatum der Arbeitnehmerin', 'date', null],
    ],
  },
  {
    name: 'CV',
    language: 'en',
    text: `Mira Aldous
mira@aldous.example

Experience
2019 – 2023: Analyst, Brightwater Bank
2023 – present: Team lead, Corvid Labs

Education
BSc Physics, University of Leeds, 2018

References: Dr Sam Poole, +44 113 496 0011`,
    fields: [
      ['Email', 'email', 'mira@aldous.example'],
      ['Phone', 'phone', null],
      ['Date of birth', 'date', null],
      ['Salary expectation', 'currency', null],
      ['Years of experience', 'integer', null],
      ['Driving licence', 'boolean', null],
    ],
  },
  {
    name: 'Insurance policy',
    language: 'en',
    text: `Travel insurance: excess £75, cover for baggage up to £2,000.
Policy number TR-55810
Home insurance: excess £250.
Claims line: 0800 555 0142`,
    fields: [
      ['Travel insurance excess', 'currency', money(75, 'GBP')],
      ['Home insurance excess', 'currency', money(250, 'GBP')],
      ['Car insurance excess', 'currency', null],
      ['Claims phone', 'phone', '08005550142'],
      ['Claim number', 'string', null],
      ['Policy number', 'string', 'TR-55810'],
      ['Premium', 'currency', null],
    ],
  },
  {
    name: 'Loan in Russian',
    language: 'ru',
    text: `Процентная ставка по кредиту составляет 12,5% годовых. Срок кредита: три года. Дом построен в 1986 году.`,
    fields: [
      ['Процентная ставка', 'percent', 12.5],
      ['Срок кредита (лет)', 'integer', 3],
      ['Комиссия', 'percent', null],
      ['Количество комнат', 'integer', null],
    ],
  },
  {
    name: 'Chinese lease',
    language: 'zh',
    text: `本合同签订日期：2026年3月1日。月租金为人民币4500元，押金9000元。房屋建于1998年，三室两厅。`,
    fields: [
      ['月租金', 'currency', money(4500, 'CNY')],
      ['签订日期', 'date', '2026-03-01'],
      ['终止日期', 'date', null],
      ['电话', 'phone', null],
    ],
  },
  {
    name: 'Dates in many forms',
    language: 'pt',
    text: `Início do contrato: 1 de junho de 2026
Fim do contrato: 31/05/2027
Assinado em 20-05-2026`,
    fields: [
      ['Data de início', 'date', '2026-06-01'],
      ['Data de fim', 'date', '2027-05-31'],
      ['Data de nascimento', 'date', null],
    ],
  },
]

/** All documents of the table. */
export const FIELD_CASES: readonly FieldCases[] = [...INVOICE_CASES, ...TABLES, ...RECORDS, ...PROSE]
