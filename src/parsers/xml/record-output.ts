import type { Block } from '../parse-event.ts'
import { MAX_BLOCK_CHARACTERS } from '../text/block-reader.ts'
import { cutText } from '../text/cut-position.ts'
import { createTableRows } from './table-rows.ts'

type BlockFacts = Omit<Block, 'text'>

/** Where the text of an XML file goes: a record, the row of a table, or a block of its own. */
export function createOutput(emit: (block: Block) => void) {
  function emitText(text: string, { beginsTable, ...facts }: BlockFacts): void {
    let isFirst = beginsTable === true
    for (const piece of cutText(text, MAX_BLOCK_CHARACTERS)) {
      emit({ ...facts, text: piece, ...(isFirst && { beginsTable }) })
      isFirst = false
    }
  }

  const record = createRecord(emitText)
  const rows = createTableRows(({ text, ...facts }) => {
    record.end()
    emitText(text, facts)
  })
  return {
    emit: emitText,
    rows,
    record: {
      ...record,
      add(place: keyof RecordParts, line: string): void {
        if (!rows.take(line)) record.add(place, line)
      },
    },
  }
}

/** Lines of a record: what the elements around it say, its fields, and what their attributes say, which would part them. */
export type RecordParts = { head: string[]; fields: string[]; facts: string[] }

function createRecord(emitText: (text: string, facts: BlockFacts) => void) {
  let parts: RecordParts = { head: [], fields: [], facts: [] }
  let characters = 0

  /** `leads`: what follows is about it. */
  function end(leads = false): void {
    const lines = [...parts.head, ...parts.fields, ...parts.facts]
    const kind = lines.length > 1 ? 'record' : 'paragraph'
    if (lines.length > 0) emitText(`${lines.join('\n')}\n\n`, { kind, ...(leads && { leads }) })
    parts = { head: [], fields: [], facts: [] }
    characters = 0
  }

  return {
    add(place: keyof RecordParts, line: string): void {
      if (characters + line.length >= MAX_BLOCK_CHARACTERS - 2) end()
      parts[place].push(line)
      characters += line.length + 1
    },
    end,
    /** Ends it unless it has only begun: a heading goes before what the elements around it say. */
    endFields(): void {
      if (parts.fields.length + parts.facts.length > 0) end()
    },
  }
}
