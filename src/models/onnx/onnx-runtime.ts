/**
 * Models of a local folder by `onnxruntime-node`. That package is no dependency of ours: its install script downloads, and it takes 290 MB. Who
 * wants a local model installs it.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What is used of the runtime. */
export type OnnxRuntime = {
  InferenceSession: {
    create(path: string, options: { intraOpNumThreads: number; interOpNumThreads: number }): Promise<OnnxSession>
  }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

/** A model that was loaded. */
type OnnxSession = {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Record<string, unknown>): Promise<Record<string, OnnxTensor>>
}

/** Numbers in rows, by their dimensions. */
export type OnnxTensor = { readonly data: ArrayLike<number>; readonly dims: readonly number[] }

const PACKAGE = 'onnxruntime-node'

/**
 * The runtime for a model's folder: the one installed with Recollect, else in or above that folder. Rejects with a message that says what to install
 * where it is missing or cannot be loaded.
 */
export async function loadOnnxRuntime(folder: string, name: string = PACKAGE): Promise<OnnxRuntime> {
  try {
    const { default: runtime } = (await importEither(folder, name)) as { default: OnnxRuntime }
    return runtime
  } catch (error) {
    throw new Error(
      isMissing(error)
        ? `A model of a local folder (onnx:<folder>) needs the package ${name}, which is not installed. ` +
            `Install it beside the model: npm install --prefix ${dirname(folder)} ${name}`
        : `The package ${name} is installed but cannot be loaded; ` +
            'it may be made for another machine or version of Node.',
      { cause: error },
    )
  }
}

/** Installing into a checkout changes its lockfile, and into a released version is undone by the next; where the models lie is theirs who run them. */
async function importEither(folder: string, name: string): Promise<unknown> {
  try {
    return await import(name)
  } catch (error) {
    if (!isMissing(error)) throw error
    return import(pathToFileURL(createRequire(join(folder, 'model.onnx')).resolve(name)).href)
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
