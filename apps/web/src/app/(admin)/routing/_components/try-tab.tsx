'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useEffect, useState } from 'react';
import { gatewayTitle, methodTitle } from '../../../../copy/gateways.ts';
import { viewerZone } from '../../../../format/zone.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { NOT_COMPLETE } from '../_rules/copy.ts';
import { currenciesOf } from '../_rules/coverage.ts';
import { noteBeside } from '../_rules/findings.ts';
import { readTyped } from '../_rules/rule-form.ts';
import { tryParsers } from '../address.ts';
import { Action } from './action.tsx';
import fields from './field.module.css';
import { Field } from './field.tsx';
import type { LiveRouting } from './live-routing.ts';
import { METHODS } from './methods.ts';
import { PastPayment } from './past-payment.tsx';
import { TryResult } from './try-result.tsx';
import classes from './try-tab.module.css';
import type { EditedDraft } from './use-draft.ts';
import { useRoutingScope } from './use-routing.ts';

/** A trial payment under the draft and under the live rules, with every rule and account. */
export function TryTab({ edited, live }: { edited: EditedDraft; live: LiveRouting }) {
  const [asked, setAsked] = useQueryStates(tryParsers);
  const { data, problem, isBehind, failed, again } = useTrial(edited, live, asked);
  return (
    <div className={classes.columns}>
      <Payment asked={asked} setAsked={setAsked} live={live} edited={edited} problem={problem} />
      <div className={classes.result} data-behind={isBehind} aria-live="polite">
        {data === undefined && !failed && problem === null && <p className={classes.muted}>Evaluating</p>}
        {failed && (
          <p className={classes.muted}>
            The server did not answer. <Action onClick={again}>Try again</Action>
          </p>
        )}
        {data?.kind === 'evaluated' && <TryResult evaluated={data} live={live} />}
        {data?.kind === 'invalid' && <p className={classes.muted}>{NOT_COMPLETE}</p>}
      </div>
    </div>
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type TryQuery = {
  readonly amount: string;
  readonly method: string;
  readonly money: string;
  readonly from: string;
  readonly gateway: string;
  readonly calm: boolean;
  readonly payment: string;
};

function useTrial(edited: EditedDraft, live: LiveRouting, asked: TryQuery) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const [ownId] = useState(() => crypto.randomUUID());
  // A past payment is tried with its own id, so that splits decide as they did.
  const paymentId = UUID.test(asked.payment) ? asked.payment : ownId;
  const amount = readTyped(asked.amount);
  const country = asked.from.trim().toUpperCase();
  const problem =
    typeof amount === 'string' || amount < 1
      ? 'Enter a whole number of at least 1.'
      : country !== '' && !/^[A-Z]{2}$/.test(country)
        ? 'Enter a two-letter country code, such as NG.'
        : null;
  const currency = asked.money || (currenciesOf(edited.document.rules, live.accounts)[0] ?? 'NGN');
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
  problem: string | null;
}) {
  const currencies = currenciesOf(edited.document.rules, live.accounts);
  const gateways = [...new Set(live.accounts.map(({ gateway }) => gateway))];
  const set = (name: keyof TryQuery) => (event: { currentTarget: { value: string } }) =>
    void setAsked({ [name]: event.currentTarget.value });
  const isAmount = problem?.startsWith('Enter a whole') ?? false;
  return (
    <form className={classes.form} onSubmit={(event) => event.preventDefault()} aria-label="Trial payment">
      <p className={classes.muted}>A trial payment: nothing is charged and no gateway is called.</p>
      <PastPayment
        chosen={UUID.test(asked.payment) ? asked.payment : ''}
        onChoose={(values) => void setAsked(values)}
        onClear={() => void setAsked({ payment: '' })}
      />
      <Field label={`Amount, ${asked.money || (currencies[0] ?? 'NGN')}`} notes={isAmount ? [wrong(problem)] : []}>
        {(described) => (
          <input className={fields.input} inputMode="numeric" value={asked.amount} onChange={set('amount')} {...described} />
        )}
      </Field>
      {currencies.length > 1 && (
        <Field label="Currency" notes={[]}>
          {(described) => (
            <select className={fields.input} value={asked.money || currencies[0]} onChange={set('money')} {...described}>
              {currencies.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label="Method" notes={[]}>
        {(described) => (
          <select className={fields.input} value={asked.method} onChange={set('method')} {...described}>
            <option value="none">None</option>
            {METHODS.map((method) => (
              <option key={method} value={method}>
                {methodTitle(method)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Customer's country" notes={!isAmount && problem !== null ? [wrong(problem)] : []}>
        {(described) => (
          <input
            className={fields.input}
            placeholder="unknown"
            maxLength={2}
            value={asked.from}
            onChange={(event) => void setAsked({ from: event.currentTarget.value.toUpperCase() })}
            {...described}
          />
        )}
      </Field>
      <Field label="Requested gateway" notes={[]}>
        {(described) => (
          <select className={fields.input} value={asked.gateway} onChange={set('gateway')} {...described}>
            <option value="">None: the rules decide</option>
            {gateways.map((gateway) => (
              <option key={gateway} value={gateway}>
                {gatewayTitle(gateway)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <label className={classes.checkbox}>
        <input type="checkbox" checked={asked.calm} onChange={(event) => void setAsked({ calm: event.currentTarget.checked })} />
        Ignore current health and overrides
      </label>
    </form>
  );
}

function wrong(message: string | null) {
  return noteBeside('blocks', message ?? '');
}
