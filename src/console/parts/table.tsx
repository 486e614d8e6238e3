import type { ComponentChildren, Ref } from 'preact'

/** Header of a column: its name, or more about it. */
export type Column = string | { name: string; title?: string; isNumber?: boolean; isHidden?: boolean }

/** Column of the menu or button of a row. */
export const ACTIONS: Column = { name: 'Actions', isHidden: true }

/** Columns of numbers, which are aligned at their end. */
export function numbers(...names: string[]): Column[] {
  return names.map((name) => ({ name, isNumber: true }))
}

/** Table in a frame. On a narrow screen its rows become cards, so cells have a `data-label`. */
export function Table({
  columns,
  look,
  label,
  body = null,
  foot,
  children,
}: {
  columns: readonly Column[]
  /** Class of the table. */
  look?: string
  /** Name of a table that scrolls sideways. */
  label?: string
  body?: Ref<HTMLTableSectionElement>
  /** What belongs to the table, below its rows. */
  foot?: ComponentChildren
  children: ComponentChildren
}) {
  const table = (
    <table class={look}>
      <thead>
        <tr>
          {columns.map((column, index) => {
            const { name, title, isNumber, isHidden } = typeof column === 'string' ? { name: column } : column
            return (
              <th key={index} scope="col" dir="auto" title={title} class={isNumber ? 'number' : undefined}>
                {isHidden ? <span class="hidden">{name}</span> : name}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </table>
  )
  return (
    <div class="table-frame">
      {label === undefined ? (
        table
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard
        <section class="scroll" tabIndex={0} aria-label={label}>
          {table}
        </section>
      )}
      {foot}
    </div>
  )
}
