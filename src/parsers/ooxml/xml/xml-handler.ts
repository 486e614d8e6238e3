/** The attributes of an element, as they are written. */
export type Attributes = Readonly<Record<string, string>>

/** Takes the elements of a part in order. Names are local names: Office files use two sets of namespaces for one thing. */
export type XmlHandler = {
  /** Returns true to skip the element and all that is in it; `close` is then not called for it. */
  open(name: string, attributes: Attributes): boolean
  close(name: string): void
  text(text: string): void
}

/** The attribute of that local name, the one without a prefix first; `null` when there is none. */
export function getAttribute(attributes: Attributes, local: string): string | null {
  const plain = attributes[local]
  if (plain !== undefined) return plain
  return getPrefixed(attributes, local)
}

/** The attribute of that local name that has a prefix, as the ids of relationships do (`r:id`); `null` when there is none. */
export function getPrefixed(attributes: Attributes, local: string): string | null {
  for (const name in attributes) {
    if (name.length > local.length && name.endsWith(local) && name[name.length - local.length - 1] === ':') {
      return attributes[name] ?? null
    }
  }
  return null
}

/** A whole number in an attribute; `null` when it is absent or none. */
export function getNumber(attributes: Attributes, local: string): number | null {
  const value = Number.parseInt(getAttribute(attributes, local) ?? '', 10)
  return Number.isFinite(value) ? value : null
}

/** An on/off property: an element without `val` is on. */
export function isOn(attributes: Attributes, local = 'val'): boolean {
  const value = getAttribute(attributes, local)
  return value === null || !['0', 'false', 'off', 'none'].includes(value)
}
