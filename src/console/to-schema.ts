/** A row of the editor; `type` is `text` or a `data_type`. */
export type Field = { id: number; label: string; type: string }

/** The rows that name something as `extract` takes them, each under a key of its own that is made of its label. */
export function toSchema(fields: readonly Field[], context: string) {
  const wanted = fields.filter(({ label }) => label.trim() !== '')
  const keys = wanted.map(({ id, label }) => keyOf(label) || `field_${id}`)
  return {
    sections: [
      {
        id: 'fields',
        name: 'Fields',
        fields: wanted.map(({ id, label, type }, index) => {
          const [key = ''] = keys.slice(index)
          return {
            key: keys.indexOf(key) === index ? key : `${key}_${id}`,
            label: label.trim(),
            ...(type === 'text' ? {} : { data_type: type }),
          }
        }),
      },
    ],
    ...(context.trim() === '' ? {} : { context: context.trim() }),
  }
}

/** A name for programs, such as `invoice_date`; empty for a label without letters and digits. */
function keyOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
}
