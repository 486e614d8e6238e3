/** What a Content-Type header says, lower-cased; `charset` is `null` where it names none. */
export type MediaType = { readonly type: string; readonly charset: string | null }

/** Reads a Content-Type header; `null` for an absent one and for one that is no media type. */
export function readMediaType(header: string | undefined): MediaType | null {
  const [first = '', ...parameters] = (header ?? '').slice(0, 500).toLowerCase().split(';')
  const type = first.trim()
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type)) return null
  const charsets = parameters.map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(parameter)?.[1])
  return { type, charset: charsets.find((charset) => charset !== undefined) ?? null }
}
