'use client';

import { IconBuildingStore, IconCheck, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { parseAsString, useQueryStates } from 'nuqs';
import { type KeyboardEvent, useState } from 'react';
import { Popup } from '#/components/popup/popup.tsx';
import { hrefIn, MODE_COOKIE, MODES, type Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { rememberInCookie } from '../remember.ts';
import classes from './merchant-switch.module.css';
import modeBandClasses from './mode-band.module.css';
import modeSwitchClasses from './mode-switch.module.css';
import { OPEN_IN_SCOPE, pathInOtherScope } from './path-in-other-scope.ts';

const parsers = Object.fromEntries(['merchant', ...OPEN_IN_SCOPE].map((name) => [name, parseAsString]));
const CLOSED = Object.fromEntries(OPEN_IN_SCOPE.map((name) => [name, null]));

/** Selects one merchant, or all that the person may see. */
export function MerchantSwitch() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const [{ merchant = null }, setQuery] = useQueryStates(parsers, { shallow: false, history: 'push' });
  const merchants = data ?? [];
  const chosen = merchants.find(({ merchantId }) => merchantId === merchant);
  const name = merchant === null ? 'All merchants' : (chosen?.name ?? 'Unknown merchant');
  const face = (
    <>
      <IconBuildingStore size={18} stroke={1.7} className={classes.glyph} aria-hidden="true" />
      <span className="sr-only">Merchant: </span>
      <span className="truncate">{name}</span>
      <IconSelector size={14} stroke={1.7} className={classes.glyph} aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label="Merchant"
      align="start"
      width={300}
      button={{ className: classes.button, children: face }}
      content={(close) => (
        <MerchantList
          merchants={merchants}
          chosen={merchant}
          onChoose={(merchantId) => {
            close();
            void setQuery({ ...CLOSED, merchant: merchantId });
          }}
        />
      )}
    />
  );
}

interface MerchantName {
  readonly merchantId: string;
  readonly name: string;
  readonly merchantNumber: string;
}

const SEARCH_FROM = 8;

/** The merchants to choose from, found by name or number; arrow keys go up and down. */
function MerchantList({
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
    <button type="button" className={classes.choice} aria-pressed={chosen} onClick={onChoose}>
      <span className="flex-1">{name}</span>
      {note !== undefined && <span className="text-ink-faint text-xs">{note}</span>}
      <IconCheck size={14} stroke={2} className={classes.check} aria-hidden="true" />
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

const LABELS: Record<Mode, string> = { test: 'Test', live: 'Live' };
const DROPPED_PARAMS: ReadonlySet<string> = new Set(['mode', 'merchant', ...OPEN_IN_SCOPE]);

/** Switches between live and test mode. Filters stay; the open object is closed, because it does not exist in the other mode. */
export function ModeSwitch() {
  const scope = useScope();
  const pathname = usePathname();
  const kept = [...useSearchParams()].filter(([name]) => !DROPPED_PARAMS.has(name));
  return (
    <fieldset className="flex gap-0.5 m-0 p-0.5 border-0 rounded-xl bg-ground-hover">
      <legend className="sr-only">Mode</legend>
      {MODES.map((mode) => (
        <Link
          key={mode}
          className={modeSwitchClasses.mode}
          prefetch={false}
          href={hrefIn({ ...scope, mode }, pathInOtherScope(pathname), Object.fromEntries(kept))}
          aria-current={scope.mode === mode ? 'true' : undefined}
          onClick={() => rememberInCookie(MODE_COOKIE, mode)}
        >
          {LABELS[mode]}
        </Link>
      ))}
    </fieldset>
  );
}

/** Shows on every page whether real money moves, in words and by a patterned band. */
export function ModeBand() {
  const { mode } = useScope();
  return (
    <p className={modeBandClasses.band} data-mode={mode}>
      <strong>{mode === 'live' ? 'Live' : 'Test'}</strong>
      <span className="opacity-92">{mode === 'live' ? 'Real money moves here' : 'No real money moves here'}</span>
    </p>
  );
}
