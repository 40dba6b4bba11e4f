'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useDeferredValue, useState } from 'react';
import { StatusBadge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { methodTitle } from '#/copy/gateways.ts';
import { formatMoney, groupDecimal } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useRoutingScope } from '../queries/use-routing.ts';
import classes from './past-payment.module.css';

const SHOWN = 6;

/** Values that a trial takes from a past payment. */
export interface PastPaymentValues {
  readonly payment: string;
  readonly amount: string;
  readonly money: string;
  readonly method: string;
  readonly from: string;
  readonly gateway: string;
}

/** Chooses a past payment to try: the newest ones, or those an order or payment id finds. */
export function PastPayment({
  chosen,
  onChoose,
  onClear,
}: {
  chosen: string;
  onChoose: (values: PastPaymentValues) => void;
  onClear: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  if (chosen !== '') return <Chosen paymentId={chosen} onClear={onClear} />;
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Use a past payment</Button>;
  return (
    <Choice
      onChoose={(values) => {
        setOpen(false);
        onChoose(values);
      }}
      onClose={() => setOpen(false)}
    />
  );
}

function Choice({ onChoose, onClose }: { onChoose: (values: PastPaymentValues) => void; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId, mode } = useRoutingScope();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const { data, isFetching } = useQuery(
    trpc.payments.list.queryOptions({ merchantIds: [merchantId], mode, search: search === '' ? null : search, limit: SHOWN }),
  );
  async function take(paymentId: string): Promise<void> {
    try {
      const found = await queries.fetchQuery(trpc.payments.byId.queryOptions({ paymentId }));
      onChoose({
        payment: paymentId,
        amount: groupDecimal(found.amount),
        money: found.currency,
        method: found.paymentMethod ?? 'none',
        from: found.customer.country ?? '',
        gateway: found.decision.requestedGateway ?? '',
      });
    } catch {
      showToast({ tone: 'bad', text: 'The payment could not be loaded. Try again.' });
    }
  }
  const items = data?.items ?? [];
  return (
    <div className={classes.choice}>
      <TextField
        label="Past payment"
        type="search"
        autoFocus
        placeholder="Order or payment ID"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <ul className="border-t border-line empty:border-t-0" aria-label="Payments" aria-busy={isFetching}>
        {items.map(({ paymentId, merchantOrderId, currency, amount, paymentMethod, status, createdAt }) => (
          <li key={paymentId}>
            <button type="button" className={classes.payment} onClick={() => void take(paymentId)}>
              <span className="truncate">{merchantOrderId}</span>
              <StatusBadge status={status} />
              <span className="col-span-full text-ink-quiet text-sm tabular-nums">
                {formatMoney(currency, amount)} · {methodTitle(paymentMethod)} · <Moment value={createdAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data !== undefined && items.length === 0 && (
        <p className="col-span-full text-ink-quiet text-sm tabular-nums">No payment found.</p>
      )}
      <Button onClick={onClose}>Cancel</Button>
    </div>
  );
}

/** The payment that the trial was filled from, and where it went. */
function Chosen({ paymentId, onClear }: { paymentId: string; onClear: () => void }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const { data } = useQuery(trpc.payments.byId.queryOptions({ paymentId }, { staleTime: 60_000 }));
  return (
    <div className="grid gap-1.5 justify-items-start pb-3 border-b border-line text-sm">
      <p>
        From payment <Link href={hrefIn(scope, `/payments/${paymentId}`)}>{data?.merchantOrderId ?? paymentId.slice(-6)}</Link>
        {data !== undefined && (
          <>
            {' '}
            <Moment value={data.createdAt} />, <StatusBadge status={data.displayStatus} />
          </>
        )}
      </p>
      <Button onClick={onClear}>Clear</Button>
    </div>
  );
}
