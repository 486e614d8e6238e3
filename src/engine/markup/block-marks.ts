/** What an item of a list begins with, for a pattern with the flag `u`; white space follows. `z. B.` and `i. e.` begin none. */
export const ITEM_MARK = String.raw`(?:[-*+•‣◦▪·–—]|\(?(?:\d{1,3}|\p{Ll})\)|\d{1,3}\.|\p{Ll}\.(?! ?\p{L}\.))`

/** What a fence of code begins with. */
export const FENCE_MARK = '(?:`{3}|~{3})'
