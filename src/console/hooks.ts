import { effect, signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { apiKey, returns, userDigest } from './session.ts'

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

/** Prefix of the entries in the local storage. */
const STORED = 'recollect-kept '

/**
 * Like `useKept`, but the value survives a reload: it is in the local storage of the browser until
 * the sign-out. A key sees only what was stored with it. If a value does not fit, the entry goes,
 * since an older value would look like the last one.
 */
export function useStored<Value>(
  name: string,
  initial: Value,
): [Value, (next: Value | ((before: Value) => Value)) => void] {
  const [first] = useState(() => readStored(name, initial))
  const [value, keep] = useKept(name, first)
  const set = (next: Value | ((before: Value) => Value)) => {
    keep(next)
    if (kept.peek().has(name)) store(name, kept.peek().get(name))
  }
  return [value, set]
}

function readStored<Value>(name: string, initial: Value): Value {
  try {
    const entry = JSON.parse(localStorage.getItem(STORED + name) ?? 'null') as { owner: string; value: Value } | null
    return entry !== null && entry.owner === userDigest() ? entry.value : initial
  } catch {
    return initial
  }
}

function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(STORED + name, JSON.stringify({ owner: userDigest(), value }))
  } catch {
    // The storage is full or off. The value is kept until the tab closes.
    forget(name)
  }
}

function forget(name: string): void {
  try {
    localStorage.removeItem(STORED + name)
  } catch {
    // The storage is off: there is no entry.
  }
}

let wasSignedIn = false

// The next user must not see this state. A tab that has not signed in yet clears nothing: another
// tab may be signed in.
effect(() => {
  if (apiKey.value !== null) {
    wasSignedIn = true
    return
  }
  kept.value = new Map()
  if (!wasSignedIn) return
  for (const name of Object.keys(localStorage)) if (name.startsWith(STORED)) localStorage.removeItem(name)
})

/** Rows rendered above and below the visible ones, and the step in which the range moves. */
const OVERSCAN = 6

/** Rows of a long list that are in view, from `first` up to, but not including, `end`. */
type VisibleRows = { first: number; end: number }

/**
 * Rows of a list that are in view or close to it, when each has the same height. The list scrolls
 * with the page, or inside `scroller`.
 */
export function useVisibleRows(
  list: { current: HTMLElement | null },
  { count, height, scroller }: { count: number; height: number; scroller?: { current: HTMLElement | null } },
): VisibleRows {
  const [rows, setRows] = useState<VisibleRows>({ first: 0, end: Math.min(count, 4 * OVERSCAN) })
  useEffect(() => {
    const box = scroller?.current ?? null
    function measure() {
      if (list.current === null) return
      const above = (box?.getBoundingClientRect().top ?? 0) - list.current.getBoundingClientRect().top
      const at = Math.floor(above / height / OVERSCAN) * OVERSCAN
      const inView = Math.ceil((box?.clientHeight ?? innerHeight) / height / OVERSCAN) * OVERSCAN
      const first = Math.max(0, Math.min(at - OVERSCAN, count - inView))
      const end = Math.max(0, Math.min(count, at + inView + 2 * OVERSCAN))
      setRows((before) => (before.first === first && before.end === end ? before : { first, end }))
    }
    measure()
    const scrolled: EventTarget = box ?? window
    scrolled.addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      scrolled.removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [count, height])
  return { first: Math.min(rows.first, count), end: Math.min(Math.max(rows.end, 1), count) }
}

/** Returns whether a media query matches, also after the window has changed. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const update = () => setMatches(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [query])
  return matches
}
