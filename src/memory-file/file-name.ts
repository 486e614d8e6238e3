import { typeidUnboxed } from 'typeid-js'
import { isId } from '../ids.ts'

const MEMORY_ID_CHARACTERS = 'mem_'.length + 26

/**
 * A unique name for a further file of a memory: `mem_….01k…`. The first file has the id of the
 * memory as its name.
 */
export function newFileName(memoryId: string): string {
  return `${memoryId}.${typeidUnboxed()}`
}

/**
 * The id of the memory that a file of this name belongs to; `null` if the name is not one of a
 * memory file.
 */
export function memoryOfFile(name: string): string | null {
  const memoryId = name.slice(0, MEMORY_ID_CHARACTERS)
  const rest = name.slice(MEMORY_ID_CHARACTERS)
  const isOurs = isId('mem', memoryId) && (rest === '' || (rest.startsWith('.') && isId('mem', `mem_${rest.slice(1)}`)))
  return isOurs ? memoryId : null
}
