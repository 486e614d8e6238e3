import type { ParseEvent, SourceFile } from '../../parser.ts'
import { readPackage } from '../read-package.ts'

/** Reads a PowerPoint file (PPTX, PPTM, PPSX); slides are pages. Throws as `readPackage` does. */
export function readPptx(file: SourceFile): AsyncIterable<ParseEvent> {
  return readPackage(file, 'pptx')
}
