'use client';

import { useEffect, useRef } from 'react';
import { openOverlay, shortcutsAreOn } from './command-store.ts';
import { COMMANDS, type CommandTools } from './commands.ts';

const SECOND_KEY_MS = 1_500;

/** Keyboard shortcuts of every page: never while typing, and single keys only while they are switched on. */
export function useShortcuts(tools: CommandTools, isOffered: (commandId: string) => boolean): void {
  const latest = useRef({ tools, isOffered });
  latest.current = { tools, isOffered };
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openOverlay('commands');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !shortcutsAreOn() || isBusy(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        focusSearch();
        return;
      }
      const before = first !== null && event.timeStamp - first.at < SECOND_KEY_MS ? `${first.key} ` : '';
      first = null;
      const pressed = `${before}${event.key}`;
      const command = COMMANDS.flatMap(({ commands }) => commands).find(({ keys }) => keys === pressed);
      if (command !== undefined && latest.current.isOffered(command.id)) {
        event.preventDefault();
        command.run(latest.current.tools);
      } else if (event.key.length === 1) first = { key: event.key, at: event.timeStamp };
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** True if a field has the focus or a dialog is open. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [role="dialog"]') !== null) return true;
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Puts the cursor into the page's own search, or opens the menu where the page has none. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field === null) openOverlay('commands');
  else field.focus();
}
