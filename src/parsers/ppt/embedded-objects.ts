import { inflateSync } from 'node:zlib'
import { listRecords, type PptRecord, RECORD } from './ppt-record.ts'
import type { Presentation } from './presentation.ts'

const MAX_OBJECT_BYTES = 64 * 1024 * 1024
const COMPRESSED = 1

/** Where the files lie that are embedded in a presentation, by the number that shapes call them by. MS-PPT 2.10. */
export function listObjects({ document }: Presentation): ReadonlyMap<number, number> {
  const parts = new Map<number, number>()
  for (const list of listRecords(document.body)) {
    if (list.type !== RECORD.objectList) continue
    for (const object of listRecords(list.body)) {
      if (object.type !== RECORD.embedded) continue
      for (const { type, body } of listRecords(object.body)) {
        if (type === RECORD.objectAtom && body.length >= 20) parts.set(body.readUInt32LE(8), body.readUInt32LE(16))
      }
    }
  }
  return parts
}

/** The embedded file, a compound file; `null` when it is damaged or too large. */
export function unpackObject(record: PptRecord | null): Buffer | null {
  if (record?.type !== RECORD.objectStorage || record.body.length < 8) return null
  if (record.instance !== COMPRESSED) return record.body
  try {
    return inflateSync(record.body.subarray(4), { maxOutputLength: MAX_OBJECT_BYTES })
  } catch {
    // What cannot be unpacked is named in a warning by the caller.
    return null
  }
}
