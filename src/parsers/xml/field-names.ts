/** Roots of vocabularies whose elements say what a text looks like or where it stands, and of listings that name their values themselves. */
const SILENT_ROOT =
  /^(?:(?:office|w|pkg|p|a|x|fo|svg):.*|(?:\w+:)?(?:html|plist|tt|osis|usx|akomantoso|play|poem|pmc-articleset|set|part|appendix|preface|glossary|section|sect[1-5]|reference|topic|concept|task|dita|map|bookmap|ead))$/i
/** Names that say nothing of what stands in an element, and such as say where it stands. */
const SILENT_NAME =
  /^(?:.|text|content|value|string|str|int|integer|real|data|body|key|item|entry|row|rows|record|records|element|object|list|items|root|node|nodes|rss|feed|channel|rdf|kml|result|results|array|dict|h[1-6r]|para|paragraph|title|head|heading|term|glossterm|dt)$/i

/**
 * What the name of an element says of its content (`<total>12</total>`), without the prefix of its vocabulary; `null` where that is nothing. `root`: the element
 * around all others.
 */
export function fieldNameOf(name: string, root: string): string | null {
  const own = name.replace(/^.*:/, '')
  return SILENT_ROOT.test(root) || SILENT_NAME.test(own) ? null : own
}
