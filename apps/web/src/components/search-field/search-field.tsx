'use client';

import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import classes from './search-field.module.css';

const PAUSE_MS = 350;

/**
 * The search of a list. By default it searches when typing pauses, and at once on Enter, with the text trimmed; `isInstant` searches
 * with every key, for what the browser has already.
 *
 * ```tsx
 * <SearchField label="Search payments" placeholder="ID, order, e-mail" value={filters.search} onSearch={setSearch} />
 * ```
 */
export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
  isInstant = false,
}: {
  /** Its accessible name. */
  label: string;
  placeholder: string;
  /** What is searched for now. */
  value: string;
  onSearch: (text: string) => void;
  isInstant?: boolean;
}) {
  const [text, setText] = useState(value);
  const search = useEffectEvent(onSearch);
  // Going back or clearing the filters changes the address; the field follows.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  useEffect(() => {
    if (isInstant || text.trim() === value) return;
    const timer = setTimeout(() => search(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, isInstant]);
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <IconSearch size={16} stroke={1.7} className={classes.glass} aria-hidden="true" />
      <input
        className={classes.input}
        aria-label={label}
        placeholder={placeholder}
        type="search"
        value={text}
        maxLength={320}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          if (isInstant) onSearch(currentTarget.value.trim());
        }}
      />
      {text !== '' && (
        <button
          type="button"
          className={classes.clear}
          aria-label="Clear the search"
          onClick={() => {
            setText('');
            onSearch('');
          }}
        >
          <IconX size={14} stroke={2} aria-hidden="true" />
        </button>
      )}
    </form>
  );
}
