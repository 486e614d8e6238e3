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
      add(place: keyof RecordParts, line: string, isName: boolean): void {
        if (line !== '' && (isName || !rows.take(line))) record.add(place, { line, isName })
      },
      addField(text: string, label: FieldLabel | null): void {
        record.add('fields', { line: text, label })
      },
    },
  }
}

/** What a field is called; `isOwn`: by an attribute of its own. */
export type FieldLabel = { words: string; isOwn: boolean }

/** A line of a record, or a field of one; `isName`: of the element around it no more than its name. */
type RecordLine = { line: string; label?: FieldLabel | null; isName?: boolean }

/** Lines of a record: what the elements around it say, its fields, and what their attributes say, which would part them. */
export type RecordParts = { head: RecordLine[]; fields: RecordLine[]; facts: RecordLine[] }

/** With more words a text is a sentence rather than a value. */
const MAX_VALUE_WORDS = 12

function createRecord(emitText: (text: string, facts: BlockFacts) => void) {
  let parts: RecordParts = { head: [], fields: [], facts: [] }
  let characters = 0

  /** `leads`: what follows is about it. */
  function end(leads = false): void {
    const { head, fields, facts } = parts
    const all = [...head, ...fields, ...facts]
    // Names alone say nothing, nor do they of prose.
    const isRecord = all.some(isData)
    const heads = head.filter(({ isName }) => isName !== true || isRecord).map(({ line }) => line)
    const lines = [...heads, ...toLines(fields), ...facts.map(({ line }) => line)]
    const kind = lines.length > 1 ? 'record' : 'paragraph'
    if (all.some(({ isName }) => isName !== true))
      emitText(`${lines.join('\n')}\n\n`, { kind, ...(leads && { leads }) })
    parts = { head: [], fields: [], facts: [] }
    characters = 0
  }

  return {
    add(place: keyof RecordParts, line: RecordLine): void {
      const length = line.line.length + (line.label?.words.length ?? 0) + 6
      if (characters + length >= MAX_BLOCK_CHARACTERS) end()
      parts[place].push(line)
      characters += length
    },
    end,
    /** Ends it unless it has only begun: a heading goes before what the elements around it say. */
    endFields(): void {
      if (parts.fields.length + parts.facts.length > 0) end()
    },
  }
}

/** The words of all fields one behind the other, as the file has them, and behind them once more those that are values, each with its name. */
function toLines(fields: readonly RecordLine[]): string[] {
  if (fields.length < 2) return fields.map(toLine)
  const plain = fields.map((field) => (field.label?.isOwn ? toLine(field) : field.line))
  return [...plain, ...fields.filter((field) => isData(field) && field.label?.isOwn === false).map(toLine)]
}

/** True for a field with a name: a value. */
function isData({ line, label, isName }: RecordLine): boolean {
  return isName !== true && label != null && (label.isOwn || isValue(line))
}

function toLine(line: RecordLine): string {
  return isData(line) ? `${line.label?.words}: ${line.line}` : line.line
}

function isValue(text: string): boolean {
  return !/[.!?…。！？]["'”’»)\]]*$/.test(text) || text.split(/\s+/, MAX_VALUE_WORDS + 1).length <= MAX_VALUE_WORDS
}
