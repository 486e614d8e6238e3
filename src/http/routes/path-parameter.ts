/** An identifier out of the path, as it came; a service finds nothing under a malformed one. */
export function pathParameter(params: Readonly<Record<string, string>>, name: 'id' | 'documentId'): string {
  return params[name] ?? ''
}
