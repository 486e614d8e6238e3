import { type Command, InvalidArgumentError } from 'commander'

/** Gives the command the option that names its memory. */
export function withMemory<Given extends Command>(command: Given): Given {
  return command.option('-m, --memory <memory>', 'the memory, by its id or exact name; not needed where there is one')
}

/** A whole number from `min` to `max` as commander takes it. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

/** Adds each value of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value]
}
