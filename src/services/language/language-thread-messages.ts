/** The samples of one text, as `sampleText` takes them. */
export type LanguageRequest = { samples: readonly string[] }

/** Its language, ISO 639-1; `null` where none is reliably known. */
export type LanguageReply = { language: string | null }
