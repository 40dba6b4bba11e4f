import * as z from 'zod/mini';
import type { Account, Fees, Kind } from '../copy.ts';

/** The state of an account's form: text as typed, valid or not. */
export interface AccountDraft {
  readonly label: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly currencies: readonly string[];
  readonly methods: Kind['methods'];
  readonly minAmount: string;
  readonly maxAmount: string;
  /** Of a new account's first contract; null where fees are not known. */
  readonly fees: FeesDraft | null;
  readonly baseUrl: string;
}

/** A fee schedule as typed: per cent and main units; empty for none. */
export interface FeesDraft {
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
export function draftFees(fees: Fees): FeesDraft {
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
export type Problems = ReadonlyMap<string, string>;

/** The numbers of a valid form. Amounts in whole main units; `maxAmount` null for no limit. */
export interface ReadDraft {
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
