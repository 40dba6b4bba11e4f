'use client';

import { useEffect, useState } from 'react';

/** Text that outlives the page until it is used: kept in this tab, by a name. */
export function useKept(name: string): [text: string, setText: (text: string) => void] {
  const key = `kept ${name}`;
  const [text, setText] = useState('');
  useEffect(() => {
    try {
      setText(window.sessionStorage.getItem(key) ?? '');
    } catch {
      // Without storage the text lives as long as the page.
    }
  }, [key]);
  return [
    text,
    (next) => {
      setText(next);
      try {
        if (next === '') window.sessionStorage.removeItem(key);
        else window.sessionStorage.setItem(key, next);
      } catch {
        // As above.
      }
    },
  ];
}
