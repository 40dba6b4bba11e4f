import { createRequire } from 'node:module';
import type { Paystack } from '@paystack/paystack-sdk';
import openPaystack from 'paystack';
import openPaystackApi from 'paystack-api';
import PaystackNode from 'paystack-node';
import PaystackSdkClient from 'paystack-sdk';
import { z } from 'zod';

/** One of the packages, as a merchant's code uses it. */
export interface PaystackSdk {
  initialize(fields: object): Promise<unknown>;
  verify(reference: string): Promise<unknown>;
  fetch(id: number): Promise<unknown>;
  list(query: { readonly perPage: number; readonly page: number; readonly from?: Date }): Promise<unknown>;
  totals(): Promise<unknown>;
  /** Null in the package that has none. */
  readonly refunds: {
    create(fields: object): Promise<unknown>;
    fetch(id: number): Promise<unknown>;
    /** Refunds of one transaction, where the package has that, else of all. */
    list(reference: string): Promise<unknown>;
  } | null;
}

/** Opens a package with a key and the base address of Switchyard's answers in Paystack's form. */
export type OpenSdk = (key: string, base: string) => PaystackSdk;

/** Errors of the packages carry the answer; a caller here gets it as it would a success. */
async function answerOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    const refusal = z
      .object({ error: z.looseObject({}) })
      .or(z.object({ body: z.looseObject({}) }))
      .safeParse(error);
    if (refusal.success) return 'error' in refusal.data ? refusal.data.error : refusal.data.body;
    return { status: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** `paystack-api`: its documented `endpoint` is changed. */
const paystackApi: OpenSdk = (key, base) => {
  const sdk = openPaystackApi(key);
  sdk.endpoint = base;
  return {
    initialize: (fields) => answerOf(sdk.transaction.initialize(fields)),
    verify: (reference) => answerOf(sdk.transaction.verify({ reference })),
    fetch: (id) => answerOf(sdk.transaction.get({ id })),
    list: (query) => answerOf(sdk.transaction.list({ ...query, from: query.from?.toISOString() })),
    totals: () => answerOf(sdk.transaction.totals()),
    refunds: {
      create: (fields) => answerOf(sdk.refund.create(fields)),
      fetch: (id) => answerOf(sdk.refund.get({ trans_id: id })),
      list: (reference) => answerOf(sdk.refund.list({ reference })),
    },
  };
};

/** `paystack-node`: `mergeNewOptions` changes the base address; metadata is text, as the package wants it. */
const paystackNode: OpenSdk = (key, base) => {
  const sdk = new PaystackNode(key, 'production');
  sdk.mergeNewOptions({ baseUrl: base });
  const textual = (fields: object) =>
    'metadata' in fields ? { ...fields, metadata: JSON.stringify(fields.metadata) } : { ...fields };
  const bodyOf = async (call: Promise<{ readonly body: unknown }>) => answerOf(call.then(({ body }) => body));
  return {
    initialize: (fields) => bodyOf(sdk.initializeTransaction(textual(fields))),
    verify: (reference) => bodyOf(sdk.verifyTransaction({ reference })),
    fetch: (id) => bodyOf(sdk.getTransaction({ id: String(id) })),
    list: (query) => bodyOf(sdk.listTransaction(query)),
    totals: () => bodyOf(sdk.transactionTotals({ from: new Date('2020-01-01') })),
    refunds: {
      create: (fields) => bodyOf(sdk.createRefund(fields)),
      fetch: (id) => bodyOf(sdk.getRefund({ reference: String(id) })),
      list: (reference) => bodyOf(sdk.listRefund({ reference })),
    },
  };
};

/** `paystack`: its address is a constant, which the file of docs/migrating.md changes. It has no refunds. */
const paystack: OpenSdk = (key) => {
  const sdk = openPaystack(key);
  return {
    initialize: (fields) => answerOf(sdk.transaction.initialize(fields)),
    verify: (reference) => answerOf(sdk.transaction.verify(reference)),
    fetch: (id) => answerOf(sdk.transaction.get(id)),
    list: (query) => answerOf(sdk.transaction.list({ ...query, from: query.from?.toISOString() })),
    totals: () => answerOf(sdk.transaction.totals()),
    refunds: null,
  };
};

/** `paystack-sdk`: its address is a constant of calls to `fetch`, which the file of docs/migrating.md changes. */
const paystackSdk: OpenSdk = (key) => {
  const sdk = new PaystackSdkClient(key);
  return {
    initialize: (fields) => answerOf(sdk.transaction.initialize(fields)),
    verify: (reference) => answerOf(sdk.transaction.verify(reference)),
    fetch: (id) => answerOf(sdk.transaction.fetch(String(id))),
    list: (query) => answerOf(sdk.transaction.list(query)),
    totals: () => answerOf(sdk.transaction.total({})),
    refunds: {
      create: (fields) => answerOf(sdk.refund.create(fields)),
      fetch: (id) => answerOf(sdk.refund.fetch(String(id))),
      list: (reference) => answerOf(sdk.refund.list({ reference })),
    },
  };
};

/** Part of it that the tests use: the package declares its resources by no type. */
interface OfficialSdk extends Paystack {
  readonly transaction: {
    initialize(fields: object): Promise<unknown>;
    verify(fields: { readonly reference: string }): Promise<unknown>;
    fetch(fields: { readonly id: number }): Promise<unknown>;
    list(query: object): Promise<unknown>;
    totals(query: object): Promise<unknown>;
  };
  readonly refund: {
    create(fields: object): Promise<unknown>;
    fetch(fields: { readonly id: string }): Promise<unknown>;
    list(query: object): Promise<unknown>;
  };
}

/** `@paystack/paystack-sdk`: it copies `https` when it is loaded, and so it is loaded once the address is changed. */
const officialSdk: OpenSdk = (key) => {
  const official: { readonly Paystack: new (key: string) => OfficialSdk } = createRequire(import.meta.url)(
    '@paystack/paystack-sdk',
  );
  const sdk = new official.Paystack(key);
  return {
    initialize: (fields) => answerOf(sdk.transaction.initialize(fields)),
    verify: (reference) => answerOf(sdk.transaction.verify({ reference })),
    fetch: (id) => answerOf(sdk.transaction.fetch({ id })),
    list: (query) => answerOf(sdk.transaction.list(query)),
    totals: () => answerOf(sdk.transaction.totals({})),
    refunds: {
      create: (fields) => answerOf(sdk.refund.create(fields)),
      fetch: (id) => answerOf(sdk.refund.fetch({ id: String(id) })),
      list: () => answerOf(sdk.refund.list({ perPage: 50, page: 1 })),
    },
  };
};

/** The packages by their names. */
export const PAYSTACK_SDKS: Readonly<Record<string, OpenSdk>> = {
  paystack,
  'paystack-api': paystackApi,
  'paystack-node': paystackNode,
  'paystack-sdk': paystackSdk,
  '@paystack/paystack-sdk': officialSdk,
};
