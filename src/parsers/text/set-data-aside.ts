import type { Block, ParseEvent } from '../parse-event.ts'

/** A line of encoded data is at least so long: MIME has 76 characters, PEM 64, and a program that writes no lines has thousands. */
const LINE_CHARACTERS = 60
/** Shorter data is a key or a fingerprint that somebody may look for. */
const MIN_CHARACTERS = 500
/** Of the 64 characters of base64 data has more than these; a sequence of genes has 4, a number in hexadecimal digits 16. */
const MIN_DIFFERENT = 40

const LINE = `[A-Za-z0-9+/]{${LINE_CHARACTERS},}`
/** Between two lines; JSON writes it as an escape. */
const BREAK = String.raw`(?:\r?\n[ \t]*|(?:\\r)?\\n)`
/** The last line is shorter, and its own. */
const TAIL = String.raw`[A-Za-z0-9+/]{1,${LINE_CHARACTERS}}={0,2}(?=\r?\n|\\|"|$)`
const LINES = `${LINE}(?:${BREAK}?${LINE})*(?:${BREAK}?${TAIL})?`
const RUN = new RegExp(LINES, 'g')
const RUN_THAT_GOES_ON = new RegExp(`^${BREAK}?(?:(?:[A-Za-z0-9+/]{0,${LINE_CHARACTERS}}${BREAK})?${LINES}|${TAIL})`)

/** Sets encoded data aside, event by event in their order. */
export type DataFilter = {
  /** The event, or the blocks that its block is divided into; their text is the same. */
  pass(event: ParseEvent): readonly ParseEvent[]
  /** What to tell the sender of all that was set aside; `null` where nothing was. */
  warning(): string | null
}

/**
 * Makes a filter that sets encoded data aside: the pictures of a notebook, the attachments of a mail, files within JSON, all in base64. It stays in the
 * text, which is the file, as a block that nothing is looked for in.
 */
export function createDataFilter(): DataFilter {
  let goesOn = false
  let characters = 0
  return {
    pass(event) {
      if (!('block' in event)) return [event]
      const { text } = event.block
      const runs = text.length < LINE_CHARACTERS && !goesOn ? [] : listRuns(text, goesOn)
      goesOn = runs.at(-1)?.end === text.length
      for (const { start, end } of runs) characters += end - start
      return runs.length === 0 ? [event] : divide(event.block, runs).map((block) => ({ block }))
    },
    warning() {
      if (characters === 0) return null
      return `${characters.toLocaleString('en')} characters of encoded data (base64) are in the text and not in its passages: nothing is found in them.`
    },
  }
}

type Run = { start: number; end: number }

function listRuns(text: string, goesOn: boolean): Run[] {
  const first = goesOn ? (RUN_THAT_GOES_ON.exec(text)?.[0].length ?? 0) : 0
  const runs: Run[] = first > 0 ? [{ start: 0, end: first }] : []
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (index >= first && isData(run)) runs.push({ start: index, end: index + run.length })
  }
  return runs
}

function isData(run: string): boolean {
  if (run.length < MIN_CHARACTERS) return false
  return (
    /[a-z]/.test(run) &&
    /[A-Z]/.test(run) &&
    /\d/.test(run) &&
    new Set(run.slice(0, 4 * MIN_CHARACTERS)).size > MIN_DIFFERENT
  )
}

function divide(block: Block, runs: readonly Run[]): Block[] {
  const { page } = block
  const blocks: Block[] = []
  let from = 0
  for (const { start, end } of runs) {
    if (start > from) blocks.push({ ...block, text: block.text.slice(from, start) })
    blocks.push({ text: block.text.slice(start, end), kind: 'blank', ...(page === undefined ? {} : { page }) })
    from = end
  }
  if (from < block.text.length) blocks.push({ ...block, text: block.text.slice(from) })
  return blocks
}
