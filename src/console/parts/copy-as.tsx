import { Braces, Code, Copy, Terminal } from 'lucide'
import { PYTHON, TYPESCRIPT, toSnake, writeLiteral } from '../../text/write-literal.ts'
import { showToast } from '../shell/toasts.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'

/** A request as HTTP, and as calls of the two clients. */
export type Sample = {
  method: string
  path: string
  body?: object
  /** Method of the TypeScript client, such as `documents.list`, with its arguments. */
  typescript: readonly [name: string, ...args: unknown[]]
  /** Method of the Python client with its arguments; the fields of the last object are named. */
  python: readonly [name: string, ...args: unknown[]]
}

const LANGUAGES = [
  { label: 'curl', icon: Terminal, write: writeCurl },
  { label: 'TypeScript', icon: Braces, write: writeTypeScript },
  { label: 'Python', icon: Code, write: writePython },
] as const

/** Menu that copies the request of a result as code. */
export function CopyAs({ sample }: { sample: Sample }) {
  return (
    <Menu
      label="Copy as code"
      look="quiet small"
      entries={LANGUAGES.map(({ label, icon, write }) => ({
        label: `Copy as ${label}`,
        icon,
        onSelect: () => copyAndReport(write(sample), `Copied as ${label}. Set RECOLLECT_API_KEY to your key.`),
      }))}
    >
      <Icon of={Code} /> Copy as
    </Menu>
  )
}

/** An identifier on one line, with a button that copies it. */
export function CopiedId({ id }: { id: string }) {
  return (
    <span class="copied-id">
      <code class="one-line" title={id}>
        {id}
      </code>
      <button
        type="button"
        class="plain square small"
        aria-label="Copy the ID"
        onClick={() => copyAndReport(id, 'ID copied.')}
      >
        <Icon of={Copy} />
      </button>
    </span>
  )
}

/** Copies a text and reports it. */
export function copyAndReport(text: string, message: string): void {
  copyText(text).then(
    () => showToast(message),
    (error: Error) => showToast(error.message),
  )
}

/**
 * Copies a text. Browsers offer the clipboard on localhost and HTTPS only; elsewhere a selection is
 * copied. Rejects with a sentence for the user.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    if (!copySelection(text)) throw new Error('The browser did not allow to copy. Select the text and copy it.')
  }
}

function copySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'hidden'
  // Nothing outside of an open dialog can be selected.
  const dialog = before?.closest('dialog')
  ;(dialog ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}

function writeCurl({ method, path, body }: Sample): string {
  const lines = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}'${location.origin}${path}'`,
    '-H "Authorization: Bearer $RECOLLECT_API_KEY"',
  ]
  // A quote ends the text of the shell.
  const text = JSON.stringify(body, null, 2)?.replaceAll("'", "'\\''")
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${text}'`)
  return `${lines.join(' \\\n  ')}\n`
}

/** Package of the TypeScript client. */
const CLIENT = '@recollect-memory/client'

function writeTypeScript({ typescript: [name, ...args] }: Sample): string {
  const written = args.map((arg) => writeLiteral(arg, TYPESCRIPT)).join(', ')
  return [
    `import { createClient } from '${CLIENT}'`,
    '',
    `const recollect = createClient({ baseUrl: '${location.origin}', apiKey: process.env.RECOLLECT_API_KEY })`,
    `const answer = await recollect.${name}(${written})`,
    'console.log(answer)',
    '',
  ].join('\n')
}

function writePython({ python: [name, ...args] }: Sample): string {
  const written = args.flatMap((arg) => {
    if (typeof arg !== 'object' || arg === null || Array.isArray(arg)) return [writeLiteral(arg, PYTHON)]
    return Object.entries(arg).map(
      ([key, value]) => `${toSnake(key)}=${writeLiteral(value, PYTHON, { indent: PYTHON.step })}`,
    )
  })
  return [
    'import os',
    '',
    'from recollect_client import Recollect',
    '',
    `client = Recollect("${location.origin}", os.environ["RECOLLECT_API_KEY"])`,
    `answer = client.${name}(\n${written.map((arg) => `    ${arg},`).join('\n')}\n)`,
    'print(answer)',
    '',
  ].join('\n')
}
