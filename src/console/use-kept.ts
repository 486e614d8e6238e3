import { effect, signal } from '@preact/signals'
import { apiKey } from './session.ts'

const kept = signal<ReadonlyMap<string, unknown>>(new Map())

/** As `useState`, of what is there again when one comes back from another view, under a name that nothing else has; a later end of what began before is kept as well. */
export function useKept<Value>(
  name: string,
  initial: Value,
): [Value, (next: Value | ((before: Value) => Value)) => void] {
  const owner = apiKey.value
  const read = () => (kept.peek().has(name) ? (kept.peek().get(name) as Value) : initial)
  const set = (next: Value | ((before: Value) => Value)) => {
    // What was begun under one key is not shown to the next.
    if (apiKey.peek() !== owner) return
    const value = typeof next === 'function' ? (next as (before: Value) => Value)(read()) : next
    kept.value = new Map([...kept.peek(), [name, value]])
  }
  return [kept.value.has(name) ? (kept.value.get(name) as Value) : initial, set]
}

// Whoever signs in next has nothing to do with it.
effect(() => {
  if (apiKey.value === null) kept.value = new Map()
})
