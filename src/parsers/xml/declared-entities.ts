import { parseFragment } from 'parse5'

/** Puts names into the table of entities that a parser looks in. */
export type DeclaredEntities = {
  /** Takes the document type, with what it declares. */
  declare(doctype: string): void
  /** Makes known what the next piece of the file may name: the entities of HTML, which many files use undeclared. */
  resolve(text: string): void
}

/** An entity is a word or a phrase. Longer ones, and ones made of others, are how a small file is blown up. */
const MAX_VALUE_CHARACTERS = 200
const MAX_ENTITIES = 1000
/** Longest name HTML has, with its marks. */
const MAX_NAME_CHARACTERS = 40

/** Makes those of one file. */
export function createDeclaredEntities(table: Record<string, string>): DeclaredEntities {
  /** The end of the piece before, where a name may begin. */
  let tail = ''

  return {
    declare(doctype) {
      let count = 0
      for (const [, name, , value] of doctype.matchAll(/<!ENTITY\s+([\w.:-]+)\s+(["'])([^"'<&%]*)\2\s*>/g)) {
        if (name === undefined || value === undefined || value.length > MAX_VALUE_CHARACTERS) continue
        if (name in table) continue
        table[name] = value
        count += 1
        if (count === MAX_ENTITIES) return
      }
    },
    resolve(text) {
      const whole = tail + text
      for (const [, name] of whole.matchAll(/&([A-Za-z][A-Za-z0-9]{1,35});/g)) {
        if (name === undefined || name in table) continue
        const character = decodeHtmlEntity(name)
        if (character !== null) table[name] = character
      }
      tail = whole.slice(-MAX_NAME_CHARACTERS)
    },
  }
}

/** The character of an HTML entity; `null` when HTML has none of the name. */
function decodeHtmlEntity(name: string): string | null {
  const node = parseFragment(`&${name};`).childNodes[0]
  const text = node !== undefined && 'value' in node ? node.value : ''
  return text === '' || text.startsWith('&') ? null : text
}
