import type { IncomingMessage } from 'node:http'
import { invalid } from '../../errors.ts'
import { JSON_BODY_BYTES } from '../../limits.ts'
import { parseJsonBody, requireNoForm } from './json-body.ts'
import { createByteCollector, readPieces } from './read-bytes.ts'

/**
 * A JSON body where a form alone is taken: a small one is parsed, for the route to say what is missing of it; of one of more than
 * 1 MB no more is read, whatever a form may hold. Rejects with `validation_failed` for that, with `content_type_mismatch` where it is
 * the form under a JSON type, and with `malformed_json`. Each piece is shown to `see` as it comes.
 */
export async function receiveUnwantedJson(request: IncomingMessage, see: (piece: Buffer) => void): Promise<unknown> {
  const collected = createByteCollector()
  for await (const piece of readPieces(request)) {
    see(piece)
    collected.add(piece)
    if (collected.bytes() <= JSON_BODY_BYTES) continue
    requireNoForm(Buffer.concat(collected.blocks()))
    throw invalid('file', 'is required and must be a file part of a form')
  }
  return parseJsonBody(Buffer.concat(collected.blocks()))
}
