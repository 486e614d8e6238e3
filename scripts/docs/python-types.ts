/**
 * Prints the types of the Python client from the OpenAPI document. An object in a response is a
 * Pydantic model, an object in a request a TypedDict.
 */

/** An object of the document. */
export type Json = { readonly [key: string]: unknown }

/** Schemas whose names are builtins of Python. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody', Warning: 'ApiWarning' }
const KEYWORDS = /^(async|class|from|global|import|in|is|not|or|pass|with)$/
const COLUMNS = 100

/** How objects are printed: as attributes of a model, or as keys of a dictionary. */
type Kind = 'model' | 'params'

/** Collects the classes of one module, each after those that it uses. */
export class PythonTypes {
  readonly #schemas: Json
  readonly #kind: Kind
  readonly #printed = new Map<string, string>()
  /** Schemas of the printed classes. */
  readonly #sources = new Map<string, Json>()

  constructor(schemas: Json, kind: Kind) {
    this.#schemas = schemas
    this.#kind = kind
  }

  /** The type of a schema. `name` is the class of an object without a name. */
  typeOf(schema: Json, name: string): string {
    const { $ref, anyOf, enum: values, type, items } = schema as Record<string, never>
    if ($ref !== undefined) return this.#named(($ref as string).split('/').at(-1) ?? '')
    if (anyOf !== undefined) return this.#union(anyOf as Json[], name)
    if (values !== undefined) return this.#literal(values as string[])
    if (type === 'array')
      return `${this.#kind === 'model' ? 'List' : 'Sequence'}[${this.typeOf(items ?? {}, toSingular(name))}]`
    if (type === 'object') return this.#object(schema, name)
    return SCALARS[type as unknown as string] ?? 'Any'
  }

  /** The classes printed so far. */
  classes(): ReadonlyMap<string, string> {
    return this.#printed
  }

  #named(schema: string): string {
    const name = this.#kind === 'params' ? `${schema}Param` : (RENAMED[schema] ?? schema)
    return this.typeOf(this.#schemas[schema] as Json, name)
  }

  #union(options: readonly Json[], name: string): string {
    const types = options.flatMap((option) => {
      if (option['type'] === 'null') return []
      // Values of users stay as they were written: 2026, not 2026.0.
      return option['type'] === 'number' ? ['int', 'float'] : [this.typeOf(option, name)]
    })
    const unique = [...new Set(types)]
    const union = unique.length === 1 ? (unique[0] ?? 'Any') : `Union[${unique.join(', ')}]`
    return options.some(({ type }) => type === 'null') ? `Optional[${union}]` : union
  }

  /** A newer service may answer with further values. */
  #literal(values: readonly string[]): string {
    const literal = `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
    return this.#kind === 'model' ? `Union[${literal}, str]` : literal
  }

  #object(schema: Json, name: string): string {
    const { properties, patternProperties, additionalProperties } = schema as Record<string, Json>
    const dictionary = this.#kind === 'model' ? 'Dict' : 'Mapping'
    const values = Object.values(patternProperties ?? {})[0] ?? additionalProperties
    if (properties === undefined) {
      const type = typeof values === 'object' ? this.typeOf(values as Json, `${name}Value`) : 'Any'
      return `${dictionary}[str, ${type}]`
    }
    if (!this.#printed.has(name)) {
      const fields = Object.entries(properties).map(([key, field]) => this.#field(schema, [key, field as Json], name))
      const head = `class ${name}(${this.#kind === 'model' ? 'Model' : 'TypedDict, total=False'}):`
      const about = schema['description'] === undefined ? '' : `${docstring(String(schema['description']), 4)}\n\n`
      this.#printed.set(name, `${head}\n${about}${fields.join('\n')}`)
      this.#sources.set(name, schema)
    }
    if (JSON.stringify(this.#sources.get(name)) !== JSON.stringify(schema))
      throw new TypeError(`Two different objects of the API would be the Python class ${name}.`)
    return name
  }

  #field(parent: Json, [key, schema]: readonly [string, Json], owner: string): string {
    const isRequired = ((parent['required'] ?? []) as string[]).includes(key)
    const type = this.typeOf(
      schema,
      owner.replace(/Param$/, '') + capitalize(key) + (this.#kind === 'model' ? '' : 'Param'),
    )
    const about = schema['description'] === undefined ? '' : `\n${docstring(String(schema['description']), 4)}`
    if (this.#kind === 'params') return `    ${key}: ${isRequired ? `Required[${type}]` : type}${about}`
    const name = toSnake(key)
    const optional = isRequired || type.startsWith('Optional[') ? type : `Optional[${type}]`
    const settings = [...(isRequired ? [] : ['default=None']), ...(name === key ? [] : [`alias="${key}"`])]
    const value = settings.length === 0 ? '' : ` = Field(${settings.join(', ')})`
    return `    ${name}: ${optional}${value}${about}`
  }
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** `documentId` as `document_id`; a keyword of Python gets an underscore. */
export function toSnake(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')
  return KEYWORDS.test(snake) ? `${snake}_` : snake
}

/** `corrections` as `correction`, also before a suffix. */
export function toSingular(name: string): string {
  return name.replace(/ies(?=$|Param$)/, 'y').replace(/([^s])s(?=$|Param$)/, '$1')
}

/** With an upper-case first letter, as in the name of a class. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A docstring in lines of 100 columns. */
export function docstring(text: string, indent: number): string {
  const margin = ' '.repeat(indent)
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const paragraphs = safe.split('\n').map((paragraph) => wrap(paragraph, COLUMNS - indent - 3).join(`\n${margin}`))
  const lines = paragraphs.join(`\n${margin}`).replace(/[ ]+\n/g, '\n')
  // A quote at the end would touch the closing quotes.
  const end = lines.includes('\n') || lines.length > COLUMNS - indent - 6 || lines.endsWith('"') ? `\n${margin}` : ''
  return `${margin}"""${lines}${end}"""`
}

function wrap(text: string, columns: number): string[] {
  const lines = ['']
  const indent = /^ */.exec(text)?.[0] ?? ''
  // The entries of Args hang, paragraphs do not.
  const hanging = indent === '' ? '' : `${indent}    `
  for (const word of text.trim().split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + word.length >= columns) lines.push(hanging + word)
    else lines[lines.length - 1] = last === '' ? indent + word : `${last} ${word}`
  }
  return lines
}
