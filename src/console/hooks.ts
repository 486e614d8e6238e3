import { effect, signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { apiKey, client, returns } from './session.ts'

/** What is being read: the last answer stands while a newer one is on its way. */
type Loaded<Value> = { value: Value | null; error: unknown; isLoading: boolean; reload: () => void }

/** Reads when the view appears and whenever one of `of` changes or the service is back; an answer that is no longer wanted is dropped. */
export function useLoad<Value>(read: (signal: AbortSignal) => Promise<Value>, of: readonly unknown[]): Loaded<Value> {
  const [state, setState] = useState<{ value: Value | null; error: unknown; isLoading: boolean }>({
    value: null,
    error: null,
    isLoading: true,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    const leaving = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    latest.current(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) setState({ value, error: null, isLoading: false })
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setState((before) => ({ ...before, error, isLoading: false }))
      },
    )
    return () => leaving.abort()
  }, [...of, turn, returns.value])
  const reload = useCallback(() => setTurn((before) => before + 1), [])
  return { ...state, reload }
}

/** Calls again and again while `isOn`, for what changes by itself. */
export function useEvery(pauseMs: number, isOn: boolean, call: () => void): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => latest.current(), pauseMs)
    return () => clearInterval(timer)
  }, [pauseMs, isOn])
}

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

/** Names what the tab shows, the nearest first: `Search · Harbour · Recollect`. `null`: another view names it, or what is shown is not known yet. */
export function useTabTitle(names: readonly string[] | null): void {
  const title = names === null ? null : [...names, 'Recollect'].join(' · ')
  useEffect(() => {
    if (title !== null) document.title = title
  }, [title])
}

/** What each memory that the key sees is called, by its identifier, the newest first. */
export function useMemoryNames(): Loaded<ReadonlyMap<string, string>> {
  return useLoad(readNames, [])
}

async function readNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const { id, name } of client.value.memories.list({ limit: 100 }, { signal })) names.set(id, name)
  return names
}
