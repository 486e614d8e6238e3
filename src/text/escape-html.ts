const SPECIAL = /[&<>"']/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const ESCAPED = /&(?:amp|lt|gt|quot|#39);/g
const CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ENTITIES).map(([character, entity]) => [entity, character]),
)

/** The text with everything that HTML would read as more than text replaced by entities; safe in attributes as well. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? character)
}

/** What {@link escapeHtml} made of a text, as it was. */
export function unescapeHtml(text: string): string {
  return text.replace(ESCAPED, (entity) => CHARACTERS[entity] ?? entity)
}
