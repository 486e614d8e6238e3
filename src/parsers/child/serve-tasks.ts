import { ApiError } from '../../errors.ts'
import { type Failure, type FromChild, MAX_BATCHES_IN_FLIGHT, type Tasks, type ToChild } from './protocol.ts'

/** Maximum events and characters per batch, and maximum delay of an event. */
const BATCH_EVENTS = 128
const BATCH_CHARACTERS = 64 * 1024
const BATCH_MS = 50

/** The child's side of the protocol: takes messages, answers through `send`. */
export function serveTasks(tasks: Tasks, send: (message: FromChild) => void): (message: ToChild) => void {
  let underWay = 0
  let wake: (() => void) | null = null

  async function sendBatch(events: unknown[]): Promise<void> {
    while (underWay >= MAX_BATCHES_IN_FLIGHT) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    underWay++
    send({ type: 'events', events })
  }

  async function run(name: string, input: unknown): Promise<unknown> {
    const task = tasks[name]
    if (task === undefined) throw new Error(`no such task: ${name}`)
    const batch = createBatch(sendBatch)
    const work = task(input)
    for (;;) {
      const step = await work.next().catch(async (error: unknown) => {
        // Events before a failure are valid.
        await batch.flush()
        throw error
      })
      if (step.done === true) {
        await batch.flush()
        return step.value
      }
      await batch.add(step.value)
    }
  }

  return (message) => {
    if (message.type === 'taken') {
      underWay--
      wake?.()
      return
    }
    underWay = 0
    run(message.task, message.input).then(
      (value) => send({ type: 'done', value }),
      (error: unknown) => send({ type: 'failed', error: serializeError(error) }),
    )
  }
}

function createBatch(sendBatch: (events: unknown[]) => Promise<void>) {
  let events: unknown[] = []
  let characters = 0
  let since = 0

  async function flush(): Promise<void> {
    if (events.length === 0) return
    const batch = events
    events = []
    characters = 0
    await sendBatch(batch)
  }

  async function add(event: unknown): Promise<void> {
    if (events.length === 0) since = performance.now()
    events.push(event)
    characters += countCharacters(event)
    const isFull = events.length >= BATCH_EVENTS || characters >= BATCH_CHARACTERS
    // Flush at the end of a page: the page is kept if a later page fails.
    if (isFull || isEndOfPage(event) || performance.now() - since > BATCH_MS) await flush()
  }

  return { add, flush }
}

function countCharacters(event: unknown): number {
  const block = typeof event === 'object' && event !== null && 'block' in event ? event.block : null
  const text = typeof block === 'object' && block !== null && 'text' in block ? block.text : null
  return typeof text === 'string' ? text.length : 0
}

function isEndOfPage(event: unknown): boolean {
  return typeof event === 'object' && event !== null && ('page' in event || 'scan' in event)
}

/** Serializes an error. */
export function serializeError(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: null, message: String(error), facts: {}, stack: null }
  const { message, stack = null } = error
  if (!(error instanceof ApiError)) return { code: null, message, facts: {}, stack }
  const { cause, ...facts } = error.facts
  return { code: error.code, message, facts, stack: cause instanceof Error ? (cause.stack ?? null) : null }
}
