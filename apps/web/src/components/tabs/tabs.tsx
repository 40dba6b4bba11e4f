'use client';

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './tabs.module.css';

/** One tab: its name, and how many things it holds where that is known. */
export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly count?: number | undefined;
  /** Beside the label: a glyph of what needs attention there. */
  readonly mark?: ReactNode;
}

/**
 * Views of one thing, one of them shown. The arrow keys, Home and End go through the tabs and show what they reach; `children` is
 * the panel of the tab that is shown.
 *
 * Written here by the WAI-ARIA pattern and not taken from Mantine: tabs are part of a page's first paint, and would bring
 * Mantine's runtime into the scripts every such page loads first.
 */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  look = 'line',
  beside,
  children,
}: {
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** `line` under the tabs of a page; `code` in the head of a sample. */
  look?: 'line' | 'code';
  /** At the end of the line of tabs. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the line of tabs moves when another one is shown.
  useEffect(() => showSelected(list.current), [value]);

  function press(event: KeyboardEvent<HTMLElement>) {
    const to = neighbour(
      event.key,
      tabs.findIndex((tab) => tab.value === value),
      tabs.length,
    );
    const next = to === null ? undefined : tabs[to];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(`${id}-tab-${next.value}`)?.focus();
  }

  return (
    <div className={classes.tabs} data-look={look}>
      <div className={classes.head}>
        <div ref={list} className={classes.list} role="tablist" aria-label={label} onKeyDown={press}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.value}`}
              className={classes.tab}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
              {tab.count !== undefined && <span className={classes.count}>{tab.count}</span>}
              {tab.mark}
            </button>
          ))}
        </div>
        {beside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${value}`} className={classes.panel}>
        {children}
      </div>
    </div>
  );
}

/** Moves the selected tab into sight where the tabs are wider than the screen, as on a phone. The page itself is not scrolled. */
function showSelected(list: HTMLElement | null): void {
  const tab = list?.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
  const line = list?.getBoundingClientRect();
  if (!list || !tab || !line) return;
  if (tab.right > line.right) list.scrollLeft += tab.right - line.right;
  if (tab.left < line.left) list.scrollLeft -= line.left - tab.left;
}

/** The place a key leads to in a line of tabs, round its ends; null for other keys. */
export function neighbour(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
