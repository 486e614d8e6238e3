import { describeAttached, MAX_NAMES } from '../describe-attached.ts'
import type { PdfDocument } from './pdf-document.ts'

/** The sentence that says which attached files are not read; `null` where there are none. */
export function describeAttachments({ pdfium, handle, readString }: PdfDocument): string | null {
  const count = pdfium.FPDFDoc_GetAttachmentCount(handle)
  const names = Array.from({ length: Math.min(count, MAX_NAMES) }, (_, index) => {
    const attachment = pdfium.FPDFDoc_GetAttachment(handle, index)
    return readString((buffer, bytes) => pdfium.FPDFAttachment_GetName(attachment, buffer, bytes))
  })
  return describeAttached(count, names)
}
