/** Schemas of extractions: the rows of the editor, their JSON, and templates. */
import type { Operations } from '../../../client/operations.ts'

/** Row of the editor. `type` is `text` or a `data_type`; a pasted schema keeps key and section. */
export type Field = {
  id: number
  label: string
  type: string
  key?: string
  section?: { id: string; name: string }
}

/** A schema as the service takes it, without options. */
export type Schema = Omit<Operations['extract']['body'], 'options'>

/** Types of values with their names. */
export const TYPES: Readonly<Record<string, string>> = {
  text: 'Text',
  date: 'Date',
  currency: 'Amount',
  number: 'Number',
  integer: 'Whole number',
  percent: 'Percent',
  boolean: 'Yes or no',
  email: 'E-mail address',
  phone: 'Phone number',
  url: 'Web address',
  list: 'List',
}

const DEFAULT_SECTION = { id: 'fields', name: 'Fields' }

/** Template: fields by label with their types, and the description of the documents. */
type Template = { context: string; fields: Readonly<Record<string, string>> }

/** Schemas to start from, by name. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  Invoice: {
    context: 'Invoices of suppliers',
    fields: {
      'Invoice number': 'text',
      'Invoice date': 'date',
      'Due date': 'date',
      Supplier: 'text',
      'Total amount': 'currency',
      'VAT rate': 'percent',
    },
  },
  Contract: {
    context: 'Contracts',
    fields: {
      Parties: 'list',
      'Start date': 'date',
      'End date': 'date',
      'Notice period': 'text',
      'Governing law': 'text',
      'Renews automatically': 'boolean',
    },
  },
  CV: {
    context: 'CVs of applicants',
    fields: { Name: 'text', 'E-mail': 'email', Phone: 'phone', 'Current position': 'text', Languages: 'list' },
  },
  Receipt: {
    context: 'Receipts',
    fields: { Merchant: 'text', Date: 'date', 'Total amount': 'currency', 'Payment method': 'text' },
  },
}

/** Fields of a template, ready to edit. */
export function fieldsOf({ fields }: Template): Field[] {
  return Object.entries(fields).map(([label, type], index) => ({ id: index + 1, label, type }))
}

/** Converts the named rows to a schema, with a unique key per label. */
export function toSchema(fields: readonly Field[], context: string): Schema {
  const sections = new Map<string, Schema['sections'][number]>()
  const taken = new Set<string>()
  for (const { id, label, type, key: given, section = DEFAULT_SECTION } of fields) {
    if (label.trim() === '') continue
    const plain = given ?? (keyOf(label) || `field_${id}`)
    const key = taken.has(`${section.id} ${plain}`) ? `${plain}_${id}` : plain
    taken.add(`${section.id} ${key}`)
    const known = sections.get(section.id) ?? { ...section, fields: [] }
    known.fields.push({ key, label: label.trim(), ...(type === 'text' ? {} : { data_type: type }) })
    sections.set(section.id, known)
  }
  if (sections.size === 0) sections.set(DEFAULT_SECTION.id, { ...DEFAULT_SECTION, fields: [] })
  return { sections: [...sections.values()], ...(context.trim() === '' ? {} : { context: context.trim() }) }
}

/** Converts a label to a key such as `invoice_date`; empty without letters and digits. */
function keyOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
}

/** Reads a schema from JSON. Throws `SyntaxError` with the place of the first mistake. */
export function readSchema(text: string): { fields: Field[]; context: string } {
  const schema = JSON.parse(text) as Partial<Record<keyof Schema, unknown>> | null
  const sections = schema?.sections
  if (!Array.isArray(sections)) throw new SyntaxError('The schema needs "sections": a list of sections with fields.')
  const fields = sections.flatMap((section: unknown, index) => readSection(section, index))
  return {
    fields: fields.map((field, index) => ({ ...field, id: index + 1 })),
    context: typeof schema?.context === 'string' ? schema.context : '',
  }
}

function readSection(section: unknown, index: number): Omit<Field, 'id'>[] {
  const { id, name, fields } = (section ?? {}) as Partial<Record<string, unknown>>
  if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(fields)) {
    throw new SyntaxError(`sections[${index}] needs "id", "name" and "fields".`)
  }
  const own = id === DEFAULT_SECTION.id && name === DEFAULT_SECTION.name ? {} : { section: { id, name } }
  return fields.map((field: unknown, place) => {
    const { key, label, data_type: type = 'text' } = (field ?? {}) as Partial<Record<string, unknown>>
    if (typeof label !== 'string' || typeof key !== 'string' || typeof type !== 'string') {
      throw new SyntaxError(`sections[${index}].fields[${place}] needs "key" and "label".`)
    }
    return { label, type, ...(key === keyOf(label) ? {} : { key }), ...own }
  })
}
