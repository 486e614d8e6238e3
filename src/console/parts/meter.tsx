/** A bar that fills up, with its words beside it. `share` is 0 to 1; `null` where there is no limit. */
export function Meter({ label, value, share }: { label: string; value: string; share: number | null }) {
  const percent = share === null ? 0 : Math.round(Math.min(1, share) * 100)
  return (
    <div class="meter">
      <span>{label}</span>
      <span>{value}</span>
      {share !== null && (
        <progress max={100} value={percent} aria-label={`${label}: ${percent} %`} class={share > 0.9 ? 'full' : ''} />
      )}
    </div>
  )
}
