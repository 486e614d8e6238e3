import type { ParseEvent, SourceFile } from '../../parser.ts'
import { readPackage } from '../read-package.ts'

/** Reads a Word file (DOCX, DOCM); throws as `readPackage` does. */
export function readDocx(file: SourceFile): AsyncIterable<ParseEvent> {
  return readPackage(file, 'docx')
}
