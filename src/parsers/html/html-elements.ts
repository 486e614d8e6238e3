/**
 * HTML elements by their effect on text. HTML Living Standard, sections 15.3 "Non-replaced
 * elements" (line breaks) and 13.2.5.4 (raw content).
 */

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** Elements on separate lines. */
export const BLOCK_ELEMENTS = names(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option ' +
    'p plaintext pre search section summary table tbody td textarea tfoot th thead title tr ul xmp caption',
)

/** Elements without end tag. */
export const VOID_ELEMENTS = names(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

/**
 * Elements whose content is never visible; media elements contain fallback text for old browsers.
 */
export const INVISIBLE_ELEMENTS = names(
  'script style template noscript noembed noframes iframe datalist video audio canvas',
)

/** Elements whose content the tokenizer reads as raw text. */
export const RAW_ELEMENTS = names('style xmp iframe noembed noframes noscript')

/** Elements that end when a sibling of the same name starts. */
export const IMPLICITLY_CLOSED_ELEMENTS = names('li td th tr option dt dd p')

/** Elements that preserve white space. */
export const PREFORMATTED_ELEMENTS = names('pre listing xmp textarea plaintext')

/** Returns the level of `h1` to `h6`; `null` for other elements. */
export function getHeadingLevel(name: string): number | null {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : null
}
