import type { PdfDocument } from './pdf/pdf-document.ts'

/** Attached files that are named. */
const MAX_NAMES = 10

/** The sentence that says which attached files are not read; `null` where there are none. `names` are the first of them. */
export function describeAttached(count: number, names: readonly string[]): string | null {
  if (count <= 0) return null
  const files = count === 1 ? '1 attached file was' : `${count} attached files were`
  const shown = names.slice(0, MAX_NAMES).map((name) => oneLine(name) || 'one without a name')
  return `${files} not read: ${shown.join(', ')}${count > MAX_NAMES ? ', …' : '.'}`
}

function oneLine(name: string): string {
  return name
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed()
}

/** The sentence that says which attached files are not read; `null` where there are none. */
export function describeAttachments({ pdfium, handle, readString }: PdfDocument): string | null {
  const count = pdfium.FPDFDoc_GetAttachmentCount(handle)
  const names = Array.from({ length: Math.min(count, MAX_NAMES) }, (_, index) => {
    const attachment = pdfium.FPDFDoc_GetAttachment(handle, index)
    return readString((buffer, bytes) => pdfium.FPDFAttachment_GetName(attachment, buffer, bytes))
  })
  return describeAttached(count, names)
}
