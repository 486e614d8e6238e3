import { listWords } from '../../engine/languages/language.ts'

/** A kind of number whose form is fixed by a standard or an authority. */
type IdentifierKind = {
  /** Words of its labels, in lower case; `_` joins a phrase. */
  labels: string
  /** The form, without borders. */
  form: string
}

/** An identifier in a text. */
type FoundIdentifier = { start: number; end: number; isValid: boolean }

/** The form of numbers in registers of companies. */
const REGISTER_FORM = String.raw`(?:HR[AB][ ]?)?(?:[A-Z]{1,3}[ ]?)?\d(?:[ ./-]?\d){3,16}(?:[ ][A-Z](?![\p{L}]))?`

/**
 * Kinds of identifiers by the key of their label words. A label of one kind never names a value of
 * another: a tax number is no VAT identification number.
 */
const IDENTIFIERS: Readonly<Record<string, IdentifierKind>> = {
  iban: {
    labels: 'iban international_bank_account_number',
    form: String.raw`[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?`,
  },
  bic: {
    labels: 'bic swift swift_code swift_bic bic_swift bic_code swift-code swift-bic',
    form: '[A-Z]{4}[ ]?[A-Z]{2}[ ]?[A-Z0-9]{2}(?:[ ]?[A-Z0-9]{3})?',
  },
  vat_id: {
    labels: `
      vat_number vat_no vat_id vat_id_no vat_id_number vat_registration_number vat_registration_no vat_reg vat_reg_no
      vat_identification_number ust-idnr ust-id ust-id-nr ust_idnr ust_id ust_id_nr ust-ident-nr ustid ustidnr
      umsatzsteuer-id umsatzsteuer-identifikationsnummer umsatzsteueridentifikationsnummer uid-nummer mwst-nummer
      numéro_de_tva n°_tva n°_de_tva tva_intracommunautaire numéro_de_tva_intracommunautaire
      n°_de_tva_intracommunautaire n°_tva_intracommunautaire nif-iva número_de_iva partita_iva p_iva numero_iva
      btw-nummer btwnummer btw_nummer btw-id btw-nr btw-identificatienummer número_de_iva org_nr_mva momsnummer
      numer_vat nip_ue vat-id vat-number vat-no
    `,
    form:
      String.raw`(?:CHE|[A-Z]{2})[ -]?(?=(?:[ .-]?[A-Z0-9]){0,11}\d)[A-Z0-9*+]{2,12}(?:[ .-]?\d{2,4}){0,4}` +
      String.raw`(?:[ ]?B\d{2}|[ ](?:MVA|MWST|TVA|IVA))?|\d{11}`,
  },
  tax_id: {
    labels: `
      tax_number tax_no tax_id tax_id_no tax_identification_number utr tax_reference steuernummer steuer-nr
      steuer_nr st-nr st_nr steuer-id steuer-idnr steueridentifikationsnummer numéro_fiscal n°_fiscal cif nif
      codice_fiscale cod_fisc nip nr_nip numer_nip nif cnpj cpf nipc número_de_contribuinte инн
      纳税人识别号 统一社会信用代码
    `,
    // A number of nine digits behind the code of a country is a VAT number.
    form:
      String.raw`(?!(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|FI|FR|GB|HR|HU|IE|LT|LU|LV|MT|NL|RO|SE|SI|SK)[ ]?\d{7})` +
      String.raw`[A-Z]{0,6}[ -]?\d(?=(?:[ ./-]?[A-Z0-9]){5})(?:[ ]?[./-]?[ ]?[A-Z0-9]){5,18}`,
  },
  company_register: {
    labels: `
      company_number company_no company_registration_number company_reg_no registered_number handelsregister
      handelsregisternummer
    `,
    form: REGISTER_FORM,
  },
  ...Object.fromEntries(
    listWords('hrb hra siret siren rcs kvk regon krs огрн кпп cvr organisationsnummer').map((name) => [
      name,
      { labels: `${name} ${name}_nr ${name}-nummer ${name}_nummer numéro_${name} n°_${name}`, form: REGISTER_FORM },
    ]),
  ),
  sort_code: {
    labels: 'sort_code routing_number bank_code bankleitzahl blz aba_number bsb',
    form: String.raw`\d(?:[ -]?\d){4,9}`,
  },
}

/** Meaning of each label of an identifier, with hyphens and with spaces between its words. */
export const IDENTIFIER_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries(IDENTIFIERS).flatMap(([key, { labels }]) =>
    listWords(labels).flatMap((label) =>
      [label.replaceAll('_', ' '), normalizeLabel(label)].map((form) => [form, key] as const),
    ),
  ),
)

function normalizeLabel(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** True for a key of `IDENTIFIER_LABELS`. */
export function isIdentifierKey(key: string): boolean {
  return FORMS.has(key)
}

const BORDERS = { before: String.raw`(?<![\p{L}\p{N}])`, after: String.raw`(?![\p{L}\p{N}]|[./-]\d)` } as const
const FORMS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(IDENTIFIERS).map(([key, { form }]) => [
    key,
    new RegExp(`${BORDERS.before}(?:${form})${BORDERS.after}`, 'gu'),
  ]),
)

/** Finds the identifiers of a kind in a text, in order, with the verdict of their check digits. */
export function findIdentifiers(text: string, key: string): FoundIdentifier[] {
  const form = FORMS.get(key)
  if (form === undefined) return []
  return [...text.matchAll(form)].map((match) => {
    const compact = match[0].replaceAll(/[\s./-]/g, '')
    const isValid = key !== 'iban' || isValidIban(compact)
    return { start: match.index, end: match.index + match[0].length, isValid }
  })
}

/** ISO 13616: the number modulo 97 is one, with letters as two digits. */
function isValidIban(compact: string): boolean {
  const digits = `${compact.slice(4)}${compact.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** A labelled identifier in running text or in a line of several. */
type LabelledIdentifier = { key: string; labelStart: number; start: number; end: number }

const LABELS = [...IDENTIFIER_LABELS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((label) => label.replaceAll(/[^\p{L}\p{N}]+/gu, String.raw`[\s.°/-]{1,3}`))
  .join('|')
const LABEL = new RegExp(
  String.raw`(?<!\p{L})(${LABELS})(?!\p{L})(?:[\s.:：°#)-]|(?:no|nr|number|nummer|num)(?!\p{L})){0,8}`,
  'giu',
)
const MAX_GAP_CHARACTERS = 2

/** Finds identifiers that follow their label: `VAT No. GB 123 4567 82   Company No. 07654321`. */
export function findLabelledIdentifiers(text: string): LabelledIdentifier[] {
  return [...text.matchAll(LABEL)].flatMap((match) => {
    const key = IDENTIFIER_LABELS.get(normalizeLabel(match[1] ?? ''))
    const from = match.index + match[0].length
    const line = text.slice(from).split('\n', 1)[0] ?? ''
    const [found] = key === undefined ? [] : findIdentifiers(line, key)
    if (key === undefined || found === undefined || found.start > MAX_GAP_CHARACTERS) return []
    return [{ key, labelStart: match.index, start: from + found.start, end: from + found.end }]
  })
}
