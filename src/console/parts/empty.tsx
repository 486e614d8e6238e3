import type { ComponentChildren } from 'preact'

/** What stands where nothing is yet: what it is for, and the first step. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
