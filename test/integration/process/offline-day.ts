/**
 * A day's work of a user, run without a network except loopback. Exits with 0 when everything
 * works.
 */
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { createService } from '../../spec/service.ts'
import { useOnce } from './use-once.ts'

const interfaces = Object.keys(networkInterfaces())
assert.deepEqual(interfaces, ['lo'], `there is a network: ${interfaces}`)
const service = createService()
await service.start()
await useOnce(service)
await service.dispose()
process.stdout.write('all of it works offline\n')
