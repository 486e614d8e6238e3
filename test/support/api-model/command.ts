import fc from 'fast-check'
import type { Service } from '../../spec/service.ts'
import type { Model, ModelMemory } from './model.ts'

/** The system under test: the nodes of one installation. */
type Real = { nodes: readonly Service[] }

/** A step of a client, which compares each answer with the model. */
export type ModelCommand = fc.AsyncCommand<Model, Real>

/** The action of a command for its arbitrary values. */
export type Deed<Values> = {
  /** The text in a counterexample. */
  says: (values: Values) => string
  /** Always where absent. */
  can?: (model: Readonly<Model>, values: Values) => boolean
  /** Sends requests, asserts the answers, and applies the same change to the model. */
  run: (surroundings: { model: Model; service: Service }, values: Values) => Promise<void>
}

const MAX_NODES = 2

/** Commands of this kind, each sent to a random node. */
export function command<Values>(values: fc.Arbitrary<Values>, deed: Deed<Values>): fc.Arbitrary<ModelCommand> {
  return fc.tuple(fc.nat(MAX_NODES - 1), values).map(([node, chosen]) => ({
    check: (model) => deed.can?.(model, chosen) ?? true,
    async run(model, { nodes }) {
      const service = nodes[node % nodes.length]
      if (service === undefined) throw new Error('there is no node')
      await deed.run({ model, service }, chosen)
    },
    toString: () => `${deed.says(chosen)} [node ${node}]`,
  }))
}

/** Picks an item by a number of any size. */
export function choose<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}

/** Picks the memory for a number. */
export function chooseMemory(model: Readonly<Model>, number: number): ModelMemory {
  return choose(model.memories, number)
}

/** True when there is a memory. */
export function hasMemory(model: Readonly<Model>): boolean {
  return model.memories.length > 0
}

/** Numbers that pick memories; a small range, so commands share memories. */
export const MEMORY = fc.nat(2)
/** Numbers that pick documents or keys. */
export const ANY = fc.nat(9)
