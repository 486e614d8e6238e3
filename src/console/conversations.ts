/** Conversations with memories, kept in this browser until the user signs out. */
import { effect, signal } from '@preact/signals'
import type { AskAnswer } from '../client/answers.ts'
import type { Citation } from '../client/findings.ts'
import { randomName } from '../client/send-request.ts'
import { apiKey, client, userDigest } from './session.ts'

/** A question with its answer. */
export type Turn = {
  id: string
  question: string
  /** Text received so far; `answer` has the final text. */
  text: string
  /** Citations received so far. */
  citations: readonly Citation[]
  answer: AskAnswer | null
  error: unknown
  state: 'asking' | 'done' | 'stopped'
}

/** Questions to a memory, each of which may continue those before it. */
export type Conversation = { id: string; memoryId: string; changedAt: number; turns: readonly Turn[] }

const STORED = 'recollect-conversations'
const MAX_CONVERSATIONS = 50
/** Browsers grant about five million characters for everything. */
const MAX_CHARACTERS = 2_000_000
/** Messages sent with a follow-up question: the API takes 100 of 20,000 characters. */
const MAX_MESSAGES = 40
const MAX_MESSAGE_CHARACTERS = 20_000

/** Newest first. */
const conversations = signal<readonly Conversation[]>([])
const running = new Map<string, AbortController>()

/** Conversations with a memory, the latest first. */
export function listConversations(memoryId: string): readonly Conversation[] {
  return conversations.value.filter((one) => one.memoryId === memoryId)
}

/** A conversation; `null` if this browser does not have it. */
export function conversationOf(id: string | null): Conversation | null {
  return conversations.value.find((one) => one.id === id) ?? null
}

/**
 * Asks a question in a conversation, or in a new one, and returns its ID. The answer continues to
 * stream while the user is in another view.
 */
export function askIn(memoryId: string, conversationId: string | null, question: string): string {
  const before = conversationOf(conversationId)
  const id = before?.id ?? randomName()
  const turn: Turn = { ...{ id: randomName(), question, text: '', citations: [] }, ...UNANSWERED }
  put({ id, memoryId, changedAt: Date.now(), turns: [...(before?.turns ?? []), turn] })
  void answer(id, turn)
  return id
}

const UNANSWERED = { answer: null, error: null, state: 'asking' } as const

/** Asks a question again, in the place of its answer and of everything after it. */
export function askAgain(conversation: Conversation, turn: Turn): void {
  stop(conversation.id)
  put({ ...conversation, turns: conversation.turns.slice(0, conversation.turns.indexOf(turn)) })
  askIn(conversation.memoryId, conversation.id, turn.question)
}

/** Stops the answer of a conversation. The text so far remains. */
export function stop(id: string): void {
  running.get(id)?.abort()
  running.delete(id)
  const conversation = conversationOf(id)
  if (conversation === null) return
  const turns = conversation.turns.map((turn) =>
    turn.state === 'asking' ? { ...turn, state: 'stopped' as const } : turn,
  )
  put({ ...conversation, turns })
}

/** Deletes a conversation, and returns a function that restores it. */
export function deleteConversation(conversation: Conversation): () => void {
  stop(conversation.id)
  change(conversations.peek().filter(({ id }) => id !== conversation.id))
  return () => put(conversation)
}

async function answer(id: string, turn: Turn): Promise<void> {
  running.get(id)?.abort()
  const leaving = new AbortController()
  running.set(id, leaving)
  let now = turn
  const tell = (facts: Partial<Turn>) => {
    const conversation = conversationOf(id)
    if (leaving.signal.aborted || conversation === null) return
    now = { ...now, ...facts }
    put({ ...conversation, turns: conversation.turns.map((one) => (one.id === turn.id ? now : one)) })
  }
  const { memoryId = '', turns = [] } = conversationOf(id) ?? {}
  try {
    const asked = toMessages(turns)
    const options = { includeSources: true, signal: leaving.signal }
    for await (const event of client.value.askStream(memoryId, asked, options)) {
      if (event.type === 'token') tell({ text: now.text + event.text })
      if (event.type === 'citation') tell({ citations: [...now.citations, event.citation] })
      if (event.type === 'done') tell({ answer: event.answer, state: 'done' })
    }
  } catch (error) {
    tell({ error, state: 'done' })
  }
}

/** The question of the last turn, with the turns before it as messages if it has any. */
export function toMessages(turns: readonly Turn[]) {
  const question = turns.at(-1)?.question ?? ''
  const messages = turns.slice(0, -1).flatMap(({ question: earlier, answer }) => {
    if (answer === null) return []
    return [
      // A chain of follow-ups keeps its subject.
      { role: 'user' as const, content: answer.rewrittenQuestion ?? earlier },
      { role: 'assistant' as const, content: answer.answer.slice(0, MAX_MESSAGE_CHARACTERS) },
    ]
  })
  return messages.length === 0
    ? question
    : [...messages.slice(-MAX_MESSAGES), { role: 'user' as const, content: question }]
}

function put(conversation: Conversation): void {
  change([conversation, ...conversations.peek().filter(({ id }) => id !== conversation.id)])
}

function change(next: readonly Conversation[]): void {
  conversations.value = next.slice(0, MAX_CONVERSATIONS)
  const isStreaming = next.some(({ turns }) => turns.some(({ state }) => state === 'asking'))
  if (!isStreaming) store()
}

/** Stores what has an answer, without the texts of the sources, the oldest conversations last. */
function store(): void {
  const kept = conversations.peek().flatMap((conversation) => {
    const turns = conversation.turns.filter(({ error }) => error === null).map(withoutTexts)
    return turns.length === 0 ? [] : [{ ...conversation, turns }]
  })
  const owner = userDigest()
  let text = JSON.stringify({ owner, kept })
  while (text.length > MAX_CHARACTERS && kept.length > 1) {
    kept.pop()
    text = JSON.stringify({ owner, kept })
  }
  try {
    localStorage.setItem(STORED, text)
  } catch {
    // No room in the browser: the conversations remain until the tab is closed.
  }
}

function withoutTexts(turn: Turn): Turn {
  if (turn.answer === null) return turn
  return {
    ...turn,
    text: '',
    citations: [],
    answer: { ...turn.answer, sources: turn.answer.sources.map((source) => ({ ...source, text: '' })) },
  }
}

/** Conversations that this user kept; those of another key in this browser are deleted. */
function readStored(): readonly Conversation[] {
  try {
    const { owner, kept } = JSON.parse(localStorage.getItem(STORED) ?? '{}') as {
      owner?: string
      kept?: Conversation[]
    }
    if (owner === userDigest() && Array.isArray(kept)) return kept
  } catch {
    // Not written by this version.
  }
  localStorage.removeItem(STORED)
  return []
}

let wasSignedIn = false

// The next user must not see these conversations.
effect(() => {
  if (apiKey.value !== null) {
    if (!wasSignedIn) conversations.value = readStored()
    wasSignedIn = true
    return
  }
  for (const leaving of running.values()) leaving.abort()
  running.clear()
  conversations.value = []
  // Before the sign-in of a new tab, those of the other tabs remain.
  if (wasSignedIn) localStorage.removeItem(STORED)
  wasSignedIn = false
})
