import * as z from 'zod/mini';
import type { Contract } from '#/copy/fees.ts';

/** Terms as typed: per cent and main units; empty for none. */
export interface TermsDraft {
  readonly percent: string;
  readonly flat: string;
  readonly waivedBelow: string;
  readonly cap: string;
  readonly vat: string;
}

/** Terms of some payments as typed. */
export interface ExceptionDraft extends TermsDraft {
  readonly methods: readonly string[];
  readonly origin: 'any' | 'local' | 'international';
  readonly from: string;
  readonly to: string;
}

/** A contract as typed. */
export interface ContractDraft extends TermsDraft {
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
export const NO_TERMS: TermsDraft = { percent: '0', flat: '0', waivedBelow: '', cap: '', vat: '0' };

/** An exception to fill in. */
export const NEW_EXCEPTION: ExceptionDraft = { ...NO_TERMS, methods: [], origin: 'any', from: '0', to: '' };

/** The contract to enter next, from what applies. */
export function draftOf(schedule: Schedule | null, tolerance: string, appliesFrom: string): ContractDraft {
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
export const contractSchema = z.pipe(
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
export function enteredField(field: string): string {
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
