/**
 * Prints the types of the TypeScript client from the OpenAPI document: one alias a schema, and one
 * entry an operation with parameters and result. Supports only the keywords used in the document
 * and refuses any other keyword.
 */

type Json = { readonly [key: string]: unknown }

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** Headers that every request may carry and the client sets. */
const OWN_HEADERS = ['Idempotency-Key']
const LINE = 120
const COMMENT_LINE = 100

const PRINTED = 'Printed from the OpenAPI document by `npm run check -- --write`; do not edit.'

/** Results of operations that are not resources. */
const IS_ANSWER = /Answer$|^(Accepted|Added|Recognized|Verification)/

/** Findings rather than stored resources: parts of answers, with reasons and scores. */
const IS_FINDING =
  /^(Citation|Evaluation|ExtractedField|FieldSource|Grounding|Hit|KnownQuestion|ScorePart|Source)$|Explanation$/

/** Resources of the organization or the installation rather than of a memory. */
const IS_ACCOUNT =
  /^(Account|Error|Health|Readiness|Usage|UsageDay|UsageFigures|UsageGroup)$|(Key|Organization|Project|Webhook)$|^WebhookDelivery$|^(New|Changed|Imported)Memory$/

/** Sources of documents, apart from what they bring. */
const IS_SOURCE = /^(MemorySource|SourceRun|WebsiteSource|BucketSource|FolderSource)$/

/** Tag of the operations for clients of another API. */
const OTHER_CLIENTS = 'OpenAI'

/** Options of requests rather than resources. */
const IS_REQUEST = /Options$|^Filter$/

/**
 * The generated files of the client as texts, by file name in `src/client`. Throws TypeError for an
 * unsupported schema.
 */
export function clientTypes(document: unknown): Readonly<Record<string, string>> {
  const { paths: all, components } = document as { paths: Json; components: { schemas: Json } }
  const paths = withoutTag(all, OTHER_CLIENTS)
  const names = Object.keys(components.schemas)
  const answers = names.filter((name) => IS_ANSWER.test(name))
  const findings = names.filter((name) => IS_FINDING.test(name))
  const accounts = names.filter((name) => IS_ACCOUNT.test(name))
  const requests = names.filter((name) => IS_REQUEST.test(name))
  const sources = names.filter((name) => IS_SOURCE.test(name))
  const kindsApart = [IS_ANSWER, IS_FINDING, IS_ACCOUNT, IS_REQUEST, IS_SOURCE]
  const resources = names.filter((name) => !kindsApart.some((kind) => kind.test(name)))
  const printAll = (of: readonly string[]) =>
    of.map((name) => `export type ${aliasOf(name)} = ${printSchema(name, components.schemas)}`).join('\n\n')
  const kinds = { './resources.ts': resources.map(aliasOf), './accounts.ts': accounts.map(aliasOf) }
  const places = { './findings.ts': findings.map(aliasOf), ...kinds }
  const everything = { './answers.ts': answers.map(aliasOf), './requests.ts': requests.map(aliasOf), ...places }
  const ofDocuments = entriesOf(paths).filter(([path]) => path.startsWith(DOCUMENTS))
  const ofSources = entriesOf(paths).filter(([path]) => path.startsWith(SOURCES))
  const ofMemories = entriesOf(paths).filter(
    ([path]) => path.startsWith(MEMORIES) && !path.startsWith(DOCUMENTS) && !path.startsWith(SOURCES),
  )
  const others = entriesOf(paths).filter(([path]) => !path.startsWith(MEMORIES))
  return {
    'accounts.ts': printFile('Resources of organizations and installations.', printAll(accounts), {
      './resources.ts': resources.map(aliasOf),
    }),
    'resources.ts': printFile('Resources of memories.', printAll(resources)),
    'requests.ts': printFile('Options of requests.', printAll(requests)),
    'findings.ts': printFile('Findings in answers.', printAll(findings), kinds),
    'answers.ts': printFile('Answers of the API.', printAll(answers), places),
    'memory-operations.ts': printFile(
      'Parameters and result of every operation on memories.',
      `/** Every operation on memories, by its identifier. */\nexport type MemoryOperations = ${printOperations(ofMemories)}`,
      everything,
    ),
    'document-operations.ts': printFile(
      'Parameters and result of every operation on documents.',
      `/** Every operation on documents, by its identifier. */\nexport type DocumentOperations = ${printOperations(ofDocuments)}`,
      everything,
    ),
    'sources.ts': printFile(
      'Sources of documents, and every operation on them.',
      `${printAll(sources)}\n\n/** Every operation on sources, by its identifier. */\nexport type SourceOperations = ${printOperations(ofSources)}`,
      everything,
    ),
    'operations.ts': printFile(
      'Parameters and result of every operation.',
      '/** Every operation, by its identifier. */\n' +
        `export type Operations = DocumentOperations & MemoryOperations & SourceOperations & ${printOperations(others)}`,
      {
        ...everything,
        './document-operations.ts': ['DocumentOperations'],
        './memory-operations.ts': ['MemoryOperations'],
        './sources.ts': ['SourceOperations'],
      },
    ),
    'paths.ts': printFile('The method and path of every operation.', printPaths(entriesOf(paths)), {
      './operations.ts': ['Operations'],
    }),
  }
}

/** The paths without the operations of a tag. */
function withoutTag(paths: Json, tag: string): Json {
  const isLeft = (methods: unknown) =>
    Object.values(methods as Json).every((operation) => !((operation as Json)['tags'] as string[]).includes(tag))
  return Object.fromEntries(Object.entries(paths).filter(([, methods]) => isLeft(methods)))
}

/**
 * The types of all schemas without notes, by file name in `test/spec`, for tests that see the
 * service only over HTTP.
 */
export function schemaTypes(document: unknown): Readonly<Record<string, string>> {
  const { components } = JSON.parse(
    JSON.stringify(document, (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)),
  ) as { components: { schemas: Json } }
  const names = Object.keys(components.schemas)
  const printAll = (of: readonly string[]) =>
    of.map((name) => `export type ${aliasOf(name)} = ${printSchema(name, components.schemas)}`).join('\n\n')
  const sources = names.filter((name) => IS_SOURCE.test(name))
  const accounts = names.filter((name) => IS_ACCOUNT.test(name))
  const others = names.filter((name) => !IS_SOURCE.test(name) && !IS_ACCOUNT.test(name))
  return {
    'account-types.ts': printFile('Organizations and installations, from the OpenAPI document.', printAll(accounts), {
      './api-types.ts': others.map(aliasOf),
    }),
    'api-types.ts': printFile('Requests and answers of the API, from the OpenAPI document.', printAll(others)),
    'source-types.ts': printFile('Sources of documents, from the OpenAPI document.', printAll(sources), {
      './api-types.ts': others.map(aliasOf),
    }),
  }
}

/** Prints a file and its imports; `places` lists the type names by file. */
function printFile(about: string, code: string, places: Readonly<Record<string, readonly string[]>> = {}): string {
  const withoutNotes = code.replace(/\/\*\*[\s\S]*?\*\//g, '')
  const files = Object.entries(places).sort(([one], [other]) => (one < other ? -1 : 1))
  const imports = files.flatMap(([file, types]) => {
    const used = types.filter((type) => new RegExp(`\\b${type}\\b(?!:)`).test(withoutNotes)).sort()
    const short = `import type { ${used.join(', ')} } from '${file}'`
    const long = `import type {\n${used.map((type) => `  ${type},`).join('\n')}\n} from '${file}'`
    return used.length === 0 ? [] : [short.length <= LINE ? short : long]
  })
  return `${[`/**\n * ${about}\n * ${PRINTED}\n */${imports.length > 0 ? `\n${imports.join('\n')}` : ''}`, code].join('\n\n')}\n`
}

/** A schema that extends another schema is printed as an intersection with the extended schema. */
function printSchema(name: string, schemas: Json): string {
  const schema = schemas[name] as Json
  const own = propertiesOf(schema)
  const part = Object.entries(schemas).find(([other, candidate]) => {
    const keys = Object.keys(propertiesOf(candidate as Json))
    return (
      keys.length < Object.keys(own).length &&
      other !== name &&
      keys.length > 3 &&
      keys.every((key) => same(own[key], propertiesOf(candidate as Json)[key]))
    )
  })
  if (part === undefined) return print(schema, 0)
  const known = propertiesOf(part[1] as Json)
  const rest = Object.fromEntries(Object.entries(own).filter(([key]) => !(key in known)))
  return `${aliasOf(part[0])} & ${print({ ...schema, properties: rest }, 0)}`
}

function propertiesOf(schema: Json): Json {
  return (schema['properties'] ?? {}) as Json
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const MEMORIES = '/v1/memories'
const DOCUMENTS = `${MEMORIES}/{id}/documents`
const SOURCES = '/v1/memories/{id}/sources'

function entriesOf(paths: Json): [path: string, methods: Json][] {
  return Object.entries(paths) as [string, Json][]
}

function printOperations(paths: readonly [string, Json][]): string {
  const operations = paths.flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method] as Json | undefined
      return operation === undefined ? [] : [printOperation(path, method, operation)]
    }),
  )
  return `{\n${operations.join('\n')}\n}`
}

function printPaths(paths: readonly [string, Json][]): string {
  return `/** Method and path of each operation. */\nexport const PATHS: Readonly<Record<keyof Operations, readonly [string, string]>> = {\n${listPaths(paths).join('\n')}\n}`
}

/** Every program knows `Error` and `Document` under another meaning. */
function aliasOf(name: string): string {
  return name === 'Error' ? 'ErrorBody' : name === 'Document' ? 'MemoryDocument' : name
}

function printOperation(path: string, method: string, operation: Json): string {
  const parts = [
    ...printParameters('path', operation),
    ...printParameters('query', operation),
    ...printBody(operation),
    `answer: ${printAnswer(operation)}`,
  ]
  const note = printNote(`${String(operation['summary'])}. \`${method.toUpperCase()} ${path}\``, '  ')
  const name = String(operation['operationId'])
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return `${note}\n  ${name}: { ${only} }`
  return `${note}\n  ${name}: {\n${parts.map((part) => `    ${part}`).join('\n')}\n  }`
}

function printParameters(place: 'path' | 'query', operation: Json): string[] {
  const parameters = ((operation['parameters'] ?? []) as Json[]).filter(
    (parameter) => parameter['in'] === place && !OWN_HEADERS.includes(String(parameter['name'])),
  )
  if (parameters.length === 0) return []
  const members = parameters.map((parameter) => {
    const optional = parameter['required'] === true ? '' : '?'
    return `${String(parameter['name'])}${optional}: ${print(parameter['schema'] as Json, 0)}`
  })
  const short = `${place}: { ${members.join('; ')} }`
  return [short.length <= LINE - 4 ? short : `${place}: {\n${members.map((one) => `      ${one}`).join('\n')}\n    }`]
}

function printBody(operation: Json): string[] {
  const content = (operation['requestBody'] as { content?: Json } | undefined)?.content?.['application/json']
  return content === undefined ? [] : [`body: ${print((content as Json)['schema'] as Json, 2)}`]
}

/** The JSON of a successful response; `null` without a body, `Response` for a stream or a file. */
function printAnswer(operation: Json): string {
  const answers = Object.entries(operation['responses'] as Json).filter(([status]) => status.startsWith('2'))
  const types = answers.map(([, answer]) => {
    const content = (answer as { content?: Json }).content
    if (content === undefined) return 'null'
    const json = content['application/json'] as Json | undefined
    return json === undefined ? 'Response' : print(json['schema'] as Json, 2)
  })
  return [...new Set(types)].join(' | ')
}

function listPaths(paths: readonly [string, Json][]): string[] {
  return paths.flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method] as Json | undefined
      if (operation === undefined) return []
      return [`  ${String(operation['operationId'])}: ['${method.toUpperCase()}', '${path}'],`]
    }),
  )
}

function print(schema: Json, depth: number): string {
  if (typeof schema['$ref'] === 'string') return aliasOf(schema['$ref'].split('/').at(-1) ?? '')
  if (Array.isArray(schema['anyOf'])) return unionOf(schema['anyOf'] as Json[], depth)
  if (Array.isArray(schema['enum'])) return printEnum(schema['enum'], depth)
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type']
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return printList(print((schema['items'] ?? {}) as Json, depth))
    case 'object':
      return printObject(schema, depth)
    case undefined:
      return 'unknown'
    default:
      throw new TypeError(`no type for ${JSON.stringify(schema)}`)
  }
}

/** A union on one line, or with a line for each value where it would be too long. */
function printEnum(values: readonly unknown[], depth: number): string {
  const quoted = values.map((value) => `'${String(value)}'`)
  const short = quoted.join(' | ')
  const indent = '  '.repeat(depth + 1)
  return short.length <= LINE - 20 - indent.length ? short : quoted.map((value) => `\n${indent}| ${value}`).join('')
}

/** A comment on one line, or on several where it would be wider than the limit of comments. */
function printNote(note: string, indent: string): string {
  const short = `${indent}/** ${note} */`
  if (short.length <= COMMENT_LINE) return short
  const lines: string[] = []
  for (const word of note.split(' ')) {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    if (last !== undefined && longer.length <= COMMENT_LINE) lines[lines.length - 1] = longer
    else lines.push(`${indent} * ${word}`)
  }
  return `${indent}/**\n${lines.join('\n')}\n${indent} */`
}

function unionOf(schemas: readonly Json[], depth: number): string {
  return [...new Set(schemas.map((schema) => print(schema, depth)))].join(' | ')
}

function printList(item: string): string {
  return /[|{]/.test(item) ? `Array<${item}>` : `${item}[]`
}

function printObject(schema: Json, depth: number): string {
  const properties = Object.entries(propertiesOf(schema))
  if (properties.length === 0) {
    const [values] = Object.values((schema['patternProperties'] ?? {}) as Json)
    return `Record<string, ${values === undefined ? 'unknown' : print(values as Json, depth)}>`
  }
  const required = (schema['required'] ?? []) as string[]
  const members = properties.map(([name, property]) => {
    const note = (property as Json)['description']
    const member = `${name}${required.includes(name) ? '' : '?'}: ${print(property as Json, depth + 1)}`
    return { note: typeof note === 'string' ? printNote(note, '  '.repeat(depth + 1)) : null, member }
  })
  const short = `{ ${members.map(({ member }) => member).join('; ')} }`
  if (members.every(({ note }) => note === null) && short.length + 2 * depth < LINE - 20 && !short.includes('\n')) {
    return short
  }
  const indent = '  '.repeat(depth + 1)
  const lines = members.flatMap(({ note, member }) => [...(note === null ? [] : [note]), indent + member])
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}
