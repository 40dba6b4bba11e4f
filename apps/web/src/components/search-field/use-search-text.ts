'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';

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
