import type { ParseEvent, SourceFile } from '../../parser.ts'
import { readPackage } from '../read-package.ts'

/** Reads an Excel file (XLSX, XLSM); sheets are pages. Throws as `readPackage` does. */
export function readXlsx(file: SourceFile): AsyncIterable<ParseEvent> {
  return readPackage(file, 'xlsx')
}
