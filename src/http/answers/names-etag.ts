/**
 * True where If-None-Match names this entity tag: RFC 9110, section 13.1.2, has a list of tags there, which are compared without their mark of
 * weakness, or `*` for any. False where the header is absent. The tag itself must hold no comma.
 */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return named.includes(etag) || named.includes('*')
}
