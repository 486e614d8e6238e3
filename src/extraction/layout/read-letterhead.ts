import type { Entry } from './entry.ts'
import type { Line } from './split-cells.ts'

const TRUST = { company: 0.85, addressee: 0.85, author: 0.93 } as const
const MAX_HEAD_LINES = 20
const MAX_LINE_CHARACTERS = 80
/** Legal forms in company names. */
const COMPANY_NAME = new RegExp(
  String.raw`^\p{Lu}.*(?<!\p{L})(?:Ltd|LTD|Limited|LLC|LLP|plc|PLC|Inc|Corp|GmbH|AG|KG|OHG|UG|e\. ?K|e\. ?V|SARL|` +
    String.raw`SAS|S\.A(?:\.R\.L|\.S)?|S\.? ?L|B\.V|S\.r\.l|S\.p\.A)\.?$`,
  'u',
)
/** A line without label, and the shape of an address line below: a house number, no colon. */
const PLAIN_LINE = /^\p{Lu}[^\d:：|]*$/u
const ADDRESS_LINE =
  /^[^:：|]*\p{L}{3}[^:：|]*\s\d{1,5}[a-z]?\s?[,·•]|^\d{1,5}[a-z]?,?\s\p{Lu}[^:：|]*,|^\p{Lu}[^:：|,\d]{2,40},\s[^:：|]*\d/u
/** Document types, with the role of the company in the letterhead and of the addressee. */
const DOCUMENT_KINDS = [
  {
    form: new RegExp(
      'invoice|rechnung|facture|factura|quot(?:e|ation)|angebot|devis|presupuesto|delivery note|' +
        'lieferschein|bon de livraison|albarán|order confirmation|auftragsbestätigung|receipt|quittung|' +
        'credit note|gutschrift',
      'iu',
    ),
    company: 'supplier sender',
    addressee: 'customer recipient',
  },
  {
    form: new RegExp(
      'pay ?slip|lohn|gehalt|bulletin de (?:paie|salaire)|nómina|salarios|employment|employed|' +
        'arbeitszeugnis|contrat de travail|contrato de trabajo',
      'iu',
    ),
    company: 'employer',
    addressee: '',
  },
  { form: /insurance|versicherung|assurance|seguro/iu, company: 'insurer', addressee: 'policyholder' },
] as const
/** Lines above the addressee in German letters (DIN 5008). */
const HONORIFIC = /^(?:Herrn?|Frau|Firma|Familie|Monsieur|Madame)$/u
const WORD = String.raw`\p{Lu}(?:\.|[\p{L}'’-]{1,40})`
const TITLE = String.raw`(?:(?:Dr|Prof|Mr|Mrs|Ms|Herrn?|Frau|M|Mme)\b\.? ){0,3}`
const NAME = `${TITLE}${WORD}(?: ${WORD}){1,3}`
const PERSON = new RegExp(`^${NAME}$`, 'u')
/** `To: Mrs Eleanor Baines`, in the head of a letter. */
const TO_LINE = new RegExp(String.raw`^(?:To|An|À|Para|For|Für|Pour)\s?:\s{0,9}(${NAME})$`, 'u')
/** `Prepared by Owen Tarrant` at the beginning of a sentence. */
const AUTHOR_PHRASE = new RegExp(
  String.raw`(?<=^|\n|[.;!?]\s)(\p{Lu}\p{L}{2,20}(?: \p{Ll}{2,20}){0,2} (?:by|von|par|por)):? [*_]{0,2}(${NAME})`,
  'gu',
)

/**
 * Reads sender and addressee from the letterhead: company name, name below `Herrn`, text after
 * `To:`.
 */
export function readLetterhead(lines: readonly Line[]): Entry[] {
  const head = lines.slice(0, MAX_HEAD_LINES)
  const words = head.map((line) => line.text).join('\n')
  const kind = DOCUMENT_KINDS.find(({ form }) => form.test(words))
  const company = readCompany(head, kind)
  if (kind === undefined) return company
  const addressees = head.flatMap((line, row) =>
    line.cells.flatMap((cell): Entry[] => {
      const below = head[row + 1]?.cells[0]
      if (HONORIFIC.test(cell.text) && below !== undefined && PERSON.test(below.text))
        return [createEntry(kind.addressee, below, TRUST.addressee)]
      const name = TO_LINE.exec(cell.text)?.[1]
      const start = cell.end - (name?.length ?? 0)
      return name === undefined ? [] : [createEntry(kind.addressee, { start, end: cell.end }, TRUST.addressee)]
    }),
  )
  return [...company, ...addressees]
}

/**
 * The first line, if shaped like a company name, or if above an address in a document type that
 * companies send.
 */
function readCompany(head: readonly Line[], kind: (typeof DOCUMENT_KINDS)[number] | undefined): Entry[] {
  const lines = head.filter((line) => line.text.trim() !== '')
  const top = lines[0]?.cells[0]?.text ?? ''
  const isTitled = !COMPANY_NAME.test(top) && lines[0]?.cells.length === 1 && kind?.form.test(top) === true
  const row = isTitled ? 1 : 0
  const first = lines[row]?.cells[0]
  if (first === undefined || first.text.length > MAX_LINE_CHARACTERS || HONORIFIC.test(first.text)) return []
  const isAboveAddress =
    kind !== undefined &&
    PLAIN_LINE.test(first.text) &&
    ADDRESS_LINE.test(lines[row + 1]?.text.slice(0, MAX_LINE_CHARACTERS) ?? '')
  if (!COMPANY_NAME.test(first.text) && !isAboveAddress) return []
  return [createEntry(`company issuer ${kind?.company ?? ''}`, first, TRUST.company)]
}

/** Persons that wrote, signed or took part: `Minutes taken by Owen Pryce`. */
export function readAuthors(text: string): Entry[] {
  return [...text.matchAll(AUTHOR_PHRASE)].map(({ 0: whole, 1: label = '', 2: name = '', index }) => {
    const end = index + whole.length
    return { label, contextLabel: '', start: end - name.length, end, blockEnd: end, trust: TRUST.author }
  })
}

function createEntry(contextLabel: string, { start, end }: { start: number; end: number }, trust: number): Entry {
  return { label: '', contextLabel, start, end, blockEnd: end, trust }
}

const SIGNATURE = new RegExp(String.raw`^(${NAME}), (\p{L}[^,.:：;\d]{2,50})\.?$`, 'u')

/** Reads lines of a name and a role: `Bastien Roux, directeur`. */
export function readSignatures(lines: readonly Line[]): Entry[] {
  return lines.flatMap(({ cells }): Entry[] => {
    const [cell] = cells.length === 1 ? cells : []
    const [, name = '', label = ''] = (cell && SIGNATURE.exec(cell.text)) ?? []
    if (cell === undefined || name === '') return []
    const end = cell.start + name.length
    return [{ label, contextLabel: '', start: cell.start, end, blockEnd: end, trust: TRUST.author }]
  })
}
