/** What was found in one place. `unknown` cannot be told from here, and is no trouble. */
export type Finding = { check: string; state: 'ok' | 'trouble' | 'unknown'; detail: string }
