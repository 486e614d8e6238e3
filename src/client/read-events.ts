/** A server-sent event: its name and its data, parsed. */
export type ServerEvent = { event: string; data: unknown }

/**
 * The events of an answer (HTML Standard, section 9.2), each as soon as it is whole. Ends with the answer; leaving the loop
 * early ends the request. Rejects where the connection breaks, and with SyntaxError for data that is not JSON.
 */
export async function* readEvents(answer: Response): AsyncGenerator<ServerEvent> {
  const reader = answer.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      text += decoder.decode(value, { stream: !done })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== null) yield event
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** `null` for a comment, which only keeps the connection open. */
function parseEvent(block: string): ServerEvent | null {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([a-z]+):? ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value ?? ''
    if (field === 'data') data.push(value ?? '')
  }
  return data.length === 0 ? null : { event, data: JSON.parse(data.join('\n')) as unknown }
}
