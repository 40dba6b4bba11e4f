'use client';

import { IconBuildingStore, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { parseAsString, useQueryStates } from 'nuqs';
import { Popup } from '#/components/popup/popup.tsx';
import { hrefIn, MODE_COOKIE, MODES, type Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { rememberInCookie } from '../remember.ts';
import { OPEN_IN_SCOPE, pathInOtherScope } from './path-in-other-scope.ts';

// Loaded when it opens: every page has the button.
const MerchantList = dynamic(() => import('./merchant-list.tsx').then((module) => module.MerchantList));

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
      <IconBuildingStore size={18} stroke={1.7} className="flex-none text-ink-faint max-phone:hidden" aria-hidden="true" />
      <span className="sr-only">Merchant: </span>
      <span className="truncate">{name}</span>
      <IconSelector size={14} stroke={1.7} className="flex-none text-ink-faint" aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label="Merchant"
      align="start"
      width={300}
      button={{
        className:
          'flex items-center gap-2 min-w-0 max-w-[260px] h-9 px-2 rounded-lg text-sm font-medium hover:bg-ground-hover max-phone:px-1',
        children: face,
      }}
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
          className="segment min-w-11 px-2.5 font-medium"
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
    <p
      className="flex items-center gap-2 h-[var(--band-height)] px-3 laptop:px-5 text-xs leading-none mode-ground"
      data-mode={mode}
    >
      <strong>{mode === 'live' ? 'Live' : 'Test'}</strong>
      <span className="opacity-92">{mode === 'live' ? 'Real money moves here' : 'No real money moves here'}</span>
    </p>
  );
}
