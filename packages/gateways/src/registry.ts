import { channel } from 'node:diagnostics_channel';
import { flutterwave } from './flutterwave/flutterwave.ts';
import type { FailureCode, Gateway, Outcome } from './gateway.ts';
import { interswitch } from './interswitch/interswitch.ts';
import { kora } from './kora/kora.ts';
import { monnify } from './monnify/monnify.ts';
import { nomba } from './nomba/nomba.ts';
import { paystack } from './paystack/paystack.ts';
import { squad } from './squad/squad.ts';

export const gatewayOperations = [
  'open',
  'verify',
  'refund',
  'find_refund',
  'find_reference',
  'find_dispute',
  'list_disputes',
  'upload_evidence',
  'answer_dispute',
  'list_payments',
  'list_refunds',
  'list_settlements',
  'list_settlement_lines',
] as const;

/** A finished operation at a gateway, with all of its HTTP calls: a log-in that comes first is part of it. */
export interface GatewayOperation {
  readonly gateway: string;
  readonly operation: (typeof gatewayOperations)[number];
  readonly outcome: Outcome<unknown>['outcome'];
  /** Why it was not `yes`. */
  readonly reason: FailureCode | null;
  readonly seconds: number;
}

const OPERATIONS = channel('switchyard:gateway-operation');

/** Calls `observe` at the end of each operation of any gateway in this process; the returned function ends that. */
export function observeGatewayOperations(observe: (operation: GatewayOperation) => void): () => void {
  const listener = (message: unknown) => observe(message as GatewayOperation);
  OPERATIONS.subscribe(listener);
  return () => OPERATIONS.unsubscribe(listener);
}

let underWay = 0;

/** Operations at gateways that this process waits for now. */
export function countOperationsUnderWay(): number {
  return underWay;
}

/** The gateway, with its operations counted, and published for {@link observeGatewayOperations}. */
export function observable(gateway: Gateway): Gateway {
  async function timed<T>(operation: GatewayOperation['operation'], run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const startedAt = performance.now();
    underWay += 1;
    const result = await run().finally(() => {
      underWay -= 1;
    });
    if (!OPERATIONS.hasSubscribers) return result;
    const reason = result.outcome === 'yes' ? null : result.failure.code;
    const seconds = (performance.now() - startedAt) / 1_000;
    OPERATIONS.publish({ gateway: gateway.name, operation, outcome: result.outcome, reason, seconds } satisfies GatewayOperation);
    return result;
  }
  const { findReference, findDispute, listDisputes, uploadEvidence, answerDispute, listSettlements, listSettlementLines } =
    gateway;
  return {
    ...gateway,
    open: (account, order, options) => timed('open', () => gateway.open(account, order, options)),
    verify: (account, query, options) => timed('verify', () => gateway.verify(account, query, options)),
    refund: (account, order, options) => timed('refund', () => gateway.refund(account, order, options)),
    findRefund: (account, query, options) => timed('find_refund', () => gateway.findRefund(account, query, options)),
    ...(findReference !== undefined && {
      findReference: (account, query, options) => timed('find_reference', () => findReference(account, query, options)),
    }),
    ...(findDispute !== undefined && {
      findDispute: (account, query, options) => timed('find_dispute', () => findDispute(account, query, options)),
    }),
    ...(listDisputes !== undefined && {
      listDisputes: (account, query, options) => timed('list_disputes', () => listDisputes(account, query, options)),
    }),
    ...(uploadEvidence !== undefined && {
      uploadEvidence: (account, file, options) => timed('upload_evidence', () => uploadEvidence(account, file, options)),
    }),
    ...(answerDispute !== undefined && {
      answerDispute: (account, answer, options) => timed('answer_dispute', () => answerDispute(account, answer, options)),
    }),
    listPayments: (account, query, options) => timed('list_payments', () => gateway.listPayments(account, query, options)),
    listRefunds: (account, query, options) => timed('list_refunds', () => gateway.listRefunds(account, query, options)),
    ...(listSettlements !== undefined && {
      listSettlements: (account, query, options) => timed('list_settlements', () => listSettlements(account, query, options)),
    }),
    ...(listSettlementLines !== undefined && {
      listSettlementLines: (account, query, options) =>
        timed('list_settlement_lines', () => listSettlementLines(account, query, options)),
    }),
  };
}

/** Every connector, under the name of its gateway. A new one takes its folder and a line here. */
const connectors = { paystack, flutterwave, monnify, squad, kora, interswitch, nomba } satisfies Readonly<
  Record<string, Gateway>
>;

/** The name of a supported gateway, as merchants write it. */
export type GatewayName = keyof typeof connectors;

/** In the order in which they are listed. */
export const gatewayNames = Object.keys(connectors) as [GatewayName, ...GatewayName[]];

/** Every supported gateway, in the order of their names. */
export const gateways: readonly Gateway[] = Object.values(connectors).map(observable);

/** The gateway of that name, or null. Names are case-sensitive. */
export function findGateway(name: string): Gateway | null {
  return gateways.find((gateway) => gateway.name === name) ?? null;
}

/** A gateway's display name; the given name when there is no such gateway. */
export function gatewayTitle(name: string): string {
  return findGateway(name)?.title ?? name;
}

/** True if a gateway's table of error codes has the code. */
export function isKnownErrorCode(gateway: string, code: string): boolean {
  return findGateway(gateway)?.errorCodes.some((one) => one.code === code) === true;
}

/** The file that has a gateway's error codes: a change of what one means is a change of it. */
export function errorCodesFile(gateway: string): string {
  return `packages/gateways/src/${gateway}/error-codes.ts`;
}

/** Credentials as a gateway's own schema parsed them, or their problems. */
export type ParsedCredentials =
  | { readonly ok: true; readonly credentials: Readonly<Record<string, string>> }
  /** Each names a field of the credentials and the rule it breaks, never the value. */
  | { readonly ok: false; readonly problems: readonly { readonly field: string; readonly message: string }[] };

/** Checks the submitted configuration of a gateway account. Unknown fields are dropped. */
export function parseCredentials(gateway: Gateway, input: unknown): ParsedCredentials {
  const parsed = gateway.credentials.safeParse(input);
  if (parsed.success) return { ok: true, credentials: parsed.data };
  return {
    ok: false,
    problems: parsed.error.issues.map(({ path, message }) => ({ field: path.join('.') || 'credentials', message })),
  };
}
