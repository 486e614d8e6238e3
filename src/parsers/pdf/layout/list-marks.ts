/** A bullet or number that stands alone, as in the first column of a list. */
export const BULLET = /^(?:[•◦▪▫■□●○‣⁃∙·➢✓✔–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/u

/** The beginning of an item of a list, with its text. */
export const ITEM = /^(?:[•◦▪▫■□●○‣⁃∙➢✓✔]\s*|[–—*-]\s+|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s+)\S/u

/** The number of a section, as it stands apart before its heading: `2`, `2.1`, `A.3`, `§ 4`. One that ends with a dot and has no other is a {@link BULLET}. */
export const SECTION_NUMBER = /^(?:§\s?\d{1,3}[a-z]?|(?:[A-Z]|[1-9]\d?)(?:(?:\.\d{1,2})+\.?)?)$/
