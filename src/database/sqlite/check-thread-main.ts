/** Thread entry of `check-file.ts`: runs one check and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckExtent } from '../store.ts'
import { checkFile } from './check-file.ts'

const { path, extent } = workerData as { path: string; extent: CheckExtent }
parentPort?.postMessage(checkFile(path, extent))
