'use client';

import { Combobox } from '@base-ui/react/combobox';
import { useState } from 'react';
import { type ListProps, Option, place, type SelectOption, useList } from './list-parts.tsx';
import classes from './select.module.css';

/** More in the list would take long to draw and to read. */
const SHOWN_MAX = 100;

/** A list with a search. It loads when a select has many options: most pages have none. */
export function LongSelect({ label, options, value, disabled, onChange, button, children }: ListProps) {
  const { home, root, onKeyDown } = useList();
  const [text, setText] = useState('');
  const found = findOptions(options, text);
  const shown = found.slice(0, SHOWN_MAX);
  return (
    <Combobox.Root<SelectOption>
      {...root}
      items={options}
      filteredItems={shown}
      value={options.find((option) => option.value === value) ?? null}
      onValueChange={(option) => onChange(option?.value ?? null)}
      inputValue={text}
      onInputValueChange={setText}
      autoHighlight
      disabled={disabled}
    >
      <Combobox.Trigger {...button} onKeyDown={onKeyDown}>
        {children}
      </Combobox.Trigger>
      <Combobox.Portal container={home}>
        <Combobox.Positioner {...place}>
          <Combobox.Popup className={classes.dropdown} data-long aria-label={label} onKeyDownCapture={onKeyDown}>
            <Combobox.Input
              className="w-full h-9 mb-1 py-0 px-2.5 border-0 border-b border-line rounded-none bg-transparent text-ink text-sm"
              aria-label={`Search ${label}`}
              placeholder="Search"
            />
            <Combobox.List className="max-h-[min(320px,50dvh)] overflow-y-auto [overscroll-behavior:contain]" aria-label={label}>
              {(option: SelectOption) => (
                <Combobox.Item key={option.value} value={option} className={classes.option}>
                  <Option option={option} isSelected={option.value === value} />
                </Combobox.Item>
              )}
            </Combobox.List>
            <Combobox.Empty className="not-empty:p-2 not-empty:text-ink-faint not-empty:text-sm">No match</Combobox.Empty>
            {found.length > shown.length && (
              <p className="text-ink-faint text-xs px-2 pt-1.5 pb-1 border-t border-line">
                {shown.length} of {found.length}. Type to find others.
              </p>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

/** Letters and digits in lower case and without accents, so that `sao paulo` finds `America/Sao_Paulo` and `São Paulo`. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[_/-]+/g, ' ')
    .toLowerCase();
}

/** The options in whose label or note every word of a text occurs; those that begin with it come first, otherwise their order stays. */
export function findOptions(options: readonly SelectOption[], text: string): readonly SelectOption[] {
  const wanted = plain(text).trim();
  if (wanted === '') return options;
  const words = wanted.split(/\s+/);
  const found = options.filter(({ label, note = '' }) => {
    const searched = plain(`${label} ${note}`);
    return words.every((word) => searched.includes(word));
  });
  const begins = (option: SelectOption) => plain(option.label).startsWith(wanted);
  return [...found.filter(begins), ...found.filter((option) => !begins(option))];
}
