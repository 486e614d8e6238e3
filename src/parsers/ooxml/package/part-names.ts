/** The part that a relationship of `source` names: relative to the folder of `source`, or from the root with a slash in front. */
export function resolvePart(source: string, target: string): string {
  const [path = ''] = target.replaceAll('\\', '/').split('#')
  const segments = path.startsWith('/') ? [] : source.split('/').slice(0, -1)
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decodeSegment(segment))
  }
  return segments.join('/')
}

/** The part that lists the relationships of a part; of the package, when `part` is empty. */
export function relationshipsPart(part: string): string {
  const at = part.lastIndexOf('/') + 1
  return `${part.slice(0, at)}_rels/${part.slice(at)}.rels`
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A percent sign that is none of an escape.
    return segment
  }
}
