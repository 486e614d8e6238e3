import type { Attributes } from './page-blocks.ts'

/** Fields whose value is not words of the page. */
const SILENT_FIELDS: ReadonlySet<string> = new Set([
  'hidden',
  'password',
  'file',
  'range',
  'color',
  'checkbox',
  'radio',
])

/** The words that an element shows out of its attributes: alternative text, the value or the prompt of a field; none is `''`. */
export function getShownWords(name: string, attributes: Attributes): string {
  if (name === 'img' || name === 'area') return attributes.get('alt') ?? ''
  if (name === 'textarea') return attributes.get('placeholder') ?? ''
  return name === 'input' ? getFieldWords(attributes) : ''
}

function getFieldWords(attributes: Attributes): string {
  const type = attributes.get('type')?.toLowerCase() ?? 'text'
  if (type === 'checkbox' || type === 'radio') return attributes.has('checked') ? '[x]' : '[ ]'
  if (type === 'image') return attributes.get('alt') ?? ''
  if (SILENT_FIELDS.has(type)) return ''
  return attributes.get('value') || (attributes.get('placeholder') ?? '')
}
