'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useDeferredValue, useEffect, useState } from 'react';
import { tryParsers } from '#/app/(admin)/routing/address.ts';
import { StatusBadge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Checkbox, TextField } from '#/components/field/field.tsx';
import { NumberField, readNumber } from '#/components/number-field/number-field.tsx';
import { Select } from '#/components/select/select.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { formatMoney, groupDecimal } from '#/format/amounts.ts';
import { isUuid } from '#/format/uuid.ts';
import { viewerZone } from '#/format/zone.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import { currenciesOf } from '../map/coverage.ts';
import { type LiveRouting, useRoutingScope } from '../queries/use-routing.ts';
import { NOT_COMPLETE } from '../rules/copy.ts';
import { METHODS } from '../rules/document.ts';
import { readTyped } from '../rules/rule-form.ts';
import { readEnteredKeys, TryKeys, toPaymentKeys } from './try-keys.tsx';
import { TryResult } from './try-result.tsx';

/** A trial payment under the draft and under the live rules, with every rule and account. */
export function TryTab({ edited, live }: { edited: EditedDraft; live: LiveRouting }) {
  const [asked, setAsked] = useQueryStates(tryParsers);
  const { data, problem, isBehind, failed, again } = useTrial(edited, live, asked);
  return (
    <div className="grid grid-cols-1 gap-8 laptop:grid-cols-[280px_minmax(0,1fr)] laptop:gap-12">
      <Payment asked={asked} setAsked={setAsked} live={live} edited={edited} problem={problem} />
      <div className="min-w-0 max-w-[980px]" data-behind={isBehind} aria-live="polite">
        {problem !== null && <p className="text-ink-faint text-sm">Correct the payment to see where it would go.</p>}
        {problem === null && data === undefined && !failed && <p className="text-ink-faint text-sm">Evaluating</p>}
        {problem === null && failed && (
          <p className="text-ink-faint text-sm">
            The server did not answer. <Button onClick={again}>Try again</Button>
          </p>
        )}
        {problem === null && data?.kind === 'evaluated' && <TryResult evaluated={data} live={live} />}
        {problem === null && data?.kind === 'invalid' && <p className="text-ink-faint text-sm">{NOT_COMPLETE}</p>}
      </div>
    </div>
  );
}

const METHOD_OPTIONS = [
  { value: 'none', label: 'None' } as const,
  ...METHODS.map((value) => ({ value, label: methodTitle(value) })),
];

/** An error in the trial payment, and its field. */
interface TryProblem {
  readonly field: 'amount' | 'from';
  readonly message: string;
}

type TryQuery = {
  readonly amount: string;
  readonly method: string;
  readonly money: string;
  readonly from: string;
  readonly gateway: string;
  readonly keys: string;
  readonly calm: boolean;
  readonly payment: string;
};

function useTrial(edited: EditedDraft, live: LiveRouting, asked: TryQuery) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const [ownId] = useState(() => crypto.randomUUID());
  // A past payment is tried with its own id, so that splits decide as they did.
  const paymentId = isUuid(asked.payment) ? asked.payment : ownId;
  const amount = readTyped(asked.amount);
  const country = asked.from.trim().toUpperCase();
  const currency = asked.money || (currenciesOf(edited.document.rules, live.accounts)[0] ?? 'NGN');
  const problem: TryProblem | null =
    typeof amount === 'string' || amount < 1
      ? { field: 'amount', message: `must be a whole amount of at least ${currency} 1` }
      : country !== '' && !/^[A-Z]{2}$/.test(country)
        ? { field: 'from', message: 'must be a two-letter country code, such as NG' }
        : null;
  const method = METHODS.find((each) => each === asked.method) ?? null;
  const options = trpc.routing.evaluate.queryOptions({
    ...scope,
    rules: { kind: 'draft', draftId: edited.draft.draftId },
    payment: {
      currency,
      amount: typeof amount === 'number' && amount >= 1 ? amount : 1,
      method,
      customerCountry: country === '' || problem !== null ? null : country,
      requestedGateway: asked.gateway === '' ? null : asked.gateway,
      keys: toPaymentKeys(readEnteredKeys(asked.keys), edited.document.keys ?? []),
      paymentId,
    },
    conditions: asked.calm ? 'calm' : 'present',
    zone: viewerZone(),
  });
  const { data, isFetching, isError, refetch } = useQuery({
    ...options,
    enabled: problem === null && edited.saved.kind === 'saved',
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved draft changes the decision.
  useEffect(() => {
    if (problem === null) void refetch();
  }, [edited.draft.revision]);
  return { data, problem, isBehind: isFetching, failed: isError && data === undefined, again: () => void refetch() };
}

function Payment({
  asked,
  setAsked,
  live,
  edited,
  problem,
}: {
  asked: TryQuery;
  setAsked: (part: Partial<TryQuery>) => unknown;
  live: LiveRouting;
  edited: EditedDraft;
  problem: TryProblem | null;
}) {
  const currencies = currenciesOf(edited.document.rules, live.accounts);
  const gateways = [...new Set(live.accounts.map(({ gateway }) => gateway))];
  const currency = asked.money || (currencies[0] ?? 'NGN');
  const problemOf = (field: TryProblem['field']) => (problem?.field === field ? problem.message : null);
  return (
    <section className="grid gap-3 content-start" aria-label="Trial payment">
      <p className="text-ink-faint text-sm">A trial payment: nothing is charged and no gateway is called.</p>
      <PastPayment
        chosen={isUuid(asked.payment) ? asked.payment : ''}
        onChoose={(values) => void setAsked(values)}
        onClear={() => void setAsked({ payment: '' })}
      />
      <NumberField
        label={`Amount, ${currency}`}
        min={1}
        value={readNumber(asked.amount, 0)}
        error={problemOf('amount')}
        onChange={(amount) => void setAsked({ amount })}
      />
      {currencies.length > 1 && (
        <Select
          label="Currency"
          options={currencies.map((value) => ({ value, label: value }))}
          value={currency}
          onChange={(money) => void setAsked({ money })}
        />
      )}
      <Select
        label="Method"
        options={METHOD_OPTIONS}
        value={METHODS.find((each) => each === asked.method) ?? 'none'}
        onChange={(method) => void setAsked({ method })}
      />
      <TextField
        label="Customer's country"
        placeholder="Unknown"
        maxLength={2}
        value={asked.from}
        error={problemOf('from')}
        onChange={(event) => void setAsked({ from: event.currentTarget.value.toUpperCase() })}
      />
      <TryKeys
        document={edited.document}
        timeZone={live.timeZone}
        text={asked.keys}
        onChange={(keys) => void setAsked({ keys })}
      />
      <Select
        label="Requested gateway"
        options={[
          { value: '', label: 'None: the rules decide' },
          ...gateways.map((gateway) => ({ value: gateway, label: gatewayTitle(gateway) })),
        ]}
        value={asked.gateway}
        onChange={(gateway) => void setAsked({ gateway })}
      />
      <Checkbox label="Ignore current health and overrides" checked={asked.calm} onChange={(calm) => void setAsked({ calm })} />
    </section>
  );
}

const SHOWN = 6;

/** Values that a trial takes from a past payment. */
interface PastPaymentValues {
  readonly payment: string;
  readonly amount: string;
  readonly money: string;
  readonly method: string;
  readonly from: string;
  readonly gateway: string;
}

/** Chooses a past payment to try: the newest ones, or those an order or payment id finds. */
function PastPayment({
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
    <div className="grid gap-2 justify-items-start pb-3 border-b border-line [&>*]:w-full [&>button]:w-auto">
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
            <button
              type="button"
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-y-0 gap-x-2 w-full py-1.5 px-1 border-b border-b-line text-ink text-sm text-start hover:bg-ground-hover"
              onClick={() => void take(paymentId)}
            >
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
