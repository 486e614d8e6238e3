import { effect, signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { apiKey, returns } from './session.ts'

/** State of a load. The previous value remains while a newer one loads. */
type Loaded<Value> = { value: Value | null; error: unknown; isLoading: boolean; reload: () => void }

/**
 * Loads when the view opens, when one of `of` changes, and when the service is back. Ignores
 * outdated responses.
 */
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

/** Polls while `isOn`, for data that changes on the server. */
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

/**
 * Like `useState`, but the value survives leaving the view, under a unique name. Updates that
 * finish later are kept as well.
 */
export function useKept<Value>(
  name: string,
  initial: Value,
): [Value, (next: Value | ((before: Value) => Value)) => void] {
  const owner = apiKey.value
  const read = () => (kept.peek().has(name) ? (kept.peek().get(name) as Value) : initial)
  const set = (next: Value | ((before: Value) => Value)) => {
    // State of one key is not visible to the next.
    if (apiKey.peek() !== owner) return
    const value = typeof next === 'function' ? (next as (before: Value) => Value)(read()) : next
    kept.value = new Map([...kept.peek(), [name, value]])
  }
  return [kept.value.has(name) ? (kept.value.get(name) as Value) : initial, set]
}

// The next user must not see this state.
effect(() => {
  if (apiKey.value === null) kept.value = new Map()
})
