import { Search } from 'lucide'
import { Icon } from './icon.tsx'

type SearchFieldProps = { label: string; value: string; onInput: (value: string) => void }

/** Field that narrows a list while the user types. The label is also the placeholder. */
export function SearchField({ label, value, onInput }: SearchFieldProps) {
  return (
    <label class="with-icon">
      <Icon of={Search} />
      <input
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
