'use client';

import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { useNow } from '#/components/time/now.tsx';
import type { Contract, ContractAccount } from '#/copy/fees.ts';
import { methodTitle } from '#/copy/gateways.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done, reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { currentContract, useAddContract } from '../use-fees.ts';

const USUAL_TOLERANCE = '0.01';
const ORIGINS = [
  { value: 'any', label: 'Any card' },
  { value: 'local', label: 'Local' },
  { value: 'international', label: 'International' },
] as const;
const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,150px),1fr))] gap-x-4 gap-y-3';

/** A contract of an account to enter, beginning with the terms that apply. */
export function ContractDialog({ account, onClose }: { account: ContractAccount; onClose: () => void }) {
  const { merchantId, accountId, accountLabel, gatewayTitle, methods, currency: unit } = account;
  const add = useAddContract();
  const now = useNow();
  const applies = currentContract(account, now);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos' }).format(now);
  const form = useForm({
    schema: contractSchema,
    values: draftOf(applies?.schedule ?? null, applies?.tolerance ?? USUAL_TOLERANCE, today),
    async onSubmit(entered) {
      const outcome = await add.mutateAsync({ ...entered, merchantId, accountId });
      return reply(outcome, {
        added: () => done(`The contract of ${accountLabel} is entered.`),
        invalid: ({ problems }) => problems.map(({ field, message }) => ({ field: enteredField(field), message })),
        too_many: ({ limit }) => `A merchant has ${limit.toLocaleString('en')} contracts at most.`,
        not_found: 'The account does not exist any more.',
      });
    },
    onDone: onClose,
  });
  const { exceptions } = form.entered;
  const change = (next: ContractDraft['exceptions']) => form.enter({ exceptions: next });
  return (
    <FormDialog title={`Contract of ${accountLabel}`} form={form} action="Enter contract" onClose={onClose}>
      <p className="text-ink-quiet text-sm">
        {gatewayTitle}, {account.merchantName}. Contracts are kept: this one applies from its first day on, and fees of payments
        since are compared with it.
      </p>

      <form.Date name="appliesFrom" label="Applies from" />
      <fieldset className="grid gap-2.5 min-w-0 m-0 p-0 border-0">
        <legend className="mb-2 p-0 text-sm font-semibold">Fee of a payment</legend>
        <div className={GRID}>
          <form.Number name="percent" label="Percentage" unit="%" min={0} decimals={2} />
          <form.Number name="flat" label="Flat" unit={unit} min={0} decimals={2} />
          <form.Number name="waivedBelow" label="Flat waived below" unit={unit} min={0} placeholder="Never" />
          <form.Number name="cap" label="Cap" unit={unit} min={0} decimals={2} placeholder="None" />
          <form.Number name="vat" label="VAT on the fee" unit="%" min={0} decimals={2} />
          <form.Number name="dutyAmount" label="Stamp duty" unit={unit} min={0} decimals={2} placeholder="None" />
          <form.Number name="dutyFrom" label="Stamp duty from" unit={unit} min={0} placeholder="Any amount" />
        </div>
      </fieldset>
      {exceptions.map((exception, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is the identity of an exception
        <fieldset key={place} className="grid gap-2.5 min-w-0 m-0 p-0 border-0">
          <legend className="mb-2 p-0 text-sm font-semibold">Exception {place + 1}</legend>
          <form.Checkboxes
            name={`exceptions.${place}.methods`}
            label="Methods, any when none is chosen"
            choices={methods.map((value) => ({ value, label: methodTitle(value) }))}
          />
          <form.Segmented name={`exceptions.${place}.origin`} label="Card" choices={ORIGINS} />
          <div className={GRID}>
            <form.Number name={`exceptions.${place}.from`} label="From" unit={unit} min={0} />
            <form.Number name={`exceptions.${place}.to`} label="To" unit={unit} min={0} placeholder="Any amount" />
            <form.Number name={`exceptions.${place}.percent`} label="Percentage" unit="%" min={0} decimals={2} />
            <form.Number name={`exceptions.${place}.flat`} label="Flat" unit={unit} min={0} decimals={2} />
            <form.Number
              name={`exceptions.${place}.waivedBelow`}
              label="Flat waived below"
              unit={unit}
              min={0}
              placeholder="Never"
            />
            <form.Number name={`exceptions.${place}.cap`} label="Cap" unit={unit} min={0} decimals={2} placeholder="None" />
            <form.Number name={`exceptions.${place}.vat`} label="VAT on the fee" unit="%" min={0} decimals={2} />
          </div>
          <p>
            <Button onClick={() => change(exceptions.filter((each) => each !== exception))}>Remove exception {place + 1}</Button>
          </p>
        </fieldset>
      ))}
      <p>
        <Button onClick={() => change([...exceptions, NEW_EXCEPTION])}>Add an exception</Button>
      </p>
      <form.Number
        name="tolerance"
        label="Tolerance"
        unit={unit}
        min={0}
        decimals={6}
        description="Fees that differ by no more than this are as agreed."
      />
      <form.Text name="note" label="Note" description="Such as the number of the agreement" />
    </FormDialog>
  );
}

/** Terms as typed: per cent and main units; empty for none. */
interface TermsDraft {
  readonly percent: string;
  readonly flat: string;
  readonly waivedBelow: string;
  readonly cap: string;
  readonly vat: string;
}

/** Terms of some payments as typed. */
interface ExceptionDraft extends TermsDraft {
  readonly methods: readonly string[];
  readonly origin: 'any' | 'local' | 'international';
  readonly from: string;
  readonly to: string;
}

/** A contract as typed. */
interface ContractDraft extends TermsDraft {
  readonly dutyAmount: string;
  readonly dutyFrom: string;
  readonly exceptions: readonly ExceptionDraft[];
  readonly appliesFrom: string;
  readonly tolerance: string;
  readonly note: string;
}

type Schedule = NonNullable<Contract['schedule']>;
type Terms = Omit<Schedule, 'exceptions' | 'stampDuty'>;

/** Terms of nothing, to begin with. */
const NO_TERMS: TermsDraft = { percent: '0', flat: '0', waivedBelow: '', cap: '', vat: '0' };

/** An exception to fill in. */
const NEW_EXCEPTION: ExceptionDraft = { ...NO_TERMS, methods: [], origin: 'any', from: '0', to: '' };

/** The contract to enter next, from what applies. */
function draftOf(schedule: Schedule | null, tolerance: string, appliesFrom: string): ContractDraft {
  const duty = schedule?.stampDuty;
  return {
    ...(schedule === null ? NO_TERMS : termsDraft(schedule)),
    dutyAmount: duty === undefined ? '' : String(duty.amount),
    dutyFrom: duty === undefined ? '' : String(duty.from),
    exceptions: (schedule?.exceptions ?? []).map(
      (exception): ExceptionDraft => ({
        ...termsDraft(exception),
        methods: exception.methods,
        origin: exception.origin ?? 'any',
        from: String(exception.amount.from),
        to: exception.amount.to === null ? '' : String(exception.amount.to),
      }),
    ),
    appliesFrom,
    tolerance,
    note: '',
  };
}

function termsDraft(terms: Terms): TermsDraft {
  return {
    percent: String(terms.percentBasisPoints / 100),
    flat: String(terms.flat),
    waivedBelow: terms.flatWaivedBelow === null ? '' : String(terms.flatWaivedBelow),
    cap: terms.cap === null ? '' : String(terms.cap),
    vat: String(terms.vatBasisPoints / 100),
  };
}

/** Reads a typed contract into what the server takes; the server has the last word. */
const contractSchema = z.pipe(
  z.custom<ContractDraft>(),
  z.transform((draft: ContractDraft, context) => {
    const amount = (path: (string | number)[], text: string): number => {
      const value = Number(text.trim().replaceAll(',', ''));
      const isAmount = text.trim() !== '' && Number.isFinite(value) && value >= 0;
      if (!isAmount) context.issues.push({ code: 'custom', path, message: 'must be an amount', input: text });
      return value;
    };
    const amountOrNone = (path: (string | number)[], text: string) => (text.trim() === '' ? null : amount(path, text));
    const percent = (path: (string | number)[], text: string): number => {
      const value = Number(text.trim().replace(',', '.'));
      const isPercent = text.trim() !== '' && value >= 0 && value <= 100;
      if (!isPercent) context.issues.push({ code: 'custom', path, message: 'must lie between 0 and 100', input: text });
      return Math.round(value * 100);
    };
    const terms = (path: (string | number)[], { percent: share, flat, waivedBelow, cap, vat }: TermsDraft): Terms => ({
      percentBasisPoints: percent([...path, 'percent'], share),
      flat: amount([...path, 'flat'], flat),
      flatWaivedBelow: amountOrNone([...path, 'waivedBelow'], waivedBelow),
      cap: amountOrNone([...path, 'cap'], cap),
      vatBasisPoints: percent([...path, 'vat'], vat),
    });
    const duty = amountOrNone(['dutyAmount'], draft.dutyAmount);
    const exceptions = draft.exceptions.map((exception, place) => ({
      ...terms(['exceptions', place], exception),
      methods: [...exception.methods],
      origin: exception.origin === 'any' ? null : exception.origin,
      amount: {
        from: amount(['exceptions', place, 'from'], exception.from),
        to: amountOrNone(['exceptions', place, 'to'], exception.to),
      },
    }));
    if (!/^\d{4}-\d{2}-\d{2}$/.test(draft.appliesFrom)) {
      context.issues.push({ code: 'custom', path: ['appliesFrom'], message: 'must be a day', input: draft });
    }
    return {
      schedule: {
        ...terms([], draft),
        ...(duty !== null && { stampDuty: { amount: duty, from: amountOrNone(['dutyFrom'], draft.dutyFrom) ?? 0 } }),
        ...(exceptions.length > 0 && { exceptions }),
      },
      appliesFrom: draft.appliesFrom,
      tolerance: draft.tolerance.trim(),
      note: draft.note.trim() === '' ? null : draft.note.trim(),
    };
  }),
);

/** The server's names of what is entered in these fields. */
function enteredField(field: string): string {
  const name = field
    .replace(/^schedule\./, '')
    .replace(/\.?percentBasisPoints$/, (at) => at.replace('percentBasisPoints', 'percent'));
  return name
    .replace('vatBasisPoints', 'vat')
    .replace('flatWaivedBelow', 'waivedBelow')
    .replace('stampDuty.amount', 'dutyAmount')
    .replace('stampDuty.from', 'dutyFrom')
    .replace(/\.amount\.(from|to)$/, '.$1');
}
