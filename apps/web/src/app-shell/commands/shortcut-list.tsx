'use client';

import { IconX } from '@tabler/icons-react';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { Overlay } from '../overlay.tsx';
import { Keys } from './command-menu.tsx';
import { switchShortcuts, useShortcutsAreOn } from './command-store.ts';
import type { CommandGroup } from './commands.ts';

const ALWAYS = [
  { id: 'menu', label: 'Search', keys: 'Ctrl K' },
  { id: 'search', label: 'Search on this page', keys: '/' },
];
const IN_LISTS = [
  { id: 'down', label: 'Next row', keys: 'j' },
  { id: 'up', label: 'Previous row', keys: 'k' },
  { id: 'open', label: 'Open the row', keys: 'Enter' },
  { id: 'choose', label: 'Select the row', keys: 'x' },
];
const IN_PANELS = [
  { id: 'next', label: 'Next in the list', keys: 'j' },
  { id: 'previous', label: 'Previous in the list', keys: 'k' },
  { id: 'page', label: 'Open as a page', keys: 'f' },
  { id: 'close', label: 'Close', keys: 'Esc' },
];

/** The keys that work on every page, and the switch that disables single-key shortcuts. */
export default function ShortcutList({ groups, onClose }: { groups: readonly CommandGroup[]; onClose: () => void }) {
  const on = useShortcutsAreOn();
  const shown = [
    ...groups.map(({ title, commands }) => ({
      title,
      keys: commands.flatMap(({ id, label, keys }) => (keys === undefined ? [] : [{ id, label, keys }])),
    })),
    { title: 'Anywhere', keys: ALWAYS },
    { title: 'In a list', keys: IN_LISTS },
    { title: 'In a side panel', keys: IN_PANELS },
  ].filter(({ keys }) => keys.length > 0);
  return (
    <Overlay label="Keyboard shortcuts" onClose={onClose}>
      <div className="flex items-center justify-between pt-3 pr-3 pb-2 pl-5">
        <h2 className="text-lg">Keyboard shortcuts</h2>
        <button
          type="button"
          className="grid place-items-center w-9 h-9 rounded-lg text-ink-quiet hover:bg-ground-hover"
          onClick={onClose}
          aria-label="Close"
        >
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <ScrollArea label="All shortcuts" className="flex-1 min-h-0 overflow-y-auto px-5 pb-4 [columns:2_220px] gap-x-8">
        {shown.map(({ title, keys }) => (
          <section key={title} className="mb-4 [break-inside:avoid]">
            <h3 className="mb-1 text-ink-faint text-xs font-medium">{title}</h3>
            <ul>
              {keys.map((key) => (
                <li
                  key={key.id}
                  className="flex items-center justify-between gap-3 h-7.5 text-sm data-[off=true]:text-ink-faint data-[off=true]:line-through"
                  data-off={!on && key.id !== 'menu' && key.id !== 'close'}
                >
                  <span>{key.label}</span>
                  <Keys keys={key.keys} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </ScrollArea>
      <label className="box-label gap-3 py-3.5 px-5 border-t border-line">
        <input type="checkbox" checked={on} onChange={(event) => switchShortcuts(event.currentTarget.checked)} />
        <span>
          Single-key shortcuts
          <small className="block text-ink-faint text-xs">When off, only Ctrl-K works. Saved in this browser.</small>
        </span>
      </label>
    </Overlay>
  );
}
