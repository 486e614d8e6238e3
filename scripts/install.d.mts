/** Development dependencies that are built into the console. */
export const CONSOLE_PACKAGES: readonly string[]
