const SPECIAL_CHARACTERS = /[&<>"']/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const ENTITY = /&(?:amp|lt|gt|quot|#39);/g
const CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ENTITIES).map(([character, entity]) => [entity, character]),
)

/** Escapes characters with a meaning in HTML; safe in attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL_CHARACTERS, (character) => ENTITIES[character] ?? character)
}

/** Reverses {@link escapeHtml}. */
export function unescapeHtml(text: string): string {
  return text.replace(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
}
