import type { MemoryDocument } from '../../client/resources.ts'

/** Documents to choose from, by their titles. */
export function DocumentOptions({ documents }: { documents: readonly MemoryDocument[] | undefined }) {
  return documents?.map(({ id, title }) => (
    <option key={id} value={id} dir="auto">
      {title}
    </option>
  ))
}
