/**
 * Work that is done in a child process. What it yields goes to the caller as it comes, in batches; what it returns ends it. Inputs, events and results are what
 * the structured clone algorithm copies: plain values, dates, byte arrays.
 */
export type Task = (input: unknown) => AsyncGenerator<unknown, unknown>

/** Tasks by name: what the module that a pool is made with exports as `tasks`. */
export type Tasks = Readonly<Record<string, Task>>
