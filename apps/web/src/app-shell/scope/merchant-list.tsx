'use client';

import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';

interface MerchantName {
  readonly merchantId: string;
  readonly name: string;
  readonly merchantNumber: string;
}

const SEARCH_FROM = 8;

/** The merchants to choose from, found by name or number; arrow keys go up and down. */
export function MerchantList({
  merchants,
  chosen,
  onChoose,
}: {
  merchants: readonly MerchantName[];
  chosen: string | null;
  onChoose: (merchantId: string | null) => void;
}) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = merchants.filter(({ name, merchantNumber }) => `${name} ${merchantNumber}`.toLowerCase().includes(wanted));
  return (
    <div
      className="grid max-h-[360px] -m-1.5 overflow-y-auto"
      onKeyDown={moveFocus}
      role="toolbar"
      aria-orientation="vertical"
      aria-label="Merchants"
    >
      {merchants.length > SEARCH_FROM && (
        <input
          className="h-8 mb-1.5 py-0 px-2.5 border border-line-strong rounded-md bg-ground text-ink text-sm"
          type="search"
          aria-label="Search merchants"
          placeholder="Name or number"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {wanted === '' && <Choice name="All merchants" chosen={chosen === null} onChoose={() => onChoose(null)} />}
      {found.map(({ merchantId, name, merchantNumber }) => (
        <Choice
          key={merchantId}
          name={name}
          note={merchantNumber}
          chosen={merchantId === chosen}
          onChoose={() => onChoose(merchantId)}
        />
      ))}
      {found.length === 0 && <p className="p-2 text-ink-faint text-xs">No matching merchants</p>}
    </div>
  );
}

function Choice({ name, note, chosen, onChoose }: { name: string; note?: string; chosen: boolean; onChoose: () => void }) {
  return (
    <button type="button" className="menu-entry min-h-8.5" aria-pressed={chosen} onClick={onChoose}>
      <span className="flex-1">{name}</span>
      {note !== undefined && <span className="text-ink-faint text-xs">{note}</span>}
      <IconCheck size={14} stroke={2} className={`flex-none text-accent-ink ${chosen ? '' : 'invisible'}`} aria-hidden="true" />
    </button>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  stops[(at + step + stops.length) % stops.length]?.focus();
  event.preventDefault();
}
