import { escapeHtml } from '../text/escape-html.ts'
import {
  type Field,
  listFields,
  type Media,
  type NamedSchemas,
  type Operation,
  type Parameter,
  readOperations,
} from './list-fields.ts'
import { renderCode, renderSamples } from './render-code.ts'
import { writeSamples } from './write-samples.ts'

/**
 * Renders the API reference as HTML: every endpoint with its fields, and its samples beside them.
 * `endpoints` are the links to them, for the navigation.
 */
export function renderReference(document: object): { body: string; endpoints: string } {
  const { tags, operations, schemas } = readOperations(document)
  const groups = tags
    .map((name) => ({ name, members: operations.filter(({ tags: [first] }) => first === name) }))
    .filter(({ members }) => members.length > 0)
  const common = listCommonErrors(operations)
  const sections = groups.map(
    ({ name, members }) => `<h2 id="${groupId(name)}">${escapeHtml(name)}</h2>
${members.map((operation) => renderOperation(operation, { schemas, common })).join('\n')}`,
  )
  const links = groups.map(({ name, members }) => {
    const items = members.map(
      ({ operationId, method, summary }) =>
        `<li><a href="#${escapeHtml(operationId)}">${renderMethod(method)}
<span>${escapeHtml(summary)}</span></a></li>`,
    )
    return `<details><summary>${escapeHtml(name)}</summary><ul>${items.join('')}</ul></details>`
  })
  const introduction = `<h1>API reference</h1>
<p>Generated from <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
Send the API key as <code>Authorization: Bearer …</code> or <code>X-API-Key</code>.
All errors have the same format; see the <a href="/docs/errors">error codes</a>.</p>
<details id="common-errors"><summary>Errors of every endpoint with a key</summary>
${renderErrors([...common])}</details>
<p>The samples read <code>URL</code>, <code>KEY</code> and <code>ID</code> (a memory),
which the <a href="/docs">quick start</a> sets.
<code>DOC</code>, <code>JOB</code> and others are identifiers from earlier responses.</p>`
  return {
    body: `${introduction}\n${sections.join('\n')}`,
    endpoints: `<div class="endpoints">${links.join('')}</div>`,
  }
}

function groupId(tag: string): string {
  return `group-${tag.toLowerCase().replace(/[^a-z]+/g, '-')}`
}

function renderMethod(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`
}

/** What the endpoints share: named schemas, and the errors of each endpoint with a key. */
type Shared = { schemas: NamedSchemas; common: ReadonlySet<string> }

function renderOperation(operation: Operation, { schemas: named, common }: Shared): string {
  const { method, path, operationId, summary, security, parameters = [], requestBody, responses } = operation
  const id = escapeHtml(operationId)
  const bodies = Object.entries(requestBody?.content ?? {})
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const errors = listErrors(operation).filter((error) => security !== undefined || !common.has(error))
  return `<section class="operation" id="${id}" aria-labelledby="${id}-name">
<div class="about">
<h3 id="${id}-name">${escapeHtml(summary)}</h3>
<p class="endpoint">${renderMethod(method)} <code>${breakPath(path)}</code></p>
${security === undefined ? '' : '<p class="quiet">No API key required.</p>'}
${renderParameters(parameters)}
${bodies.map(([type, media]) => renderBody(type, media, named)).join('\n')}
<h4>Response</h4>
${answers.map(([status, answer]) => renderAnswer(status, answer, named)).join('\n')}
${errors.length === 0 ? '' : `<details><summary>Errors</summary>${renderErrors(errors)}</details>`}
</div>
<div class="beside">
${renderExamples(operation, answers)}
</div>
</section>`
}

/** A path breaks after a slash. */
function breakPath(path: string): string {
  return escapeHtml(path).replaceAll('/', '/<wbr>')
}

function renderExamples(operation: Operation, answers: [string, Operation['responses'][string]][]): string {
  const codes = writeSamples(operation).map(({ code, language }) => ({ text: code.trimEnd(), language }))
  const examples = answers.flatMap(([status, { content = {} }]) =>
    Object.entries(content)
      .filter(([, { example }]) => example !== undefined)
      .map(([, { example }]) => {
        const language = typeof example === 'string' ? 'text' : 'json'
        return renderCode({ text: textOf(example), language }, `Response <span class="status">${status}</span>`)
      }),
  )
  return renderSamples(codes) + examples.join('\n')
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const fields = parameters.map(({ name, in: place, required = false, schema, description }) => ({
    name,
    type: place,
    isRequired: required,
    description: description ?? schema?.description ?? schema?.enum?.join(', ') ?? schema?.type ?? '',
  }))
  return `<h4>Parameters</h4>${renderFields(fields)}`
}

function renderBody(type: string, { schema }: Media, named: NamedSchemas): string {
  const fields = schema === undefined ? [] : listFields(schema, named)
  return `<h4>Request body <code>${escapeHtml(type)}</code></h4>
${renderFields(fields)}`
}

/** Renders a successful response. Its fields are closed, because the example shows most of them. */
function renderAnswer(
  status: string,
  { description, content = {} }: Operation['responses'][string],
  named: NamedSchemas,
): string {
  const media = Object.entries(content).map(([type, { schema }]) => {
    const fields = schema === undefined ? [] : listFields(schema, named)
    const name = `<code>${escapeHtml(type)}</code>`
    if (fields.length === 0) return `<p class="quiet">${name}</p>`
    const count = fields.length === 1 ? '1 field' : `${fields.length} fields`
    const shown = fields.map((field) => ({ ...field, isRequired: false }))
    return `<details><summary>${count} of ${name}</summary>${renderFields(shown)}</details>`
  })
  return `<p><span class="status">${status}</span> ${renderText(description)}</p>\n${media.join('\n')}`
}

/** Errors of an endpoint, as their status and text. */
function listErrors({ responses }: Operation): string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) => description.split('\n\n').map((line) => `${status} ${line}`))
}

/** Errors that each endpoint with a key has. The reference lists them once. */
function listCommonErrors(operations: readonly Operation[]): ReadonlySet<string> {
  const lists = operations.filter(({ security }) => security === undefined).map(listErrors)
  return new Set(lists[0]?.filter((error) => lists.every((errors) => errors.includes(error))))
}

function renderErrors(errors: readonly string[]): string {
  const items = errors.map(
    (error) => `<li><span class="status failed">${error.slice(0, 3)}</span> ${renderText(error.slice(4))}</li>`,
  )
  return `<ul class="errors">${items.join('')}</ul>`
}

function renderFields(fields: readonly Field[]): string {
  const items = fields.map(({ name, type, isRequired, description }) => {
    const facts = `<code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(type)}</span>`
    const mark = isRequired ? ' <span class="required">required</span>' : ''
    return `<li><p>${facts}${mark}</p>${description === '' ? '' : `<p>${renderText(description)}</p>`}</li>`
  })
  return items.length === 0 ? '' : `<ul class="field-list">${items.join('')}</ul>`
}

/** Renders text; words between backticks become code. */
function renderText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
