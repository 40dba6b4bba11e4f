'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Button } from '#/components/button/button.tsx';
import { CheckboxGroup, TextField } from '#/components/field/field.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Kind } from '../copy.ts';
import { type AccountDraft, draftFees, type FeesDraft, type Problems, type ReadDraft } from './account-draft.ts';
import classes from './account-fields.module.css';

/** The draft of an account's form, and what happens when it changes. */
export interface AccountFieldsProps {
  readonly kind: Kind;
  readonly mode: 'test' | 'live';
  readonly draft: AccountDraft;
  readonly read: ReadDraft;
  readonly problems: Problems;
  readonly onChange: (draft: AccountDraft) => void;
  /** A field lost focus: its problem may be shown from now on. */
  readonly onLeave: (field: string) => void;
}

const ENCRYPTED = 'Stored encrypted, never shown again';

/** Fields of the credentials that the gateway requires. Saved values are never shown again. */
export function CredentialFields({ kind, draft, problems, onChange, onLeave }: Omit<AccountFieldsProps, 'read' | 'mode'>) {
  return (
    <>
      {kind.fields.map(({ name, label, help, secret, required }) => (
        <TextField
          key={name}
          label={required ? label : `${label} (optional)`}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
          value={draft.credentials[name] ?? ''}
          error={problems.get(`credentials.${name}`) ?? null}
          description={[help, secret ? ENCRYPTED : null].filter((part) => part !== null).join('. ') || undefined}
          onChange={(event) =>
            onChange({ ...draft, credentials: { ...draft.credentials, [name]: event.currentTarget.value.trim() } })
          }
          onBlur={() => onLeave(`credentials.${name}`)}
        />
      ))}
    </>
  );
}

/** The fields of an account except its credentials. */
export function AccountFields({ kind, mode, draft, read, problems, onChange, onLeave }: AccountFieldsProps) {
  const set = (change: Partial<AccountDraft>) => onChange({ ...draft, ...change });
  const problem = (field: string) => problems.get(field) ?? null;
  return (
    <>
      <TextField
        label="Label"
        value={draft.label}
        error={problem('label')}
        description="Its name in rules and in this dashboard"
        onChange={(event) => set({ label: event.currentTarget.value })}
        onBlur={() => onLeave('label')}
      />
      <CheckboxGroup
        label="Methods"
        choices={kind.methods.map((value) => ({ value, label: methodTitle(value) }))}
        values={draft.methods}
        error={problem('methods')}
        onChange={(methods) => set({ methods })}
      />
      {kind.currencies.length > 1 && (
        <CheckboxGroup
          label="Currencies"
          choices={kind.currencies.map((value) => ({ value, label: value }))}
          values={draft.currencies}
          error={problem('currencies')}
          onChange={(currencies) => set({ currencies })}
        />
      )}
      <div className={classes.pair}>
        <NumberField
          label="Smallest amount"
          min={0}
          unit={draft.currencies[0] ?? ''}
          value={draft.minAmount}
          error={problem('minAmount')}
          onChange={(minAmount) => set({ minAmount })}
          onBlur={() => onLeave('minAmount')}
        />
        <NumberField
          label="Largest amount"
          min={0}
          unit={draft.currencies[0] ?? ''}
          placeholder="None"
          value={draft.maxAmount}
          error={problem('maxAmount')}
          onChange={(maxAmount) => set({ maxAmount })}
          onBlur={() => onLeave('maxAmount')}
        />
      </div>
      <FeeFields kind={kind} draft={draft} read={read} problems={problems} onChange={onChange} onLeave={onLeave} />
      {mode === 'test' && (
        <TextField
          label="Another base address"
          inputMode="url"
          placeholder="The gateway's own"
          value={draft.baseUrl}
          error={problem('baseUrl')}
          description="For a simulator of the gateway; live accounts always reach the gateway itself"
          onChange={(event) => set({ baseUrl: event.currentTarget.value.trim() })}
          onBlur={() => onLeave('baseUrl')}
        />
      )}
    </>
  );
}

const NO_FEES: FeesDraft = { percent: '0', flat: '0', waivedBelow: '', cap: '', vat: '0' };

function FeeFields({ kind, draft, read, problems, onChange, onLeave }: Omit<AccountFieldsProps, 'mode'>) {
  const { fees } = draft;
  const set = (change: Partial<FeesDraft>) => onChange({ ...draft, fees: { ...(fees ?? NO_FEES), ...change } });
  const field = (name: keyof FeesDraft, path: string, label: string, unit: string, placeholder?: string) => (
    <NumberField
      label={label}
      unit={unit}
      min={0}
      decimals={unit === '%' ? 2 : 0}
      value={fees?.[name] ?? ''}
      error={problems.get(path) ?? null}
      {...(placeholder !== undefined && { placeholder })}
      onChange={(text) => set({ [name]: text })}
      onBlur={() => onLeave(path)}
    />
  );
  const currency = draft.currencies[0] ?? 'NGN';
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Fees</legend>
      <div className={classes.presets}>
        {kind.publishedFees.map(({ title, schedule }) => (
          <Button key={title} onClick={() => onChange({ ...draft, fees: draftFees(schedule) })}>
            {title}
          </Button>
        ))}
        {fees !== null && <Button onClick={() => onChange({ ...draft, fees: null })}>Remove fees</Button>}
        {fees === null && <Button onClick={() => onChange({ ...draft, fees: NO_FEES })}>Enter fees</Button>}
      </div>
      {fees !== null && (
        <>
          <div className={classes.fees}>
            {field('percent', 'fees.percentBasisPoints', 'Percentage', '%')}
            {field('flat', 'fees.flat', 'Flat', currency)}
            {field('waivedBelow', 'fees.flatWaivedBelow', 'Flat waived below', currency, 'Never')}
            {field('cap', 'fees.cap', 'Cap', currency, 'None')}
            {field('vat', 'fees.vatBasisPoints', 'VAT on the fee', '%')}
          </div>
          {kind.publishedFees[0]?.note !== null && <p className={classes.note}>{kind.publishedFees[0]?.note}</p>}
        </>
      )}
      <FeeExamples
        fees={read.fees}
        currency={currency}
        method={draft.methods[0] ?? null}
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
  if (fees === null) return <p className={classes.note}>Without fees, the account is left out where the cheapest is chosen.</p>;
  if (broken || data === undefined) return null;
  return (
    <ul className={classes.examples} aria-label="Worked examples">
      {data.map(({ amount, sentence }) => (
        <li key={amount}>{sentence}</li>
      ))}
    </ul>
  );
}

const EMPTY = { percentBasisPoints: 0, flat: 0, flatWaivedBelow: null, cap: null, vatBasisPoints: 0 };
