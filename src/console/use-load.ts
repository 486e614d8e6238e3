import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { returns } from './connection.ts'

/** What is being read: the last answer stands while a newer one is on its way. */
export type Loaded<Value> = { value: Value | null; error: unknown; isLoading: boolean; reload: () => void }

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
