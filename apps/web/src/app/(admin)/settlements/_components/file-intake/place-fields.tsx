'use client';

import { Select } from '#/components/select/select.tsx';
import type { ChosenPlace } from './use-file-intake.ts';

interface Place {
  readonly sheets: readonly { readonly name: string; readonly isHidden: boolean }[];
  readonly sheet: string | null;
  readonly titlesLine: number;
  readonly titleRows: readonly { readonly line: number; readonly text: string }[];
}

/** The sheet of a workbook and the row of titles that a file is read from. Another choice reads the titles again. */
export function PlaceFields({
  place: { sheets, sheet, titlesLine, titleRows },
  onPlace,
}: {
  place: Place;
  onPlace: (place: ChosenPlace) => void;
}) {
  return (
    <div className="grid gap-4 mt-4 grid-cols-[repeat(auto-fill,minmax(240px,1fr))]">
      {sheets.length > 1 && (
        <Select
          label="Sheet"
          value={sheet}
          options={sheets.map(({ name, isHidden }) => ({ value: name, label: name, ...(isHidden && { note: 'Hidden' }) }))}
          onChange={(name) => onPlace({ sheet: name, titlesLine: null })}
        />
      )}
      <Select
        label="Row of titles"
        value={String(titlesLine)}
        options={titleRows.map(({ line, text }) => ({ value: String(line), label: `Row ${line}`, note: text }))}
        onChange={(line) => onPlace({ sheet: sheets.length > 1 ? sheet : null, titlesLine: Number(line) })}
      />
    </div>
  );
}
