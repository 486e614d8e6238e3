import type { PdfDocument } from './pdf-document.ts'

/** Attached files that are named. */
const MAX_NAMES = 10

/** The sentence that says which attached files are not read; `null` where there are none. */
export function describeAttachments({ pdfium, handle, readString }: PdfDocument): string | null {
  const count = pdfium.FPDFDoc_GetAttachmentCount(handle)
  if (count <= 0) return null
  const names: string[] = []
  for (let index = 0; index < Math.min(count, MAX_NAMES); index++) {
    const attachment = pdfium.FPDFDoc_GetAttachment(handle, index)
    const name = readString((buffer, bytes) => pdfium.FPDFAttachment_GetName(attachment, buffer, bytes))
    names.push(oneLine(name) || 'one without a name')
  }
  const files = count === 1 ? '1 attached file was' : `${count} attached files were`
  return `${files} not read: ${names.join(', ')}${count > MAX_NAMES ? ', …' : '.'}`
}

function oneLine(name: string): string {
  return name
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed()
}
