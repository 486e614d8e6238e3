/**
 * Samples of an operation for curl and both clients, ready to paste. They read the address, the key
 * and identifiers from the variables that the quick start sets.
 */
import { type Dialect, PYTHON, TYPESCRIPT, toSnake, writeLiteral } from '../text/write-literal.ts'
import type { Operation } from './list-fields.ts'
import { PYTHON_METHODS } from './python-methods.ts'

/** A sample and the language of its code. */
export type Sample = { title: string; language: string; code: string }

/** Variables of identifiers, by the beginning of the identifier. */
const VARIABLES: Readonly<Record<string, string>> = {
  mem: 'ID',
  doc: 'DOC',
  job: 'JOB',
  prj: 'PROJECT',
  key: 'KEY_ID',
  whk: 'WEBHOOK',
  org: 'ORGANIZATION',
  src: 'SOURCE',
}
/** Variables of identifiers in a path, by the segment before them. */
const OF_PATH: Readonly<Record<string, string>> = {
  memories: 'ID',
  documents: 'DOC',
  corrections: 'DOC',
  vector_stores: 'ID',
  models: 'ID',
  jobs: 'JOB',
  projects: 'PROJECT',
  keys: 'KEY_ID',
  webhooks: 'WEBHOOK',
  sources: 'SOURCE',
}
/** Operations that take a file, with the file and the call of the TypeScript client. */
const UPLOADS: Readonly<Record<string, { file: string; call: string }>> = {
  addDocuments: { file: 'handbook.pdf', call: 'documents.addFile(process.env.ID!, ' },
  recognizeImage: { file: 'sign.png', call: 'recognize(process.env.ID!, ' },
  importMemory: { file: 'memory.tar.gz', call: 'memories.import(' },
}
const FILE_TYPE = 'multipart/form-data'
/** Operations for monitors and for clients of OpenAI, which the clients leave out. */
const CURL_ONLY = ['Service', 'OpenAI']

/** The samples of an operation. */
export function writeSamples(operation: Operation): Sample[] {
  const curl = { title: 'curl', language: 'sh', code: writeCurl(operation) }
  if (CURL_ONLY.includes(operation.tags[0] ?? '')) return [curl]
  const python = writePython(operation)
  return [
    curl,
    { title: 'TypeScript', language: 'ts', code: writeTypeScript(operation) },
    ...(python === null ? [] : [{ title: 'Python', language: 'python', code: python }]),
  ]
}

function jsonBodyOf({ requestBody }: Operation): object | null {
  const example = requestBody?.content['application/json']?.example
  return typeof example === 'object' ? example : null
}

/** The file of an operation without an example in JSON. */
function fileOf(operation: Operation): string | null {
  const isUpload = operation.requestBody?.content[FILE_TYPE] !== undefined
  if (!isUpload || operation.operationId === 'addDocuments') return null
  return UPLOADS[operation.operationId]?.file ?? null
}

/** Variable of the key: organizations need the admin key of the installation. */
function keyOf({ tags }: Operation): string {
  return tags[0] === 'Organizations' ? 'ADMIN_KEY' : 'KEY'
}

/** Names and variables of the parameters of a path; the page of a picture is a number. */
function pathValues(path: string): { name: string; variable: string | null }[] {
  return [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, segment = '', name = '']) => ({
    name,
    variable: name === 'page' ? null : (OF_PATH[segment] ?? 'ID'),
  }))
}

function writeCurl(operation: Operation): string {
  const { method, path, security } = operation
  const values = pathValues(path)
  const address = path.replace(/\{\w+\}/g, () => {
    const variable = values.shift()?.variable
    return variable ? `$${variable}` : '1'
  })
  const verb = ['GET', 'POST'].includes(method) ? [] : [`-X ${method}`]
  const key = security === undefined ? [`-H "Authorization: Bearer $${keyOf(operation)}"`] : []
  const file = fileOf(operation)
  const body = file === null ? jsonBodyOf(operation) : null
  const upload = file === null ? [] : [`-F file=@${file}`]
  const post = method === 'POST' && body === null && file === null ? ['-X POST'] : []
  const line = ['curl -s', ...verb, ...post, `"$URL${address}"`, ...key, ...upload].join(' ')
  if (body === null) return line
  // A quote ends the text of the shell, and the variable is between two such texts.
  const text = JSON.stringify(body, null, 2).replaceAll("'", "'\\''")
  const filled = text.replace(IDS, (_, kind: string) => `"'$${VARIABLES[kind]}'"`)
  return `${line} \\\n  -H 'Content-Type: application/json' -d '${filled}'`
}

/** Identifiers of examples in JSON. */
const IDS = new RegExp(`"(${Object.keys(VARIABLES).join('|')})_[0-9a-z]{26}"`, 'g')

/** Writes a value with the variables of its identifiers. */
function writeValue(value: unknown, dialect: Dialect, indent = ''): string {
  return writeLiteral(value, dialect, { indent, variableOf })
}

function variableOf(text: string): string | undefined {
  return VARIABLES[/^([a-z]{3})_[0-9a-z]{26}$/.exec(text)?.[1] ?? '']
}

function writeTypeScript(operation: Operation): string {
  const head =
    "import { createClient } from '@recollect-memory/client'\n\n" +
    `const recollect = createClient({ baseUrl: process.env.URL, apiKey: process.env.${keyOf(operation)} })\n`
  const upload = fileOf(operation) === null ? undefined : UPLOADS[operation.operationId]
  if (upload !== undefined) return `${head}const answer = await recollect.${upload.call}{ path: '${upload.file}' })\n`
  const path = pathValues(operation.path)
  const values = path.map(
    ({ name, variable }) => `${name}: ${variable === null ? "'1'" : TYPESCRIPT.variable(variable)}`,
  )
  const body = jsonBodyOf(operation)
  const parts = [
    ...(values.length === 0 ? [] : [`path: { ${values.join(', ')} }`]),
    ...(body === null ? [] : [`body: ${writeValue(body, TYPESCRIPT, body === null ? '' : '  ')}`]),
  ]
  const short = parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
  const input =
    short.length < 60 && !short.includes('\n') ? short : `{\n${parts.map((part) => `  ${part},`).join('\n')}\n}`
  return `${head}const answer = await recollect.call('${operation.operationId}', ${input})\n`
}

/** Without a method of the client, `null`. */
function writePython(operation: Operation): string | null {
  const method = PYTHON_METHODS[operation.operationId]
  if (method === undefined) return null
  const path = pathValues(operation.path).map(({ variable }) => (variable === null ? '1' : PYTHON.variable(variable)))
  const file = operation.operationId === 'exportMemory' ? UPLOADS['importMemory']?.file : fileOf(operation)
  const { options = {}, ...own } = (file ? {} : (jsonBodyOf(operation) ?? {})) as { options?: object }
  const fields = Object.entries({ ...own, ...options }).filter(([key]) => key !== 'topK')
  const named = fields.map(([key, value]) => `${toSnake(key)}=${writeValue(value, PYTHON, PYTHON.step)}`)
  const args = [...path, ...(file ? [`"${file}"`] : []), ...named]
  const short = args.join(', ')
  const isLong = short.length > 60 || short.includes('\n')
  const call = isLong ? `(\n${args.map((each) => `${PYTHON.step}${each},`).join('\n')}\n)` : `(${short})`
  const client = `client = Recollect(os.environ["URL"], os.environ["${keyOf(operation)}"])`
  const head = `import os\n\nfrom recollect_client import Recollect\n\n${client}\n`
  const isEmpty = operation.responses['204'] !== undefined || operation.operationId === 'exportMemory'
  return `${head}${isEmpty ? '' : 'answer = '}client.${method}${call}\n`
}
