'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import type { FieldsOf } from '#/forms/bound-fields.tsx';
import type { FormState } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Account, Fees, Kind } from '../copy.ts';

/** The form of an account of a gateway. */
interface AccountFieldsProps {
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

/** The state of an account's form: text as typed, valid or not. */
interface AccountDraft {
  readonly label: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly currencies: readonly string[];
  readonly methods: Kind['methods'];
  readonly minAmount: string;
  readonly maxAmount: string;
  /** Fees of a new account's first contract; null where fees are not known. */
  readonly fees: FeesDraft | null;
  readonly baseUrl: string;
}

/** A fee schedule as typed: per cent and main units; empty for none. */
interface FeesDraft {
  /** Per cent, as `1.5`. */
  readonly percent: string;
  readonly flat: string;
  readonly waivedBelow: string;
  readonly cap: string;
  readonly vat: string;
}

/** A new account with the gateway's own limits and published fees. */
export function newDraft(kind: Kind, taken: readonly string[]): AccountDraft {
  const published = kind.publishedFees[0]?.schedule;
  return {
    label: freeLabel(kind.name, taken),
    credentials: Object.fromEntries(kind.fields.map(({ name }) => [name, ''])),
    currencies: kind.currencies,
    methods: kind.methods,
    minAmount: String(kind.minAmount),
    maxAmount: kind.maxAmount === null ? '' : String(kind.maxAmount),
    fees: published === undefined ? null : draftFees(published),
    baseUrl: '',
  };
}

/** An existing account to edit. Credentials are never read back; its fees are changed by contracts. */
export function draftOf(account: Account): AccountDraft {
  return {
    label: account.label,
    credentials: {},
    currencies: account.currencies,
    methods: account.methods,
    minAmount: account.minAmount.toString(),
    maxAmount: account.maxAmount?.toString() ?? '',
    fees: null,
    baseUrl: account.baseUrl ?? '',
  };
}

/** A stored fee schedule in the form's text. */
function draftFees(fees: Fees): FeesDraft {
  return {
    percent: String(fees.percentBasisPoints / 100),
    flat: String(fees.flat),
    waivedBelow: fees.flatWaivedBelow === null ? '' : String(fees.flatWaivedBelow),
    cap: fees.cap === null ? '' : String(fees.cap),
    vat: String(fees.vatBasisPoints / 100),
  };
}

function freeLabel(name: string, taken: readonly string[]): string {
  const labels = [`${name}-main`, ...Array.from({ length: 200 }, (_, index) => `${name}-${index + 2}`)];
  return labels.find((label) => !taken.includes(label)) ?? name;
}

/** Errors by field, as sentences without their subject. */
type Problems = ReadonlyMap<string, string>;

/** The numbers of a valid form. Amounts in whole main units; `maxAmount` null for no limit. */
interface ReadDraft {
  readonly minAmount: number;
  readonly maxAmount: number | null;
  readonly fees: Fees | null;
}

/** The numbers of a draft, or what is wrong with them. The server has the last word on everything. */
export function readDraft(
  draft: AccountDraft,
  kind: Kind,
  asksCredentials: boolean,
): { readonly read: ReadDraft; readonly problems: Problems } {
  const problems = new Map<string, string>();
  const whole = (field: string, text: string): number => {
    const value = Number(text.trim().replaceAll(',', ''));
    if (text.trim() === '' || !Number.isInteger(value) || value < 0) problems.set(field, 'must be a whole amount');
    return value;
  };
  const wholeOrNone = (field: string, text: string) => (text.trim() === '' ? null : whole(field, text));
  const percent = (field: string, text: string): number => {
    const value = Number(text.trim().replace(',', '.'));
    if (text.trim() === '' || !Number.isFinite(value) || value < 0 || value > 100)
      problems.set(field, 'must lie between 0 and 100');
    return Math.round(value * 100);
  };
  if (!/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/.test(draft.label)) {
    problems.set('label', 'must be 1 to 60 small letters, digits and inner hyphens');
  }
  if (draft.methods.length === 0) problems.set('methods', 'must have at least one');
  if (draft.currencies.length === 0) problems.set('currencies', 'must have at least one');
  for (const { name, required } of asksCredentials ? kind.fields : []) {
    if (required && (draft.credentials[name] ?? '').trim() === '') problems.set(`credentials.${name}`, 'must be given');
  }
  const minAmount = whole('minAmount', draft.minAmount);
  const maxAmount = wholeOrNone('maxAmount', draft.maxAmount);
  if (maxAmount !== null && maxAmount < minAmount) problems.set('maxAmount', 'must not be below the smallest amount');
  const fees =
    draft.fees === null
      ? null
      : {
          percentBasisPoints: percent('fees.percentBasisPoints', draft.fees.percent),
          flat: whole('fees.flat', draft.fees.flat),
          flatWaivedBelow: wholeOrNone('fees.flatWaivedBelow', draft.fees.waivedBelow),
          cap: wholeOrNone('fees.cap', draft.fees.cap),
          vatBasisPoints: percent('fees.vatBasisPoints', draft.fees.vat),
        };
  return { read: { minAmount, maxAmount, fees }, problems };
}

/** The server's names of what is entered in these fields. */
export const ACCOUNT_ALIASES: Readonly<Record<string, string>> = {
  'fees.percentBasisPoints': 'fees.percent',
  'fees.flatWaivedBelow': 'fees.waivedBelow',
  'fees.vatBasisPoints': 'fees.vat',
};

/** An account of a gateway as its form holds it, read into settings and credentials as the server takes them. */
export function accountSchema(kind: Kind, asksCredentials: boolean) {
  return z.pipe(
    z.custom<AccountDraft>(),
    z.transform((draft: AccountDraft, context) => {
      const { read, problems } = readDraft(draft, kind, asksCredentials);
      for (const [field, message] of problems) {
        const path = (ACCOUNT_ALIASES[field] ?? field).split('.');
        context.issues.push({ code: 'custom', path, message, input: draft });
      }
      return { settings: settingsOf(draft, read, kind), credentials: credentialsIn(draft) };
    }),
  );
}

/** The settings of a draft, credentials aside, as the server takes them: methods in the gateway's order, null for no address. */
export function settingsOf(draft: AccountDraft, read: ReadDraft, kind: Kind) {
  return {
    label: draft.label,
    currencies: [...draft.currencies],
    methods: kind.methods.filter((method) => draft.methods.includes(method)),
    minAmount: read.minAmount,
    maxAmount: read.maxAmount,
    fees: read.fees,
    baseUrl: draft.baseUrl.trim() === '' ? null : draft.baseUrl.trim(),
  };
}

function credentialsIn({ credentials }: AccountDraft): Record<string, string> {
  const entered = Object.entries(credentials).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(entered.filter(([, value]) => value !== ''));
}
