'use client';

import { Select } from '#/components/select/select.tsx';

/** Meanings of the words in a column. */
export function WordMeanings<Meaning extends string>({
  title,
  words,
  meanings,
  options,
  onChange,
}: {
  title: string;
  words: readonly string[];
  meanings: Readonly<Record<string, Meaning>>;
  options: readonly { readonly value: Meaning; readonly label: string }[];
  onChange: (meanings: Record<string, Meaning>) => void;
}) {
  if (words.length === 0) return null;
  return (
    <fieldset className="mt-5 min-w-0 p-0 border-0">
      <legend className="mb-2 font-medium text-sm">What the words of {title} mean</legend>
      <div className="grid gap-4 grid-cols-[repeat(auto-fill,minmax(240px,1fr))]">
        {words.map((word) => (
          <Select
            key={word}
            label={word}
            value={meanings[word] ?? null}
            placeholder="Select its meaning"
            options={options}
            onChange={(meaning) => onChange({ ...meanings, [word]: meaning })}
          />
        ))}
      </div>
    </fieldset>
  );
}

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
