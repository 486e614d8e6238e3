/** Values as source code of TypeScript and Python, for samples. */

/** How a language writes values. */
export type Dialect = {
  /** Indentation of a level. */
  step: string
  /** Spaces inside the braces of an object on one line. */
  margin: string
  words: Readonly<Record<string, string>>
  variable: (name: string) => string
  text: (value: string) => string
  name: (key: string) => string
}

/** Values of TypeScript. */
export const TYPESCRIPT: Dialect = {
  step: '  ',
  margin: ' ',
  words: { true: 'true', false: 'false', null: 'null' },
  // The samples stop at a missing variable on the first request.
  variable: (name) => `process.env.${name}!`,
  text: (value) => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  name: (key) => (/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`),
}

/** Values of Python. */
export const PYTHON: Dialect = {
  step: '    ',
  margin: '',
  words: { true: 'True', false: 'False', null: 'None' },
  variable: (name) => `os.environ["${name}"]`,
  text: (value) => JSON.stringify(value),
  name: (key) => JSON.stringify(key),
}

/** Longest list or object on one line. */
const MAX_LINE = 72

/**
 * Writes a JSON value in a language. `variableOf` names the variable that a text is read from, such
 * as that of an identifier.
 */
export function writeLiteral(
  value: unknown,
  dialect: Dialect,
  { indent = '', variableOf }: { indent?: string; variableOf?: (text: string) => string | undefined } = {},
): string {
  if (typeof value === 'string') {
    const variable = variableOf?.(value)
    return variable === undefined ? dialect.text(value) : dialect.variable(variable)
  }
  if (typeof value !== 'object' || value === null) return dialect.words[String(value)] ?? String(value)
  const inner = indent + dialect.step
  const isList = Array.isArray(value)
  const items = Object.entries(value).map(([key, item]) => {
    const text = writeLiteral(item, dialect, { indent: inner, ...(variableOf && { variableOf }) })
    return isList ? text : `${dialect.name(key)}: ${text}`
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const margin = isList || items.length === 0 ? '' : dialect.margin
  const short = `${open}${margin}${items.join(', ')}${margin}${close}`
  if (short.length < MAX_LINE && !short.includes('\n')) return short
  return `${open}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${indent}${close}`
}

/** Name of a field of the API as an argument of the Python client. */
export function toSnake(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return snake === 'async' ? 'async_' : snake
}
