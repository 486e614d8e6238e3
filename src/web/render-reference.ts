import { escapeHtml } from '../text/escape-html.ts'
import {
  listFields,
  type Media,
  type NamedSchemas,
  type Operation,
  type Parameter,
  readOperations,
} from './list-fields.ts'
import { writeSamples } from './write-samples.ts'

/** Renders the API reference as HTML: requests, responses and examples of every endpoint. */
export function renderReference(document: object): string {
  const { tags, operations, schemas } = readOperations(document)
  const groups = tags.map((name) => {
    const members = operations.filter((operation) => operation.tags[0] === name)
    const shown = members.map((operation) => renderOperation(operation, schemas))
    return `<h2>${escapeHtml(name)}</h2>\n${shown.join('\n')}`
  })
  return `<h1>API reference</h1>
<p>Generated from <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
Send the API key as <code>Authorization: Bearer …</code> or <code>X-API-Key</code>.
All errors have the same format; see the <a href="/docs/errors">error codes</a>.</p>
<p>The samples read <code>URL</code>, <code>KEY</code> and <code>ID</code> (a memory),
which the <a href="/docs">quick start</a> sets.
<code>DOC</code>, <code>JOB</code> and others are identifiers from earlier responses.</p>
${groups.join('\n')}`
}

function renderOperation(operation: Operation, named: NamedSchemas): string {
  const { method, path, operationId, summary, security, parameters = [], requestBody, responses } = operation
  const bodies = Object.entries(requestBody?.content ?? {})
  return `<details class="operation" id="${escapeHtml(operationId)}"><summary><span class="method">${method}</span>
<code>${escapeHtml(path)}</code> <span class="quiet">${escapeHtml(summary)}</span></summary>
${security === undefined ? '' : '<p>No API key required.</p>'}
${renderParameters(parameters)}
${renderSamples(operation)}
${bodies.map(([type, media]) => renderBody(type, media, named)).join('\n')}
${Object.entries(responses)
  .map(([status, answer]) => renderAnswer(status, answer, named))
  .join('\n')}
</details>`
}

function renderSamples(operation: Operation): string {
  const shown = writeSamples(operation).map(({ title, language, code }) => {
    const open = title === 'curl' ? ' open' : ''
    return `<details class="sample"${open}><summary>${title}</summary>${renderCode(code, language)}</details>`
  })
  return shown.join('\n')
}

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, required, schema, description }) => [
    `<code>${escapeHtml(name)}</code>`,
    place + (required ? ', required' : ''),
    renderText(description ?? schema?.description ?? schema?.enum?.join(', ') ?? schema?.type ?? ''),
  ])
  return `<h3>Parameters</h3>${renderTable(['Name', 'In', 'Description'], rows)}`
}

function renderBody(type: string, media: Media, named: NamedSchemas): string {
  return renderMedia(media, named, { heading: `Request body, <code>${escapeHtml(type)}</code>`, isSent: true })
}

/** Renders a body; `isSent` is true for request bodies, whose fields can be required. */
function renderMedia(
  { schema, example }: Media,
  named: NamedSchemas,
  { heading, isSent = false }: { heading: string; isSent?: boolean },
): string {
  const rows = schema === undefined ? [] : listFields(schema, named)
  const table = rows.map(({ name, type, isRequired, description }) => [
    `<code>${escapeHtml(name)}</code>`,
    escapeHtml(type + (isRequired && isSent ? ', required' : '')),
    renderText(description),
  ])
  return `<h3>${heading}</h3>
${table.length === 0 ? '' : renderTable(['Field', 'Type', 'Description'], table)}
${example === undefined ? '' : renderCode(textOf(example), isSent ? 'sent' : 'json')}`
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}

function renderAnswer(
  status: string,
  { description, content = {} }: Operation['responses'][string],
  named: NamedSchemas,
) {
  if (Number(status) >= 400) {
    const codes = description.split('\n\n').map((line) => `<li>${renderText(line)}</li>`)
    return `<h3>${status}</h3><ul>${codes.join('')}</ul>`
  }
  const heading = `${status}: ${renderText(description)}`
  const media = Object.entries(content)
  if (media.length === 0) return `<h3>${heading}</h3>`
  return media
    .map(([type, shown]) => renderMedia(shown, named, { heading: `${heading} <code>${escapeHtml(type)}</code>` }))
    .join('\n')
}

function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((name) => `<th>${name}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

/** Renders text; words between backticks become code. */
function renderText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/**
 * Renders code with the name of its language. `tabindex` makes wide code scrollable by keyboard.
 */
export function renderCode(text: string, language: string): string {
  const [name = ''] = language.split(' ')
  return `<pre tabindex="0" data-language="${escapeHtml(name)}"><code>${escapeHtml(text)}</code></pre>\n`
}
