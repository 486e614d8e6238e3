/**
 * Adds files to a memory and asks a question, with `fetch` alone:
 *
 *     node fetch-with-retries.mjs "How long do refunds take?" handbook.pdf notes.md
 */
import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const { RECOLLECT_URL: base = 'http://127.0.0.1:8080', RECOLLECT_API_KEY: key, RECOLLECT_MEMORY: memory } = process.env
const ATTEMPTS = 4
/** Maximum duration of a request, and of a wait for its first attempt. */
const WAIT_MS = 600_000

/** Returns the JSON response. Retries transient errors; retries of a POST share a key. */
async function call(method, path, { body, headers = {} } = {}) {
  const same = method === 'POST' ? { 'idempotency-key': randomUUID() } : {}
  const deadline = Date.now() + WAIT_MS
  for (let attempt = 1; ; attempt += 1) {
    const request = { method, body, headers: { authorization: `Bearer ${key}`, ...same, ...headers } }
    // No answer at all is worth a repeat as well.
    const answer = await fetch(base + path, request).catch((error) =>
      attempt === ATTEMPTS ? Promise.reject(error) : null,
    )
    if (answer?.ok) return answer.json()
    const { error } = answer === null ? { error: null } : await answer.json()
    // An attempt before is at work, or its process died: its key is free again within a minute.
    const isUnderWay = error?.code === 'idempotency_in_progress'
    if (isUnderWay) attempt -= 1
    const isPassing = isUnderWay || answer === null || answer.status >= 500 || error.code === 'rate_limited'
    const pauseMs = 1000 * Number(answer?.headers.get('retry-after') ?? 2 ** (attempt - 1))
    if (!isPassing || attempt === ATTEMPTS || Date.now() + pauseMs > deadline)
      throw new Error(
        error === null ? 'The service does not answer.' : `${error.code}: ${error.message} ${error.remedy}`,
      )
    await pause(pauseMs)
  }
}

/** Adds a file and waits for its job, where there is one. */
async function add(path) {
  const body = new FormData()
  body.set('file', await openAsBlob(path), basename(path))
  let { job } = await call('POST', `/v1/memories/${memory}/documents`, { body })
  while (job?.status === 'pending' || job?.status === 'processing')
    job = await call('GET', `/v1/jobs/${job.id}?wait=30`)
  if (job !== undefined && job.status !== 'completed') process.stderr.write(`${path}: ${job.message}\n`)
}

const [question, ...files] = process.argv.slice(2)
for (const file of files) await add(file)
const { answer, citations } = await call('POST', `/v1/memories/${memory}/ask`, {
  body: JSON.stringify({ question }),
  headers: { 'content-type': 'application/json' },
})
const places = citations.map(
  ({ index, title, startOffset, endOffset }) => `[${index}] ${title}, ${startOffset} to ${endOffset}`,
)
process.stdout.write(`${[answer, ...places].join('\n')}\n`)
