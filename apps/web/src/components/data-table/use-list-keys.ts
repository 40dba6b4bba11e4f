'use client';

import { type RefObject, useEffect } from 'react';

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
const FOCUSABLE = '.row-link, a[href], button:not([disabled])';

/**
 * Walks the rows of a list by keys: `j` and `k` from anywhere on the page, the arrows from a row; `x` chooses the row that has the
 * focus, where rows can be chosen. Enter opens it, as its link does. Of several lists on a page, keys are for the one with the focus,
 * else for the first. `areOn` says whether single-key shortcuts are.
 */
export function useListKeys(rows: RefObject<HTMLElement | null>, areOn: () => boolean): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const list = rows.current;
      if (list === null || event.defaultPrevented || isForOthers(event) || listOf(document.activeElement) !== list) return;
      const row = document.activeElement?.closest<HTMLElement>('[data-index]') ?? null;
      const isArrow = event.key.startsWith('Arrow');
      if (isArrow ? row === null : !areOn()) return;
      const step = STEPS[event.key];
      if (step !== undefined) focusRow(list, row === null ? firstInSight(list) : Number(row.dataset.index) + step);
      else if (event.key === 'x' && row !== null) row.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
      else return;
      event.preventDefault();
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [rows, areOn]);
}

/** The list that keys are for while an element has the focus. */
function listOf(focused: Element | null): Element | null {
  return focused?.closest('[data-walked]') ?? document.querySelector('main [data-walked], [data-walked]');
}

function focusRow(list: HTMLElement, index: number): void {
  const row = list.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const target = row?.querySelector<HTMLElement>(FOCUSABLE) ?? row;
  target?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

/** The first row that the window shows whole; of those that are rendered, the first. */
function firstInSight(list: HTMLElement): number {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-index]')];
  const first = rows.find((row) => row.getBoundingClientRect().top >= 0) ?? rows[0];
  return Number(first?.dataset.index ?? 0);
}

/** True if a key is typed into something, is part of a shortcut with another key, or goes to what lies over the page. */
function isForOthers({ target, ctrlKey, metaKey, altKey, shiftKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || shiftKey || isComposing) return true;
  if (document.querySelector('dialog[open], [role="dialog"]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="listbox"], [role="menu"], [role="radiogroup"], [role="tablist"]') !== null) return true;
  const isBox = target instanceof HTMLInputElement && target.type === 'checkbox';
  return !isBox && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
