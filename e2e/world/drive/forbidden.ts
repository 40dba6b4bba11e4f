import { isGatewayName, simulators } from '@switchyard/sandbox';
import { z } from 'zod';
import type { ForbiddenKind, ForbiddenRequest } from '../checker/observations.ts';
import { drawsFor } from '../plan/rng.ts';
import type { DrivenMerchant } from '../servers/create-merchants.ts';
import type { HttpReply, Send } from '../servers/open-world.ts';
import type { Host } from './inject-faults.ts';
import type { Order } from './merchant.ts';

const KINDS: readonly [ForbiddenKind, number][] = [
  ['refund_of_too_much', 4],
  ['refund_of_nothing', 1],
  ['unknown_key', 1],
  ['no_key', 1],
  ['foreign_payment', 2],
  ['refund_of_foreign_payment', 2],
  ['refund_without_scope', 2],
  ['initiate_without_scope', 1],
  ['forged_webhook', 4],
];
const ANSWER_MAX = 200;
const NO_SIGNATURE = '00'.repeat(64);

const attemptSchema = z.object({ gateway: z.string(), account_id: z.string(), reference: z.string() });

/** Where requests go, and who sends them. */
interface ForbiddenEnvironment {
  readonly seed: number;
  readonly send: Send;
  readonly host: Pick<Host, 'rows'>;
  readonly merchants: readonly DrivenMerchant[];
}

/** Sends a request about a payment that must not be granted; which is drawn from the seed. */
export async function tryForbidden(
  { seed, send, host, merchants }: ForbiddenEnvironment,
  { plan, merchant }: Order,
  paymentId: string,
): Promise<ForbiddenRequest> {
  const draws = drawsFor(seed, `forbidden for ${plan.merchantOrderId}`);
  const kind = draws.weighted(KINDS);
  const [other = merchant] = draws.shuffled(merchants.filter(({ merchantId }) => merchantId !== merchant.merchantId));
  const path = `/v1/payments/${paymentId}`;
  const get = (key: string | null) => send(path, { method: 'GET', headers: withKey(key) });
  const refund = (key: string, amount: number) => post(`${path}/refunds`, key, { amount });
  const post = (to: string, key: string, body: object) =>
    send(to, {
      method: 'POST',
      headers: { ...withKey(key), 'content-type': 'application/json', 'idempotency-key': `forbidden-${plan.merchantOrderId}` },
      body: JSON.stringify(body),
    });
  const request = async (): Promise<HttpReply | null> => {
    switch (kind) {
      case 'refund_of_too_much':
        return refund(merchant.key, plan.amount + draws.between(1, 100));
      case 'refund_of_nothing':
        return refund(merchant.key, draws.pick([0, -1, -plan.amount]));
      case 'unknown_key':
        return get(alter(merchant.key));
      case 'no_key':
        return get(null);
      case 'foreign_payment':
        return draws.chance(0.5) ? get(other.key) : post(`${path}/verify`, other.key, {});
      case 'refund_of_foreign_payment':
        return refund(other.key, 1);
      case 'refund_without_scope':
        return refund(merchant.readingKey, 1);
      case 'initiate_without_scope':
        return post('/v1/payments/initiate', merchant.readingKey, orderOf(plan.merchantOrderId));
      case 'forged_webhook':
        return forgeWebhook(send, host, paymentId);
      default:
        return kind satisfies never;
    }
  };
  const at = Date.now();
  const reply = await request();
  return { kind, paymentId, at, httpStatus: reply?.status ?? null, answer: reply?.text.slice(0, ANSWER_MAX) ?? '' };
}

function withKey(key: string | null): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** The same key but for its last character. */
function alter(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
}

function orderOf(merchantOrderId: string): object {
  const customer = { email: 'refused@example.com' };
  return { merchantOrderId: `${merchantOrderId}-forbidden`, amount: 1_000, currency: 'NGN', customer };
}

/** Reports the payment as paid in the name of a gateway, in the shapes of all of them, with signatures that do not fit. */
async function forgeWebhook(send: Send, host: Pick<Host, 'rows'>, paymentId: string): Promise<HttpReply | null> {
  const rows = await host.rows(
    `SELECT gateway, account_id, reference FROM attempt WHERE payment_id = '${paymentId}' ORDER BY position LIMIT 1`,
  );
  const [row] = rows.map((each) => attemptSchema.parse(each));
  if (row === undefined || !isGatewayName(row.gateway)) return null;
  const { gateway, account_id: accountId, reference } = row;
  const signatures = simulators[gateway].signatures.map(({ header }) => [header, NO_SIGNATURE]);
  const paid = { status: 'successful', reference, tx_ref: reference, paymentReference: reference, transaction_ref: reference };
  const body = { event: 'charge.success', eventType: 'SUCCESSFUL_TRANSACTION', Event: 'charge_successful', data: paid };
  return send(`/webhooks/${gateway}/${accountId}`, {
    method: 'POST',
    headers: { ...Object.fromEntries(signatures), 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, eventData: paid, TransactionRef: reference, Body: paid }),
  });
}
