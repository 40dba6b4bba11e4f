import https from 'node:https';
import { createRequire } from 'node:module';
import type { Paystack } from '@paystack/paystack-sdk';
import openPaystackApi from 'paystack-api';
import PaystackNode from 'paystack-node';
import { z } from 'zod';
import { redirectHost } from './redirect-host.ts';

/** One of the packages, as a merchant's code uses it. */
export interface PaystackSdk {
  initialize(fields: object): Promise<unknown>;
  verify(reference: string): Promise<unknown>;
  refund(fields: object): Promise<unknown>;
}

/** Opens a package with a key and the base address of Switchyard's answers in Paystack's form. */
export type OpenSdk = (key: string, base: string) => PaystackSdk;

/** Errors of the packages carry the answer; a caller here gets it as it would a success. */
async function answerOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    const refusal = z.object({ error: z.unknown() }).safeParse(error);
    if (refusal.success && typeof refusal.data.error === 'object') return refusal.data.error;
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
    refund: (fields) => answerOf(sdk.refund.create(fields)),
  };
};

/** `paystack-node`: `mergeNewOptions` changes the base address; metadata is text, as the package wants it. */
const paystackNode: OpenSdk = (key, base) => {
  const sdk = new PaystackNode(key, 'production');
  sdk.mergeNewOptions({ baseUrl: base });
  const textual = (fields: object) =>
    'metadata' in fields ? { ...fields, metadata: JSON.stringify(fields.metadata) } : { ...fields };
  const bodyOf = async (call: Promise<{ readonly body: unknown }>) => (await call).body;
  return {
    initialize: (fields) => answerOf(bodyOf(sdk.initializeTransaction(textual(fields)))),
    verify: (reference) => answerOf(bodyOf(sdk.verifyTransaction({ reference }))),
    refund: (fields) => answerOf(bodyOf(sdk.createRefund(fields))),
  };
};

/** Part of it that the tests use: the package declares its resources by no type. */
interface OfficialSdk extends Paystack {
  readonly transaction: {
    initialize(fields: object): Promise<unknown>;
    verify(fields: { readonly reference: string }): Promise<unknown>;
  };
  readonly refund: { create(fields: object): Promise<unknown> };
}

/**
 * `@paystack/paystack-sdk`: its address is a constant, so that requests to that host are redirected before the package is loaded, as
 * docs/migrating.md describes. The package copies `https` when it is loaded, and so it is loaded again for each address.
 */
const paystackSdk: OpenSdk = (key, base) => {
  const request = https.request;
  redirectHost('api.paystack.co', base);
  const load = createRequire(import.meta.url);
  const file = load.resolve('@paystack/paystack-sdk');
  delete load.cache[file];
  const official: { readonly Paystack: new (key: string) => OfficialSdk } = load(file);
  https.request = request;
  const sdk = new official.Paystack(key);
  return {
    initialize: (fields) => answerOf(sdk.transaction.initialize(fields)),
    verify: (reference) => answerOf(sdk.transaction.verify({ reference })),
    refund: (fields) => answerOf(sdk.refund.create(fields)),
  };
};

/** The packages by their names. */
export const PAYSTACK_SDKS: Readonly<Record<string, OpenSdk>> = {
  'paystack-api': paystackApi,
  'paystack-node': paystackNode,
  '@paystack/paystack-sdk': paystackSdk,
};
