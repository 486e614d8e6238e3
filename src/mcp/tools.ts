import type { Tool } from './tool.ts'
import { ADD_TEXT } from './tools/add-text.ts'
import { ADD_URL } from './tools/add-url.ts'
import { ASK } from './tools/ask.ts'
import { CORRECT } from './tools/correct.ts'
import { FIND } from './tools/find.ts'
import { LIST_DOCUMENTS } from './tools/list-documents.ts'
import { READ_PASSAGE } from './tools/read-passage.ts'

/** Every tool, in the order in which a model sees them. */
export const TOOLS: readonly Tool[] = [FIND, ASK, READ_PASSAGE, LIST_DOCUMENTS, ADD_TEXT, ADD_URL, CORRECT]
