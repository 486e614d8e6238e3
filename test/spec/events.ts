/** A server-sent event; `data` is parsed where it is JSON. */
export type StreamEvent<Data> = { event: string; data: Data }

/** The events of a whole stream, comments left out. */
export function parseEvents<Data>(text: string): StreamEvent<Data>[] {
  const blocks = text.split(/\r?\n\r?\n/).filter((block) => /^data:/m.test(block))
  return blocks.map((block) => {
    const event = /^event: ?(.*)$/m.exec(block)?.[1] ?? 'message'
    const data = [...block.matchAll(/^data: ?(.*)$/gm)].map((line) => line[1]).join('\n')
    return { event, data: JSON.parse(data) as Data }
  })
}
