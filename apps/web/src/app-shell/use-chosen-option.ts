'use client';

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

/**
 * The option chosen among those found for a text, by the arrow keys or the pointer; Enter takes it. The focus stays in the field where
 * the text is typed.
 */
export function useChosenOption(count: number, text: string, take: (at: number) => void) {
  const list: RefObject<HTMLDivElement | null> = useRef<HTMLDivElement>(null);
  const [at, choose] = useState(0);
  const chosen = Math.min(at, count - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new selection scrolls into view.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, text]);
  function press(event: KeyboardEvent) {
    const last = count - 1;
    if (event.key === 'Enter') take(chosen);
    else if (event.key === 'ArrowDown') choose(chosen >= last ? 0 : chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen <= 0 ? last : chosen - 1);
    else return;
    event.preventDefault();
  }
  return { list, chosen, choose, press };
}
