'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Button } from '#/components/button/button.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import type { FieldsOf } from '#/forms/bound-fields.tsx';
import type { FormState } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Kind } from '../copy.ts';
import { type AccountDraft, draftFees, type FeesDraft, type ReadDraft, readDraft } from './account-draft.ts';

/** The form of an account of a gateway. */
export interface AccountFieldsProps {
  readonly kind: Kind;
  readonly mode: 'test' | 'live';
  readonly form: Pick<FormState<AccountDraft>, keyof FieldsOf<AccountDraft> | 'entered' | 'enter'>;
}

const ENCRYPTED = 'Stored encrypted, never shown again';

/** Fields of the credentials that the gateway requires. Saved values are never shown again. */
export function CredentialFields({ kind, form }: Omit<AccountFieldsProps, 'mode'>) {
  return (
    <>
      {kind.fields.map(({ name, label, help, secret, required }) => (
        <form.Text
          key={name}
          name={`credentials.${name}`}
          label={required ? label : `${label} (optional)`}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
          description={[help, secret ? ENCRYPTED : null].filter((part) => part !== null).join('. ') || undefined}
        />
      ))}
    </>
  );
}

/** The fields of an account except its credentials; of a new one with the fees of its first contract. */
export function AccountFields({ kind, mode, form, isNew = false }: AccountFieldsProps & { readonly isNew?: boolean }) {
  const unit = form.entered.currencies[0] ?? '';
  return (
    <>
      <form.Text name="label" label="Label" description="Its name in rules and in this dashboard" />
      <form.Checkboxes
        name="methods"
        label="Methods"
        choices={kind.methods.map((value) => ({ value, label: methodTitle(value) }))}
      />
      {kind.currencies.length > 1 && (
        <form.Checkboxes
          name="currencies"
          label="Currencies"
          choices={kind.currencies.map((value) => ({ value, label: value }))}
        />
      )}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,150px),1fr))] gap-x-4 gap-y-3">
        <form.Number name="minAmount" label="Smallest amount" min={0} unit={unit} />
        <form.Number name="maxAmount" label="Largest amount" min={0} unit={unit} placeholder="None" />
      </div>
      {isNew && <FeeFields kind={kind} form={form} />}
      {mode === 'test' && (
        <form.Text
          name="baseUrl"
          label="Another base address"
          inputMode="url"
          placeholder="The gateway's own"
          description="For a simulator of the gateway; live accounts always reach the gateway itself"
        />
      )}
    </>
  );
}

const NO_FEES: FeesDraft = { percent: '0', flat: '0', waivedBelow: '', cap: '', vat: '0' };

function FeeFields({ kind, form }: Omit<AccountFieldsProps, 'mode'>) {
  const { fees, currencies, methods } = form.entered;
  const { read, problems } = readDraft(form.entered, kind, false);
  const currency = currencies[0] ?? 'NGN';
  return (
    <fieldset className="grid gap-2.5 min-w-0 m-0 p-0 border-0">
      <legend className="mb-2 p-0 text-sm font-semibold">Fees</legend>
      <div className="flex flex-wrap gap-2">
        {kind.publishedFees.map(({ title, schedule }) => (
          <Button key={title} onClick={() => form.enter({ fees: draftFees(schedule) })}>
            {title}
          </Button>
        ))}
        {fees !== null && <Button onClick={() => form.enter({ fees: null })}>Remove fees</Button>}
        {fees === null && <Button onClick={() => form.enter({ fees: NO_FEES })}>Enter fees</Button>}
      </div>
      {fees !== null && (
        <>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,150px),1fr))] gap-x-4 gap-y-3">
            <form.Number name="fees.percent" label="Percentage" unit="%" min={0} decimals={2} />
            <form.Number name="fees.flat" label="Flat" unit={currency} min={0} />
            <form.Number name="fees.waivedBelow" label="Flat waived below" unit={currency} min={0} placeholder="Never" />
            <form.Number name="fees.cap" label="Cap" unit={currency} min={0} placeholder="None" />
            <form.Number name="fees.vat" label="VAT on the fee" unit="%" min={0} decimals={2} />
          </div>
          {kind.publishedFees[0]?.note !== null && <p className="text-ink-faint text-xs">{kind.publishedFees[0]?.note}</p>}
        </>
      )}
      <FeeExamples
        fees={read.fees}
        currency={currency}
        method={methods[0] ?? null}
        broken={[...problems.keys()].some((one) => one.startsWith('fees.'))}
      />
    </fieldset>
  );
}

const EXAMPLES = [2_000, 10_000, 250_000];

/** Example fees for three amounts, updated as they are typed. */
export function FeeExamples({
  fees,
  currency,
  method,
  broken = false,
}: {
  fees: ReadDraft['fees'];
  currency: string;
  method: string | null;
  broken?: boolean;
}) {
  const trpc = useTRPC();
  const schedule = useDeferredValue(fees);
  const by = method === null ? '' : `by ${methodTitle(method).toLowerCase().replace('ussd', 'USSD').replace('qr', 'QR')}`;
  const { data } = useQuery(
    trpc.gateways.feeExamples.queryOptions(
      { fees: schedule ?? EMPTY, currency, amounts: EXAMPLES, by },
      { enabled: schedule !== null && !broken, staleTime: Number.POSITIVE_INFINITY, placeholderData: (before) => before },
    ),
  );
  if (fees === null)
    return <p className="text-ink-faint text-xs">Without fees, the account is left out where the cheapest is chosen.</p>;
  if (broken || data === undefined) return null;
  return (
    <ul className="grid gap-0.5 py-2 px-3 border-l-3 border-line-strong text-sm tabular-nums" aria-label="Worked examples">
      {data.map(({ amount, sentence }) => (
        <li key={amount}>{sentence}</li>
      ))}
    </ul>
  );
}

const EMPTY = { percentBasisPoints: 0, flat: 0, flatWaivedBelow: null, cap: null, vatBasisPoints: 0 };
