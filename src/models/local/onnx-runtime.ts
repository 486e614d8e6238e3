/**
 * Local models with `onnxruntime-node`. The package is not a dependency: its install script
 * downloads, and it takes 290 MB. Operators install it if they use local models.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The used part of the runtime. */
export type OnnxRuntime = {
  InferenceSession: {
    create(path: string, options: { intraOpNumThreads: number; interOpNumThreads: number }): Promise<OnnxSession>
  }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

/** A loaded model. */
type OnnxSession = {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Record<string, unknown>): Promise<Record<string, OnnxTensor>>
}

/** Numbers by dimensions. */
export type OnnxTensor = { readonly data: ArrayLike<number>; readonly dims: readonly number[] }

const PACKAGE = 'onnxruntime-node'

/**
 * Loads the runtime installed with Recollect, or in or above the model's folder. Rejects with
 * install instructions if missing or unloadable.
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

/**
 * The model's folder belongs to the operator. Installing into a checkout would change its lockfile,
 * and the next release would undo an installation into a released version.
 */
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
