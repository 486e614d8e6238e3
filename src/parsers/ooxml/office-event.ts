import type { Block, ParseEvent } from '../parse-event.ts'

/** Something that stands in a part of its own: its relationship's id says where. */
export type OfficeObject = { kind: 'chart' | 'diagram' | 'embedded'; id: string; page?: number }

/** What a part gives in reading order; objects are read from their own parts when their turn comes. */
export type OfficeEvent = { block: Block } | { object: OfficeObject }

/** Reads a file that stands inside another: its blocks, and warnings. Files inside that one are left out. */
export type ReadEmbedded = (bytes: Buffer) => AsyncIterable<ParseEvent>
