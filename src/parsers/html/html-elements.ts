/**
 * What the elements of HTML mean to a reader of the words, as data. HTML Living Standard, section 15.3 "Non-replaced elements" (which
 * ones begin a line) and 13.2.5.4 (which ones hold no markup).
 */

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** Elements that stand on lines of their own. */
export const BLOCK_ELEMENTS = names(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre ' +
    'search section summary table tbody td textarea tfoot th thead title tr ul xmp caption',
)

/** Elements without an end. */
export const VOID_ELEMENTS = names(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

/** Elements whose words nobody sees; those of films and drawn pictures stand there for browsers that know none. */
export const UNSEEN_ELEMENTS = names(
  'script style template noscript noembed noframes iframe datalist video audio canvas',
)

/** Elements whose content the tokenizer takes as it stands, up to their end tag. */
export const RAW_ELEMENTS = names('style xmp iframe noembed noframes noscript')

/** Elements that end where the next of their name begins. */
export const SELF_ENDING_ELEMENTS = names('li td th tr option dt dd p')

/** Elements whose white space counts. */
export const PREFORMATTED_ELEMENTS = names('pre listing xmp textarea plaintext')

/** The level of `h1` to `h6`; `null` for every other element. */
export function getHeadingLevel(name: string): number | null {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : null
}
