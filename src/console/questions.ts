/** What was asked of each memory, and what has come of it so far: an answer is there when one comes back from another view, and written on meanwhile. */
import { effect, signal } from '@preact/signals'
import type { AskAnswer } from '../client/answers.ts'
import { apiKey, client } from './session.ts'

export type Asked = {
  question: string
  /** The words that have come; `answer` holds them all in the end. */
  told: string
  answer: AskAnswer | null
  error: unknown
}

const asked = signal<ReadonlyMap<string, Asked>>(new Map())
const running = new Map<string, AbortController>()

/** The last question to a memory; `null` where none was asked. */
export function askedOf(memoryId: string): Asked | null {
  return asked.value.get(memoryId) ?? null
}

/** Asks a memory, and ends what was asked of it before. Resolves at the end of the answer; never rejects, since a failure is kept as well. */
export async function ask(memoryId: string, question: string): Promise<void> {
  running.get(memoryId)?.abort()
  const leaving = new AbortController()
  running.set(memoryId, leaving)
  let now: Asked = { question, told: '', answer: null, error: null }
  const tell = (facts: Partial<Asked>) => {
    now = { ...now, ...facts }
    if (!leaving.signal.aborted) asked.value = new Map([...asked.value, [memoryId, now]])
  }
  tell({})
  try {
    for await (const event of client.value.askStream(memoryId, question, {
      includeSources: true,
      signal: leaving.signal,
    })) {
      if (event.type === 'token') tell({ told: now.told + event.text })
      if (event.type === 'done') tell({ answer: event.answer })
    }
  } catch (error) {
    tell({ error })
  }
}

// Whoever signs in next has nothing to do with them.
effect(() => {
  if (apiKey.value !== null) return
  for (const leaving of running.values()) leaving.abort()
  asked.value = new Map()
})
