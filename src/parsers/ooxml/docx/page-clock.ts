/** The page that is being written, in a document that says where its pages end. */
export type PageClock = {
  readonly page: number
  /** Something visible was written on the page. */
  addInk(): void
  /** A break the author made. */
  breakPage(): void
  /** Where Word last began a new page; the same place as a break of the author's when nothing was written since. */
  passRenderedBreak(): void
}

/** Makes a clock at page 1. */
export function createPageClock(): PageClock {
  let page = 1
  let hasInk = false
  return {
    get page() {
      return page
    },
    addInk() {
      hasInk = true
    },
    breakPage() {
      page += 1
      hasInk = false
    },
    passRenderedBreak() {
      if (hasInk) page += 1
      hasInk = false
    },
  }
}
