/**
 * What may be wrong between database, object store and memory files. `mends` says what `--fix` does; `null`: nothing, since it would lose
 * what was acknowledged, or guess; then `remedy` says what a person can do.
 */
export const DAMAGES = {
  forgotten_memory: { what: 'data of a memory that no row names', mends: 'removes it' },
  forgotten_document: { what: 'objects or chunks of a document that no row names', mends: 'removes them' },
  leftover_upload: { what: 'the staged upload of a document that is ready', mends: 'removes it' },
  wrong_counters: { what: 'a memory that counts other than its documents make', mends: 'counts again' },
  missing_chunks: {
    what: 'a document of which chunks are missing, so that it is not found',
    mends: null,
    remedy: 'Its text is still there (GET …/text): add it again, then delete this document.',
  },
  surplus_chunks: {
    what: 'a document with more chunks than it should have',
    mends: null,
    remedy: 'Add it again, then delete this document.',
  },
  missing_text: {
    what: 'a document whose text is missing',
    mends: null,
    remedy:
      'Its passages are still found. Restore the object from a backup, or add the document again and delete this one.',
  },
  missing_original: {
    what: 'a document whose stored original is missing',
    mends: null,
    remedy: 'Restore the object from a backup, or add the document again and delete this one.',
  },
  strange_object: { what: 'an object that is none of ours', mends: null, remedy: 'Look at it, and remove it by hand.' },
  strange_memory_file: {
    what: 'a memory file that is none of ours, or was never finished',
    mends: null,
    remedy: 'A draft goes by itself within 24 hours; remove anything else by hand while no service is running.',
  },
} as const satisfies Record<string, { what: string; mends: string } | { what: string; mends: null; remedy: string }>

/** One thing that is wrong, by its name. */
export type Damage = {
  kind: keyof typeof DAMAGES
  memoryId: string | null
  documentId: string | null
  /** What exactly, such as counts or the keys of objects. */
  detail: string
}
