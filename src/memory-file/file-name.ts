import { typeidUnboxed } from 'typeid-js'
import { isId } from '../ids.ts'

const MEMORY_ID_CHARACTERS = 'mem_'.length + 26

/** A name for another file of a memory, whose first is called as the memory itself: `mem_….01k…`, never given twice. */
export function newFileName(memoryId: string): string {
  return `${memoryId}.${typeidUnboxed()}`
}

/** The memory of which a file with this name would be: its identifier, alone or with what {@link newFileName} adds; `null` for every other name. */
export function memoryOfFile(name: string): string | null {
  const memoryId = name.slice(0, MEMORY_ID_CHARACTERS)
  const rest = name.slice(MEMORY_ID_CHARACTERS)
  const isOurs = isId('mem', memoryId) && (rest === '' || (rest.startsWith('.') && isId('mem', `mem_${rest.slice(1)}`)))
  return isOurs ? memoryId : null
}
