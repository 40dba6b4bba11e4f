'use client';

import { useEffect, useState } from 'react';

/** Text kept in this tab's session storage under a name, until it is emptied. */
export function useStoredText(name: string): [text: string, setText: (text: string) => void] {
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
