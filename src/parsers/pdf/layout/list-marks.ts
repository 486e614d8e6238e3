/** A bullet or number that stands alone, as in the first column of a list. */
export const BULLET = /^(?:[•◦▪▫■□●○‣⁃∙·➢✓✔–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/u

/** The beginning of an item of a list, with its text. */
export const ITEM = /^(?:[•◦▪▫■□●○‣⁃∙➢✓✔]\s*|[–—*-]\s+|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s+)\S/u

/** The number of a section that stands before its heading: `2`, `2.1`, `2.1.3`. */
export const SECTION_NUMBER = /^\d{1,2}(?:\.\d{1,2})*$/
