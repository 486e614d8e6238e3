/**
 * A process to be killed: adds documents of two chunks to a memory without end and prints each that
 * is acknowledged.
 */
import { newId } from '../../../src/ids.ts'
import { createLanceMemoryFile } from '../../../src/memory-file/lance-memory-file.ts'
import { chunk, SILENT } from './memory-file-fixture.ts'

const [directory = '', memory = ''] = process.argv.slice(2)
const file = await createLanceMemoryFile({ directory, log: SILENT })
for (let i = 0; ; i += 1) {
  const documentId = newId('doc')
  await file.add(memory, [chunk({ documentId }), chunk({ documentId, chunkIndex: 1 })])
  process.stdout.write(`${documentId}\n`)
  if (i % 5 === 4) void file.maintain(memory)
}
