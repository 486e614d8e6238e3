/** Prints the methods of the Python client, to call or to await. */
import { docstring } from './python-types.ts'

/** A parameter of a method. */
export type Parameter = {
  name: string
  /** Name in the request. */
  key: string
  type: string
  /** True without a default; otherwise the parameter is given by keyword. */
  isPositional: boolean
  /** True if `None` is sent rather than left out. */
  isNullable: boolean
  about: string
  /** Part of the request that has the value. */
  place: 'path' | 'query' | 'body' | 'options' | 'form'
}

/** A method, which sends one operation. */
export type Method = {
  /** Class of the method. */
  group: string
  name: string
  verb: string
  /** Path as the text of an f-string. */
  path: string
  about: string
  parameters: readonly Parameter[]
  /** Class of the response; null without a body or JSON. */
  answer: string | null
  /** Class of the response with status 202. */
  accepted: string | null
  kind: 'json' | 'text' | 'bytes' | 'page' | 'stream'
  /** Field and type of the items of a page. */
  items: string
  itemType: string
}

type PrintOptions = { modules: Readonly<Record<string, readonly string[]>>; isAsync: boolean }

/** Imports and classes of a module, a class for each group of methods. */
export function printResources(methods: readonly Method[], { modules, isAsync }: PrintOptions): string[] {
  const groups = Object.entries(Object.groupBy(methods, ({ group }) => group))
  const classes = groups.map(([group, own = []]) => {
    const name = `${isAsync ? 'Async' : ''}${group}`
    const parent = isAsync ? 'AsyncResource' : 'Resource'
    const bodies = own.flatMap((method) => printMethods(method, isAsync))
    return `class ${name}(${parent}):\n${docstring(`Operations of the group ${group}.`, 4)}\n\n${bodies.join('\n\n')}`
  })
  return [printImports(classes.join('\n'), { modules, isAsync }), ...classes]
}

function printImports(code: string, { modules, isAsync }: PrintOptions): string {
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort()
  const typing = used(['Any', 'AsyncIterator', 'Iterator', 'Literal', 'Mapping', 'Optional', 'Sequence', 'Union'])
  const own = Object.entries(modules).map(([module, names]) => `from .${module} import (\n${list(used(names))}\n)`)
  const transport = isAsync ? 'AsyncResource' : 'Resource'
  return [
    `from typing import ${typing.join(', ')}\n`,
    ...own.slice(0, 1),
    ...own.slice(1),
    `from ._request import (\n${list(used(['NOT_GIVEN', 'NotGiven', 'Request', 'Upload', 'given', 'quote']))}\n)`,
    `from ._resource import ${transport}`,
    `from ._stream import AnswerEvent`,
  ].join('\n')
}

function list(names: readonly string[]): string {
  return names.map((name) => `    ${name},`).join('\n')
}

function printMethods(method: Method, isAsync: boolean): string[] {
  if (method.kind !== 'page') return [printMethod(method, isAsync)]
  const page = printMethod({ ...method, name: `${method.name}_page` }, isAsync)
  return [page, printIterator(method, isAsync)]
}

const IS_PAGING = /^(limit|cursor)$/

/** A method over all pages of a list. */
function printIterator(method: Method, isAsync: boolean): string {
  const { items, itemType, name } = method
  const parameters = method.parameters.filter(({ name: own }) => !IS_PAGING.test(own))
  const [define, wait, iterator] = isAsync ? ['async def', 'await ', 'AsyncIterator'] : ['def', '', 'Iterator']
  const passed = parameters.map((own) => (own.isPositional ? own.name : `${own.name}=${own.name}`))
  const yielded = isAsync
    ? `            for item in page.${items}:\n                yield item`
    : `            yield from page.${items}`
  return [
    printSignature({ ...method, parameters }, { define, returned: `${iterator}[${itemType}]` }),
    docstring(`${method.about}\n\nYields the items of all pages, which are loaded as needed.`, 8),
    '        cursor: Optional[str] = None',
    '        while True:',
    `            page = ${wait}self.${name}_page(${[...passed, 'limit=100', 'cursor=cursor'].join(', ')})`,
    yielded,
    '            cursor = page.next_cursor',
    '            if cursor is None:',
    '                return',
  ].join('\n')
}

function printMethod(method: Method, isAsync: boolean): string {
  const { kind, answer, accepted, about, parameters } = method
  const isWaiting = accepted !== null && method.name !== 'import_'
  const streamed = isAsync ? 'AsyncIterator' : 'Iterator'
  const returned = {
    json: accepted === null ? (answer ?? 'None') : `Union[${answer}, ${accepted}]`,
    page: `${answer}`,
    text: 'str',
    bytes: 'bytes',
    stream: `${streamed}[AnswerEvent[${answer}]]`,
  }[kind]
  const define = isAsync && kind !== 'stream' ? 'async def' : 'def'
  const described = parameters.filter((own) => own.about !== '').map(({ name, about: text }) => `    ${name}: ${text}`)
  const notes = isWaiting ? [...described, `    wait: ${WAIT_NOTE}`] : described
  return [
    printSignature(method, { define, returned, extra: isWaiting ? ['wait: bool = False'] : [] }),
    docstring(notes.length === 0 ? about : `${about}\n\nArgs:\n${notes.join('\n')}`, 8),
    ...printCall(method, { isAsync, isWaiting }),
  ].join('\n')
}

const WAIT_NOTE = 'If true, waits for the job of a large file, and raises JobFailedError if it fails.'

type Signature = { define: string | undefined; returned: string; extra?: readonly string[] }

function printSignature({ name, parameters }: Method, { define, returned, extra = [] }: Signature): string {
  const required = parameters.filter(({ isPositional }) => isPositional).map((own) => `${own.name}: ${own.type}`)
  const optional = parameters.filter(({ isPositional }) => !isPositional)
  const positional = [...required, ...optional.filter(isFirst).map(printDefault)]
  const named = [...optional.filter((own) => !isFirst(own)).map(printDefault), ...extra]
  const all = ['self', ...positional, ...(named.length === 0 ? [] : ['*', ...named])]
  const short = `    ${define} ${name}(${all.join(', ')}) -> ${returned}:`
  if (short.length <= 100) return short
  return `    ${define} ${name}(\n${all.map((each) => `        ${each},`).join('\n')}\n    ) -> ${returned}:`
}

/** The question comes first, although a conversation may replace it. */
function isFirst({ name }: Parameter): boolean {
  return name === 'question'
}

function printDefault({ name, type, isNullable }: Parameter): string {
  if (isNullable) return `${name}: Union[${type}, NotGiven] = NOT_GIVEN`
  return `${name}: ${type.startsWith('Optional[') ? type : `Optional[${type}]`} = None`
}

type CallForm = { isAsync: boolean; isWaiting: boolean }

function printCall(method: Method, { isAsync, isWaiting }: CallForm): string[] {
  const { kind, answer, accepted } = method
  const wait = isAsync ? 'await ' : ''
  const request = `        request = ${printRequest(method)}`
  if (kind === 'stream') return [request, `        return self._client.stream(request, ${answer})`]
  if (kind === 'text' || kind === 'bytes') return [request, `        return ${wait}self._client.read_${kind}(request)`]
  if (answer === null) return [request, `        ${wait}self._client.send_only(request)`]
  if (accepted === null) return [request, `        return ${wait}self._client.call(request, ${answer})`]
  const call = `${wait}self._client.call_either(request, ${answer}, ${accepted})`
  if (!isWaiting) return [request, `        return ${call}`]
  const settle = `            ${wait}self._client.settle(answer.job_id)`
  return [
    request,
    `        answer = ${call}`,
    `        if wait and isinstance(answer, ${accepted}):`,
    settle,
    '        return answer',
  ]
}

function printRequest({ verb, path, parameters }: Method): string {
  const places = (['query', 'body', 'options', 'form'] as const).flatMap((place) => {
    const own = parameters.filter((each) => each.place === place && each.key !== 'file')
    const values = own.map(({ key, name, isPositional, isNullable }) => {
      return `"${key}": ${isPositional || isNullable ? name : `given(${name})`}`
    })
    if (values.length === 0) return []
    const short = `${place}={${values.join(', ')}}`
    return [
      short.length < 80
        ? short
        : `${place}={\n${values.map((each) => `                ${each},`).join('\n')}\n            }`,
    ]
  })
  const file = parameters.some(({ key }) => key === 'file') ? ['file=file'] : []
  const text = path.includes('{') ? `f"${path}"` : `"${path}"`
  const args = [`"${verb}"`, text, ...file, ...places]
  const short = `Request(${args.join(', ')})`
  if (short.length < 80 && !short.includes('\n')) return short
  return `Request(\n${args.map((each) => `            ${each},`).join('\n')}\n        )`
}
