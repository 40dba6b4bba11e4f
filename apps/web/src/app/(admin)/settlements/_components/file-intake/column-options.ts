/** No column: the control has no empty value. */
export const NO_COLUMN = '—';

/** Choices of a column of a file, each with an example of what is in it. */
export function columnOptions(titles: readonly string[], samples: readonly (readonly string[])[]) {
  return titles.map((title, at) => {
    const example = samples.map((cells) => cells[at] ?? '').find((cell) => cell !== '') ?? '';
    return { value: title, label: title, note: example.slice(0, 30) };
  });
}

/** The choice of no column. */
export const NOT_IN_FILE = { value: NO_COLUMN, label: 'Not in the file' } as const;

/** Characters before the decimals of an amount. */
export const DECIMAL_MARKS = [
  { value: '.', label: 'A point' },
  { value: ',', label: 'A comma' },
] as const;

/** Orders in which a date is written. */
export const DATE_ORDERS = [
  { value: 'day_first', label: 'The day' },
  { value: 'month_first', label: 'The month' },
] as const;

/** Directions of an amount that a word can mean. */
export const DIRECTIONS = [
  { value: 'credit', label: 'Credit: money that came' },
  { value: 'debit', label: 'Debit: money that went' },
] as const;
