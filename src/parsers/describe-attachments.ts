import type { PdfDocument } from './pdf/pdf-document.ts'

/** Maximum number of file names. */
const MAX_NAMES = 10

/**
 * Describes the attached files that were not read; `null` for none. `names` are the first names.
 */
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

/** Describes the attached files of a PDF that were not read; `null` for none. */
export function describeAttachments({ pdfium, handle, readString }: PdfDocument): string | null {
  const count = pdfium.FPDFDoc_GetAttachmentCount(handle)
  const names = Array.from({ length: Math.min(count, MAX_NAMES) }, (_, index) => {
    const attachment = pdfium.FPDFDoc_GetAttachment(handle, index)
    return readString((buffer, bytes) => pdfium.FPDFAttachment_GetName(attachment, buffer, bytes))
  })
  return describeAttached(count, names)
}
