'use client';

import { Select } from '#/components/select/select.tsx';

/** What each word of a column means. */
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
