/**
 * Imported by every test process of `npm test`: its report goes into the pipe as it is made, however fast the reader is. The end of such a process
 * (`--test-force-exit`) would lose what a full pipe had not taken yet. Node has no public name for it.
 */
import { Socket } from 'node:net'

if (process.stdout instanceof Socket) {
  const { _handle: pipe } = process.stdout as unknown as { _handle?: { setBlocking?: (isBlocking: boolean) => void } }
  pipe?.setBlocking?.(true)
}
