/**
 * Prints modules of the Python client (`clients/python`) from the OpenAPI document: models,
 * parameters, and the methods of all operations. The methods are printed twice, to call and to
 * await. The rest of the client is written by hand.
 */
import { type Method, type Parameter, printResources } from './python-methods.ts'
import { capitalize, type Json, PythonTypes, toSingular, toSnake } from './python-types.ts'

const PRINTED = 'Printed from the OpenAPI document by `npm run check -- --write`; do not edit.'
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** Tags of operations for other clients, and of pages for people and monitors. */
const LEFT_OUT = ['OpenAI', 'Service']
/** Operations whose methods are written by hand. */
const BY_HAND = ['exportMemory', 'watchJob']
/** Groups whose methods belong to the client itself. */
const OF_CLIENT = ['Account', 'Ask', 'Health', 'Image text recognition', 'Search', 'Structured extraction']
const CLIENT_CLASS = 'Queries'

/** Names of methods that their operation would not have. */
const NAMES: Readonly<Record<string, string>> = {
  addCorrections: 'add_many',
  addDocuments: 'add',
  correct: 'add',
  deleteDocuments: 'delete_many',
  getAccount: 'account',
  getHealth: 'health',
  getReadiness: 'readiness',
  getUsage: 'usage',
  recognizeImage: 'recognize',
  updateProject: 'rename',
}

/** Generated files of the Python client, by name. */
export function pythonClient(document: unknown): Readonly<Record<string, string>> {
  const { paths, components } = document as { paths: Json; components: { schemas: Json } }
  const context: Context = {
    schemas: components.schemas,
    models: new PythonTypes(components.schemas, 'model'),
    params: new PythonTypes(components.schemas, 'params'),
  }
  const operations = listOperations(paths).flatMap((operation) => describeOperation(context, operation))
  context.models.typeOf({ $ref: '#/components/schemas/Error' }, 'ErrorBody')
  const modules = {
    models: [...context.models.classes().keys()],
    params: [...context.params.classes().keys()],
  }
  return {
    '_resources.py': printModule('Operations of the API.', printResources(operations, { modules, isAsync: false })),
    '_async_resources.py': printModule(
      'Operations of the API to await.',
      printResources(operations, { modules, isAsync: true }),
    ),
    'models.py': printModule('Answers of the API.', [MODEL_HEAD, ...context.models.classes().values()]),
    'params.py': printModule('Objects in requests.', [PARAMS_HEAD, ...context.params.classes().values()]),
  }
}

/** `src/web/python-methods.ts`: the method of each operation, for the samples of the reference. */
export function pythonMethods(document: unknown): string {
  const { paths, components } = document as { paths: Json; components: { schemas: Json } }
  const context: Context = {
    schemas: components.schemas,
    models: new PythonTypes(components.schemas, 'model'),
    params: new PythonTypes(components.schemas, 'params'),
  }
  const names = listOperations(paths).map((raw): [string, string] => {
    const all = describeOperation(context, raw).filter(({ kind }) => kind !== 'stream')
    const method = all.find(({ name }) => name === 'add_texts') ?? all[0]
    const group = method?.group === CLIENT_CLASS ? '' : `${method?.group.toLowerCase()}.`
    return [String(raw.operation['operationId']), `${group}${method?.name}${method?.kind === 'page' ? '_page' : ''}`]
  })
  const lines = [...names, ...WRITTEN_BY_HAND].map(([id, name]) => `  ${id}: '${name}',`)
  const about = `/**\n * Methods of the Python client, by operation.\n * ${PRINTED}\n */`
  return `${about}\nexport const PYTHON_METHODS: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n}\n`
}

const WRITTEN_BY_HAND = [
  ['exportMemory', 'memories.export'],
  ['watchJob', 'jobs.wait'],
] as const

const MODEL_HEAD = `from typing import Dict, List, Literal, Optional, Union

from pydantic import Field

from ._model import Model`

const PARAMS_HEAD = `from typing import Any, Literal, Mapping, Optional, Sequence, Union

from typing_extensions import Required, TypedDict`

function printModule(about: string, parts: readonly string[]): string {
  return `"""${about}\n\n${PRINTED}\n"""\n\nfrom __future__ import annotations\n\n${parts.join('\n\n\n')}\n`
}

type Context = { schemas: Json; models: PythonTypes; params: PythonTypes }
type RawOperation = { path: string; method: string; operation: Json }

function listOperations(paths: Json): RawOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = (methods as Json)[method] as Json | undefined
      if (operation === undefined || LEFT_OUT.includes(tagOf(operation))) return []
      return BY_HAND.includes(String(operation['operationId'])) ? [] : [{ path, method, operation }]
    }),
  )
}

function tagOf(operation: Json): string {
  return String((operation['tags'] as string[])[0])
}

function describeOperation(context: Context, { path, method, operation }: RawOperation): Method[] {
  const id = String(operation['operationId'])
  const group = OF_CLIENT.includes(tagOf(operation)) ? CLIENT_CLASS : tagOf(operation).replaceAll(' ', '')
  const base = {
    group,
    verb: method.toUpperCase(),
    path: pathTemplate(path),
    about: aboutOf(operation),
    ...describeAnswer(context, operation),
  }
  const ofPath = pathParameters(path)
  const ofQuery = queryParameters(context, operation, id)
  return describeBodies(context, operation, id).flatMap(({ suffix, parameters }) => {
    const name = (NAMES[id] ?? methodName(id, group)) + suffix
    const all = [...ofPath, ...ofQuery, ...parameters]
    const made: Method = { ...base, name, parameters: all }
    const streams = 'text/event-stream' in contentOf(operation, '200')
    return streams ? [made, { ...made, name: `${name}_stream`, kind: 'stream' as const }] : [made]
  })
}

/** `renameKey` of the group Keys as `rename`. */
function methodName(id: string, group: string): string {
  const stem = group.replace(/(ies|s)$/, '')
  const short = id.replace(new RegExp(`${stem}(ies|y|s)?(?=$|[A-Z])`), '')
  return toSnake(short === '' ? id : short)
}

function aboutOf(operation: Json): string {
  const { summary, description } = operation as Record<string, string | undefined>
  return description === undefined ? `${summary}.` : `${summary}.\n\n${description}`
}

/** `/v1/memories/{id}/find` as the text of an f-string. */
function pathTemplate(path: string): string {
  const names = pathParameters(path).map(({ name }) => name)
  return path.replace(/\{\w+\}/g, () => `{quote(${names.shift()})}`)
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, segment = '', key = '']) => {
    const owner = toSingular(segment)
    const name = key === 'id' ? `${owner}_id` : toSnake(key)
    return {
      name,
      key,
      type: key === 'page' ? 'int' : 'str',
      isPositional: true,
      isNullable: false,
      about: '',
      place: 'path',
    }
  })
}

function queryParameters({ params }: Context, operation: Json, id: string): Parameter[] {
  const all = (operation['parameters'] ?? []) as Json[]
  return all
    .filter((parameter) => parameter['in'] === 'query')
    .map((parameter) => {
      const key = String(parameter['name'])
      const type = params.typeOf(parameter['schema'] as Json, `${capitalize(id)}${capitalize(key)}Param`)
      const about = String(parameter['description'] ?? '')
      return { name: toSnake(key), key, type, isPositional: false, isNullable: false, about, place: 'query' }
    })
}

type Body = { suffix: string; parameters: Parameter[] }

/** Parameters of the body; several bodies are several methods, such as `add_file` and `add_url`. */
function describeBodies(context: Context, operation: Json, id: string): Body[] {
  const content = ((operation['requestBody'] as Json | undefined)?.['content'] ?? {}) as Json
  const form = (content['multipart/form-data'] as Json | undefined)?.['schema'] as Json | undefined
  const json = (content['application/json'] as Json | undefined)?.['schema'] as Json | undefined
  if (form !== undefined) {
    const file = {
      suffix: json !== undefined && id === 'addDocuments' ? '_file' : '',
      parameters: bodyParameters(context, form),
    }
    if (id !== 'addDocuments' || json === undefined) return [file]
    const part = (kept: string, left: string) => {
      const { [left]: _, ...properties } = json['properties'] as Json
      return bodyParameters(context, { ...json, properties, required: [kept] })
    }
    // Fields of a single document do not apply to several texts, which have their own.
    const texts = part('documents', 'url')
    return [file, { suffix: '_texts', parameters: texts }, { suffix: '_url', parameters: part('url', 'documents') }]
  }
  return [{ suffix: '', parameters: json === undefined ? [] : bodyParameters(context, json) }]
}

/** Fields of a body; those of its `options` are parameters as well. */
function bodyParameters({ params, schemas }: Context, body: Json): Parameter[] {
  const { options, ...own } = body['properties'] as Record<string, Json>
  const nested = options === undefined ? {} : ((resolve(options, schemas)['properties'] as Record<string, Json>) ?? {})
  const required = (body['required'] ?? []) as string[]
  const isForm = 'file' in own
  const describe = (key: string, schema: Json, place: Parameter['place']) => {
    const type = key === 'file' ? 'Upload' : params.typeOf(schema, `${capitalize(key)}Param`)
    const about = String(resolve(schema, schemas)['description'] ?? '')
    const isNullable = type.startsWith('Optional[')
    return { name: toSnake(key), key, type, isPositional: required.includes(key), isNullable, about, place }
  }
  // The limit of the options takes precedence over topK.
  const isKept = (key: string) => !(key in nested) && !(key === 'topK' && 'limit' in nested)
  return [
    ...Object.entries(own)
      .filter(([key]) => isKept(key))
      .map(([key, schema]) => describe(key, schema, isForm ? 'form' : 'body')),
    ...Object.entries(nested).map(([key, schema]) => describe(key, schema, 'options')),
  ].sort((one, other) => Number(other.isPositional) - Number(one.isPositional))
}

function resolve(schema: Json, schemas: Json): Json {
  const { $ref } = schema
  return $ref === undefined ? schema : (schemas[String($ref).split('/').at(-1) ?? ''] as Json)
}

function contentOf(operation: Json, status: string): Json {
  return ((operation['responses'] as Record<string, Json | undefined>)[status]?.['content'] ?? {}) as Json
}

type AnswerFacts = Pick<Method, 'answer' | 'accepted' | 'kind' | 'items' | 'itemType'>

function describeAnswer({ models }: Context, operation: Json): AnswerFacts {
  const id = capitalize(String(operation['operationId']))
  const none = { answer: null, accepted: null, kind: 'json', items: '', itemType: '' } as const
  const status = ['200', '201', '202'].find((each) => Object.keys(contentOf(operation, each)).length > 0)
  if (status === undefined) return none
  const content = contentOf(operation, status)
  if (content['text/plain'] !== undefined) return { ...none, kind: 'text' }
  const schema = (content['application/json'] as Json | undefined)?.['schema'] as Json | undefined
  if (schema === undefined) return { ...none, kind: 'bytes' }
  const properties = (schema['properties'] ?? {}) as Record<string, Json>
  const isPage = 'nextCursor' in properties
  const answer = models.typeOf(schema, isPage ? `${id}Page` : `${id}Answer`)
  if (isPage) {
    const [items = '', list = {}] = Object.entries(properties)[0] ?? []
    return { ...none, answer, kind: 'page', items: toSnake(items), itemType: models.typeOf(list['items'] as Json, id) }
  }
  const later = (contentOf(operation, '202')['application/json'] as Json | undefined)?.['schema'] as Json | undefined
  const accepted = later === undefined || status === '202' ? null : models.typeOf(later, `${id}Accepted`)
  return { ...none, answer, accepted }
}
