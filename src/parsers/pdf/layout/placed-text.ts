/** A text that stands on the page beside its own characters: the value of a form field, a text box. Points, y upwards, as on the page. */
export type PlacedText = { text: string; left: number; right: number; bottom: number; top: number }
