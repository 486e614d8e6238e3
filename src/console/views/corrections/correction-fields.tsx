import { X } from 'lucide'
import { useState } from 'preact/hooks'
import type { Correction } from '../../../client/resources.ts'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Modal } from '../../parts/modal.tsx'
import { Time } from '../../parts/time.tsx'
import { client } from '../../session.ts'
import { showToast } from '../../shell/toasts.tsx'

type DialogProps = {
  memoryId: string
  /** Corrections to compare with, so that none is added twice. */
  known: readonly Correction[]
  onMade: (made: Correction) => void
  onClose: () => void
}

/** Dialog to add a correction. A statement that is there already is pointed out before. */
export function NewCorrection({ memoryId, known, onMade, onClose }: DialogProps) {
  const [draft, setDraft] = useState<Draft>({ statement: '', topics: [], expires: '' })
  const same = known.find(({ statement }) => isSame(statement, draft.statement))
  async function add() {
    const { statement, topics, expires } = draft
    const expiresAt = expires === '' ? {} : { expiresAt: new Date(expires).toISOString() }
    onMade(await client.value.corrections.add(memoryId, { statement: statement.trim(), topics, ...expiresAt }))
    onClose()
  }
  return (
    <Modal title="New correction" onClose={onClose}>
      <p class="quiet">It ranks first for questions that it matches, and answers quote it. Documents do not change.</p>
      <Form label={same === undefined ? 'Add correction' : 'Add anyway'} onCancel={onClose} action={add}>
        <Fields draft={draft} onChange={setDraft} />
        {same !== undefined && (
          <p class="notice warn" role="status">
            <span>
              This statement is already there, added <Time at={same.createdAt} />
              {same.isExpired ? '; it has expired.' : '.'}
            </span>
          </p>
        )}
      </Form>
    </Modal>
  )
}

type EditorProps = { correction: Correction; onDone: () => void; onCancel: () => void }

/** Form in the place of a correction, to change it. */
export function CorrectionEditor({ correction, onDone, onCancel }: EditorProps) {
  const { id, memoryId, statement, topics, expiresAt } = correction
  const [draft, setDraft] = useState<Draft>({ statement, topics, expires: toLocal(expiresAt) })
  async function save() {
    // An expired time may stay as it is, but cannot be sent again.
    const expires =
      draft.expires === toLocal(expiresAt)
        ? {}
        : { expiresAt: draft.expires === '' ? null : new Date(draft.expires).toISOString() }
    const change = { statement: draft.statement.trim(), topics: [...draft.topics], ...expires }
    await send(change)
    const hasExpiry = 'expiresAt' in change
    const before = { statement, topics, ...(hasExpiry ? { expiresAt } : {}) }
    // A time in the past cannot be set again.
    const isFinal = hasExpiry && correction.isExpired
    showToast('Correction changed.', isFinal ? undefined : () => send(before))
  }
  async function send(change: Parameters<typeof client.value.corrections.change>[2]) {
    await client.value.corrections.change(memoryId, id, change)
    onDone()
  }
  return (
    <Form label="Save" onCancel={onCancel} action={save}>
      <Fields draft={draft} onChange={setDraft} />
    </Form>
  )
}

/** Input of a correction; `expires` is the value of a field for a local time, or empty. */
type Draft = { statement: string; topics: string[]; expires: string }

type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void }

function Fields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <label>
        Correct statement
        <textarea
          dir="auto"
          rows={3}
          required
          maxLength={10_000}
          placeholder="Since May the office closes at 18:00."
          value={draft.statement}
          onInput={(event) => onChange({ ...draft, statement: event.currentTarget.value })}
        />
      </label>
      <Topics topics={draft.topics} onChange={(topics) => onChange({ ...draft, topics })} />
      <Expiry expires={draft.expires} onChange={(expires) => onChange({ ...draft, expires })} />
    </>
  )
}

/** Topics as chips. Enter or a comma ends a topic, and Backspace in the empty field removes one. */
function Topics({ topics, onChange }: { topics: readonly string[]; onChange: (topics: string[]) => void }) {
  const [text, setText] = useState('')
  function add(typed: string) {
    const added = typed.split(',').map((topic) => topic.trim())
    onChange([...new Set([...topics, ...added.filter(Boolean)])])
    setText('')
  }
  function keyDown(event: KeyboardEvent) {
    if (event.isComposing) return
    if (event.key === 'Backspace' && text === '') onChange(topics.slice(0, -1))
    if (event.key !== 'Enter' || text.trim() === '') return
    event.preventDefault()
    add(text)
  }
  return (
    <div class="chips-field">
      <label>
        <span>
          Topics <span class="hint">optional, further words that it answers</span>
        </span>
        <input
          dir="auto"
          autocomplete="off"
          maxLength={1000}
          placeholder="Type a topic, then press Enter"
          value={text}
          onInput={({ currentTarget: { value } }) => (value.includes(',') ? add(value) : setText(value))}
          onKeyDown={keyDown}
          onBlur={() => add(text)}
        />
      </label>
      {topics.length > 0 && (
        <ul class="tags" aria-label="Topics">
          {topics.map((topic) => (
            <li class="tag" key={topic}>
              <bdi>{topic}</bdi>
              <button
                type="button"
                class="plain"
                aria-label={`Remove topic ${topic}`}
                onClick={() => onChange(topics.filter((other) => other !== topic))}
              >
                <Icon of={X} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const DAY_MS = 24 * 3600 * 1000

/** Times from now that are chosen with one click. */
const PERIODS = { 'A week': 7 * DAY_MS, 'A month': 30 * DAY_MS, 'A year': 365 * DAY_MS }

function Expiry({ expires, onChange }: { expires: string; onChange: (expires: string) => void }) {
  return (
    <fieldset class="expiry">
      <legend>
        Expires <span class="hint">optional; afterwards it is neither found nor quoted</span>
      </legend>
      <div class="row">
        <input
          type="datetime-local"
          aria-label="Expires"
          value={expires}
          min={toLocal(new Date().toISOString())}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {Object.entries(PERIODS).map(([name, ms]) => (
          <button
            key={name}
            type="button"
            class="small"
            onClick={() => onChange(toLocal(new Date(Date.now() + ms).toISOString()))}
          >
            {name}
          </button>
        ))}
        <button type="button" class="quiet small" disabled={expires === ''} onClick={() => onChange('')}>
          Never
        </button>
      </div>
    </fieldset>
  )
}

/** Value of a `datetime-local` field: the local time to the minute. Empty for `null`. */
function toLocal(time: string | null): string {
  if (time === null) return ''
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** True for statements with the same words, in any case and with any spaces or final dot. */
function isSame(one: string, other: string): boolean {
  return normalize(one) === normalize(other)
}

function normalize(statement: string): string {
  return statement
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.!]+$/u, '')
}
