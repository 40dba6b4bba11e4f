'use client';

import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { type ReactNode, useEffect, useRef } from 'react';

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
 */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  variant = 'line',
  beside,
  children,
}: {
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** `line` under the tabs of a page; `code` in the head of a sample. */
  variant?: 'line' | 'code';
  /** At the end of the line of tabs. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the line of tabs moves when another one is shown.
  useEffect(() => showSelected(list.current), [value]);

  return (
    <BaseTabs.Root
      className={`grid grid-cols-1 min-w-0 ${variant === 'code' ? '' : 'gap-4'}`}
      value={value}
      onValueChange={onChange}
    >
      <div className={`flex items-center gap-3 min-w-0 border-b border-line ${variant === 'code' ? 'min-h-10 px-2' : ''}`}>
        <BaseTabs.List ref={list} className="flex flex-1 gap-1 min-w-0 overflow-x-auto" aria-label={label} activateOnFocus>
          {tabs.map((tab) => (
            <BaseTabs.Tab
              key={tab.value}
              value={tab.value}
              className={`underlined-tab flex items-center gap-1.5 h-9 px-2.5 font-medium ${variant === 'code' ? 'text-xs' : ''}`}
            >
              {tab.label}
              {tab.count !== undefined && <span className="text-ink-faint text-xs tabular-nums">{tab.count}</span>}
              {tab.mark}
            </BaseTabs.Tab>
          ))}
        </BaseTabs.List>
        {beside}
      </div>
      <BaseTabs.Panel value={value} className="min-w-0">
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
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
