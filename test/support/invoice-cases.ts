/** A label, its type and the right value; `null` if the text has none, or a sibling has it. */
type FieldCase = readonly [label: string, type: string, value: unknown]

/** An invented document in a language (ISO 639-1) with fields whose values are easily confused. */
export type FieldCases = { name: string; language: string; text: string; fields: readonly FieldCase[] }

/** A value of type `currency`. */
export function money(amount: number, currency: string | null) {
  return { amount, currency }
}

/** Invoices, bills and letters: identifiers, rates and sums beside each other. */
export const INVOICE_CASES: readonly FieldCases[] = [
  {
    name: 'English invoice',
    language: 'en',
    text: `Tarn Joinery Ltd
VAT No. GB 123 4567 82   Company No. 07654321
Sort code 20-11-43   Account 73920184

INVOICE TJ-0417
Your order: PO-88213
Customer account: C-5510

Oak door, 2 off         840.00
Fitting                 165.00
Net                   1,005.00
VAT 20%                 201.00
Total due           £ 1,206.00`,
    fields: [
      ['VAT rate', 'percent', 20],
      ['VAT amount', 'currency', money(201, 'GBP')],
      ['Total', 'currency', money(1206, 'GBP')],
      ['VAT registration number', 'string', 'GB 123 4567 82'],
      ['IBAN', 'string', null],
      ['Discount rate', 'percent', null],
      ['Purchase order number', 'string', 'PO-88213'],
      ['Delivery note number', 'string', null],
      ['Phone', 'phone', null],
      ['Deposit paid', 'currency', null],
    ],
  },
  {
    name: 'German invoice',
    language: 'de',
    text: `Schreinerei Lohmann GmbH
Steuernummer: 21/815/08150
IBAN: DE89 3704 0044 0532 0130 00
BIC: COBADEFFXXX

Rechnung Nr. 2026-118 vom 04.03.2026
Kundennummer 40217

Zwischensumme          1.200,00
zzgl. MwSt. 19 %         228,00
Rechnungsbetrag        1.428,00 EUR
Bei Zahlung binnen 10 Tagen 2 % Skonto.`,
    fields: [
      ['USt-IdNr.', 'string', null],
      ['Umsatzsteuer-Identifikationsnummer', 'string', null],
      ['Steuernummer', 'string', '21/815/08150'],
      ['IBAN', 'string', 'DE89 3704 0044 0532 0130 00'],
      ['BIC', 'string', 'COBADEFFXXX'],
      ['Kundennummer', 'string', '40217'],
      ['Auftragsnummer', 'string', null],
      ['Rechnungsnummer', 'string', '2026-118'],
      ['Mehrwertsteuersatz', 'percent', 19],
      ['Skonto', 'percent', 2],
      ['Rechnungsdatum', 'date', '2026-03-04'],
      ['Lieferdatum', 'date', null],
      ['Telefon', 'phone', null],
    ],
  },
  {
    name: 'German letter with a VAT identification number',
    language: 'de',
    text: `Kröger Metallbau KG, Umsatzsteuer-ID: DE 812 345 679, HRB 4711 Amtsgericht Celle
Fragen an buchhaltung@kroeger.example oder 05141 / 20 30 40.`,
    fields: [
      ['USt-IdNr.', 'string', 'DE 812 345 679'],
      ['Steuernummer', 'string', null],
      ['Telefon', 'phone', '05141203040'],
      ['Fax', 'phone', null],
      ['E-Mail', 'email', 'buchhaltung@kroeger.example'],
    ],
  },
  {
    name: 'French invoice',
    language: 'fr',
    text: `Menuiserie Caradec SARL
SIRET 812 345 678 00019
N° de TVA intracommunautaire : FR40303265045

Facture n° F-2026-77
Référence client : K-2290

Total HT            900,00 €
TVA (10 %)           90,00 €
Total TTC           990,00 €
Échéance : 1er avril 2026`,
    fields: [
      ['Taux de TVA', 'percent', 10],
      ['Montant de la TVA', 'currency', money(90, 'EUR')],
      ['Numéro de TVA', 'string', 'FR40303265045'],
      ['SIRET', 'string', '812 345 678 00019'],
      ['IBAN', 'string', null],
      ['Numéro de commande', 'string', null],
      ["Date d'échéance", 'date', '2026-04-01'],
      ['Date de livraison', 'date', null],
      ['Taux de remise', 'percent', null],
    ],
  },
  {
    name: 'Spanish invoice',
    language: 'es',
    text: `Talleres Ibarra, S.L.
CIF: B58378431
Factura núm. 26/0093
Fecha: 12 de febrero de 2026
Base imponible    500,00 €
IVA 21 %          105,00 €
Total             605,00 €`,
    fields: [
      ['Tipo de IVA', 'percent', 21],
      ['Importe del IVA', 'currency', money(105, 'EUR')],
      ['Número de factura', 'string', '26/0093'],
      ['Número de pedido', 'string', null],
      ['IBAN', 'string', null],
      ['Fecha de factura', 'date', '2026-02-12'],
      ['Fecha de vencimiento', 'date', null],
    ],
  },
  {
    name: 'Italian invoice',
    language: 'it',
    text: `Officina Balestri S.r.l. - P. IVA 12345670017 - Tel. 011 234 5678
Fattura n. 55/2026 del 3 marzo 2026
Imponibile   300,00 €
IVA 22%       66,00 €
Totale       366,00 €
Pagamento entro trenta giorni.`,
    fields: [
      ['Aliquota IVA', 'percent', 22],
      ['Partita IVA', 'string', '12345670017'],
      ['Codice fiscale', 'string', null],
      ['Telefono', 'phone', '0112345678'],
      ['Numero fattura', 'string', '55/2026'],
      ['Data fattura', 'date', '2026-03-03'],
      ['Termine di pagamento (giorni)', 'integer', 30],
      ['IBAN', 'string', null],
    ],
  },
  {
    name: 'Dutch invoice',
    language: 'nl',
    text: `Bakkerij de Wit
KvK 12345678   Btw-nummer NL123456782B90
Factuurnummer 2026-310
Factuurdatum 9 januari 2026
Subtotaal     200,00
Btw 9%         18,00
Totaal      € 218,00`,
    fields: [
      ['Btw-tarief', 'percent', 9],
      ['Btw-nummer', 'string', 'NL123456782B90'],
      ['Factuurnummer', 'string', '2026-310'],
      ['Factuurdatum', 'date', '2026-01-09'],
      ['Ordernummer', 'string', null],
      ['Vervaldatum', 'date', null],
    ],
  },
  {
    name: 'Polish invoice',
    language: 'pl',
    text: `Stolarnia Wilk sp. z o.o.
NIP: 526-025-02-74
Faktura nr 17/02/2026
Data wystawienia: 5 lutego 2026
Wartość netto   1 000,00 zł
VAT 23%           230,00 zł
Razem           1 230,00 zł`,
    fields: [
      ['Stawka VAT', 'percent', 23],
      ['NIP', 'string', '526-025-02-74'],
      ['REGON', 'string', null],
      ['Numer faktury', 'string', '17/02/2026'],
      ['Data wystawienia', 'date', '2026-02-05'],
      ['Termin płatności', 'date', null],
    ],
  },
  {
    name: 'Invoice with two parties',
    language: 'en',
    text: `Supplier: Halden Pumps AS
Supplier VAT ID: NO 974 760 673 MVA
Supplier phone: +47 22 86 44 00

Customer: Orrell Water Ltd
Customer reference: OW-1903

Invoice no. 6612, invoice date 2026-02-27
Amount due: USD 4,310.00`,
    fields: [
      ['Customer VAT ID', 'string', null],
      ['Customer phone', 'phone', null],
      ['Customer email', 'email', null],
      ['Supplier phone', 'phone', '+4722864400'],
      ['Supplier reference', 'string', null],
      ['Customer reference', 'string', 'OW-1903'],
      ['Delivery date', 'date', null],
      ['Invoice date', 'date', '2026-02-27'],
    ],
  },
  {
    name: 'Payment slip with a mistyped account',
    language: 'en',
    text: `Beneficiary: Rowan Trust
IBAN: GB29 NWBK 6016 1331 9268 91
SWIFT/BIC: NWBKGB2L
Reference: RT 2026 04`,
    fields: [
      ['IBAN', 'string', 'GB29 NWBK 6016 1331 9268 91'],
      ['BIC', 'string', 'NWBKGB2L'],
      ['Account number', 'string', null],
      ['Beneficiary', 'string', 'Rowan Trust'],
    ],
  },
  {
    name: 'Receipt',
    language: 'en',
    text: `Copper Kettle Cafe
03/22/2026 12:41
Lunch for two           38.00
State tax (6.5%)         2.47
Service (18%)            6.84
Total                  $47.31`,
    fields: [
      ['Tax rate', 'percent', 6.5],
      ['Service charge rate', 'percent', 18],
      ['Tip', 'currency', null],
      ['Tax', 'currency', money(2.47, 'USD')],
      ['Total', 'currency', money(47.31, 'USD')],
    ],
  },
  {
    name: 'Portuguese invoice',
    language: 'pt',
    text: `Carpintaria Moura, Lda.
NIF: 501964843
Fatura n.º FT 2026/81
Data de emissão: 2 de março de 2026
Subtotal     400,00 €
IVA (23%)     92,00 €
Total        492,00 €`,
    fields: [
      ['Taxa de IVA', 'percent', 23],
      ['NIF', 'string', '501964843'],
      ['Data de emissão', 'date', '2026-03-02'],
      ['Data de vencimento', 'date', null],
      ['IBAN', 'string', null],
    ],
  },
  {
    name: 'Russian invoice',
    language: 'ru',
    text: `ООО «Северный дом»
ИНН 7707083893
Счёт № 214 от 15 января 2026 г.
Сумма без НДС   10 000,00 руб.
НДС 20%          2 000,00 руб.
Итого           12 000,00 руб.`,
    fields: [
      ['Ставка НДС', 'percent', 20],
      ['ИНН', 'string', '7707083893'],
      ['КПП', 'string', null],
      ['Дата счёта', 'date', '2026-01-15'],
      ['Срок оплаты', 'date', null],
    ],
  },
]
