/** Characters without a width: marks of the byte order and of the direction of writing, which are copied along with a text. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * The text of a cell without what spreadsheets put around it so that it stays a text: an apostrophe before it, or a formula with nothing else
 * (`="0123"`).
 */
export function cellText(cell: string): string {
  const text = cell.replaceAll(INVISIBLE, '').trim();
  const [, formula] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (formula !== undefined) return formula.replaceAll('""', '"').trim();
  return /^'[^']+$/.test(text) ? text.slice(1).trim() : text;
}

/** Why a text is no reference any more: a spreadsheet has shortened it to `2.02611E+15`; null for any other. */
export function problemOfReference(text: string): string | null {
  return /^\d(?:[.,]\d+)?e\+\d+$/i.test(text) ? `is a number that a spreadsheet has shortened: “${text}”` : null;
}

/** Form of the references that we give to gateways, in whatever case and with blanks a program wrote it. */
const OWN_REFERENCE = /^sy[0-9a-f]{32}[0-9]{2}(?=(\.0)?$)/i;

/** A reference as it was before a program took it for a number with decimals, `300001.0`, or wrote one of ours in its own way. */
export function referenceText(text: string): string {
  const [own] = OWN_REFERENCE.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (own !== undefined) return own.toLowerCase();
  return /^\d+\.0$/.test(text) ? text.slice(0, -2) : text;
}

/** A text as a message quotes it. */
export function quoted(text: string): string {
  return text.length > 40 ? `“${text.slice(0, 40).toWellFormed()}…”` : `“${text}”`;
}
