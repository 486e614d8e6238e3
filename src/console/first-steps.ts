/** First steps of a newcomer, stored in this browser. The list ends with its last step. */
import { effect, signal } from '@preact/signals'
import { memoryList } from './memory-list.ts'
import { route } from './route.ts'
import { readStoredList, storeList } from './stored-list.ts'

const STORED = 'recollect-first-steps'

/** Steps in their order, with what they are for. */
export const FIRST_STEPS = {
  memory: 'Create a memory, or try the sample',
  document: 'Add a document',
  search: 'Search it',
  ask: 'Ask a question',
  key: 'Create a key for your app',
  connect: 'Connect your app',
} as const

/** Name of a step. */
export type FirstStep = keyof typeof FIRST_STEPS

const done = signal<ReadonlySet<string>>(new Set(readStoredList(STORED)))

/** Steps that are done; `null` once all are, or the list was closed. */
export function doneSteps(): ReadonlySet<string> | null {
  const isOver = done.value.has('closed') || Object.keys(FIRST_STEPS).every((step) => done.value.has(step))
  return isOver ? null : done.value
}

/** Marks a step as done. `closed` ends the list. */
export function finishStep(step: FirstStep | 'closed'): void {
  if (done.peek().has(step)) return
  done.value = new Set([...done.peek(), step])
  storeList(STORED, done.peek())
}

effect(() => {
  const memories = memoryList.value.memories ?? []
  if (memories.length > 0) finishStep('memory')
  if (memories.some(({ documentCount }) => documentCount > 0)) finishStep('document')
})

effect(() => {
  if (route.value.parts[2] === 'ask') finishStep('ask')
})
