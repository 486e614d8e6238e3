/** The start of the console in a browser. */
import { render } from 'preact'
import { App } from './app.tsx'
import { apiKey, signIn } from './session.ts'

const place = document.getElementById('console')
if (place === null) throw new Error('the page has no place for the console')

// A key kept from before may have been revoked since: it is forgotten by that. Without an answer the views say so themselves.
const kept = apiKey.value
if (kept !== null) await signIn(kept).catch(() => undefined)
render(<App />, place)
