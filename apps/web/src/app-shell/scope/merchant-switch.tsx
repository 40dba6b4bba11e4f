'use client';

import { IconBuildingStore, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryStates } from 'nuqs';
import { Popup } from '#/components/popup/popup.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { MerchantList } from './merchant-list.tsx';
import classes from './merchant-switch.module.css';
import { OPEN_IN_SCOPE } from './path-in-other-scope.ts';

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
