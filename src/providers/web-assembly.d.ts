/** What is used of WebAssembly, which Node's types leave to those of browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module)
    readonly exports: unknown
  }
  interface Memory {
    readonly buffer: ArrayBuffer
    /** By pages of 64 KB. */
    grow(pages: number): number
  }
}
