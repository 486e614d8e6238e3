import { useEffect } from 'preact/hooks'

/** Names what the tab shows, the nearest first: `Search · Harbour · Recollect`. `null`: another view names it, or what is shown is not known yet. */
export function useTabTitle(names: readonly string[] | null): void {
  const title = names === null ? null : [...names, 'Recollect'].join(' · ')
  useEffect(() => {
    if (title !== null) document.title = title
  }, [title])
}
