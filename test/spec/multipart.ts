/** A part of a multipart body; a part with a filename is a file. */
export type Part = { name: string; content: string | Uint8Array; filename?: string; type?: string }

export const BOUNDARY = 'spec-boundary-7MA4YWxkTrZu0gW'

/** The content type for {@link multipart}. */
export const MULTIPART_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/**
 * A multipart body with the parts in this order. `end` false omits the closing boundary, as a
 * broken client would.
 */
export function multipart(parts: readonly Part[], end = true): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap((part) => [Buffer.from(head(part)), Buffer.from(part.content), Buffer.from('\r\n')])
  return Uint8Array.from(Buffer.concat(end ? [...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)] : pieces))
}

/** The headers of a part. */
export function head({ name, filename, type }: Omit<Part, 'content'>): string {
  const file =
    filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: ${type ?? 'application/octet-stream'}`
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
}
