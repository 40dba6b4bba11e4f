'use client';

import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

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
  /** The text searched for now. */
  value: string;
  onSearch: (text: string) => void;
  isInstant?: boolean;
}) {
  const { text, setText, searchNow } = useSearchText(value, onSearch, isInstant);
  return (
    <form
      className="relative flex-[0_1_300px] w-[min(100%,300px)] max-phone:flex-[1_1_100%] max-phone:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        searchNow(text.trim());
      }}
    >
      <IconSearch
        size={16}
        stroke={1.7}
        className="absolute top-2 left-2.5 text-ink-faint pointer-events-none"
        aria-hidden="true"
      />
      <input
        className="text-box pl-8.5 pr-8"
        aria-label={label}
        placeholder={placeholder}
        type="search"
        value={text}
        maxLength={320}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          if (isInstant) searchNow(currentTarget.value.trim());
        }}
      />
      {text !== '' && (
        <button
          type="button"
          className="absolute top-1 right-1 grid place-items-center w-6 h-6 rounded-sm text-ink-faint hover:bg-ground-hover"
          aria-label="Clear the search"
          onClick={() => {
            setText('');
            searchNow('');
          }}
        >
          <IconX size={14} stroke={2} aria-hidden="true" />
        </button>
      )}
    </form>
  );
}

const PAUSE_MS = 350;

/**
 * The text of a search field: `value` is what is searched for now, `onSearch` gets the trimmed text when typing pauses; `isInstant`
 * leaves searching to the caller. The field follows a value that comes from elsewhere, and never one that it sent itself: what was
 * typed while the page was drawing the results would be lost.
 */
export function useSearchText(value: string, onSearch: (text: string) => void, isInstant: boolean) {
  const [text, setText] = useState(value);
  /** Sent, and not shown by the page yet, oldest first. */
  const sent = useRef<readonly string[]>([]);
  function searchNow(wanted: string): void {
    if (wanted !== (sent.current.at(-1) ?? value)) sent.current = [...sent.current, wanted];
    onSearch(wanted);
  }
  const search = useEffectEvent(searchNow);
  // Going back or clearing the filters changes the address.
  useEffect(() => {
    const own = sent.current.indexOf(value);
    sent.current = own === -1 ? [] : sent.current.slice(own + 1);
    if (own === -1) setText((typed) => (typed.trim() === value ? typed : value));
  }, [value]);
  useEffect(() => {
    if (isInstant || text.trim() === value) return;
    const timer = setTimeout(() => search(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, isInstant]);
  return { text, setText, searchNow };
}
