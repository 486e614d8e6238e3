/** Runs in the thread of `check-beside.ts`: one check, then it ends. */
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckExtent } from '../store.ts'
import { checkFile } from './check-file.ts'

const { path, extent } = workerData as { path: string; extent: CheckExtent }
parentPort?.postMessage(checkFile(path, extent))
