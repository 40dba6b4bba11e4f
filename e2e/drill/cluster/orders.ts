import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { GATEWAYS, type GatewayName } from '../../harness/gateways.ts';
import type { TestMerchant } from '../../harness/merchants.ts';
import { order } from '../../harness/orders.ts';
import type { SandboxControl } from '../../harness/sandbox-control.ts';
import { repeat } from '../traffic.ts';

/** One request of a merchant to initiate a payment. */
export interface Try {
  /** When it was sent, on the clock of the drill. */
  readonly atMs: number;
  readonly waitedMs: number;
  /** Null when there was no answer. */
  readonly httpStatus: number | null;
}

/** An order, for which a merchant initiates a payment until there is one, and which its customer then pays. */
export interface DrivenOrder {
  readonly merchantId: string;
  readonly merchantOrderId: string;
  readonly tries: Try[];
  paymentId: string | null;
  /** True once the customer has paid at the gateway. */
  paid: boolean;
}

export interface OrdersPlan {
  readonly webUrl: string;
  readonly control: SandboxControl;
  /** They take turns. */
  readonly merchants: readonly TestMerchant[];
  readonly perSecond: number;
  /** Milliseconds on the clock of the drill. */
  readonly clock: () => number;
}

export interface Orders {
  readonly all: readonly DrivenOrder[];
  /** Begins no more orders, and waits until those that were begun are paid or given up. */
  stop(): Promise<void>;
}

const ANSWER_LIMIT_MS = 30_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
const GIVE_UP_MS = 180_000;

const answerSchema = z.object({
  data: z.object({
    paymentId: z.string(),
    recommendedGateway: z.object({ name: z.enum(GATEWAYS), session: z.object({ reference: z.string() }) }),
  }),
});

/** Begins orders at a constant rate, however long their payments take, until it is stopped. */
export function startOrders(plan: OrdersPlan): Orders {
  const all: DrivenOrder[] = [];
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const begin = (): void => {
    const merchant = plan.merchants[all.length % plan.merchants.length];
    if (merchant === undefined) throw new Error('there are no merchants');
    const body = order();
    const { merchantId } = merchant;
    const begun: DrivenOrder = {
      merchantId,
      merchantOrderId: String(body.merchantOrderId),
      tries: [],
      paymentId: null,
      paid: false,
    };
    all.push(begun);
    const driven = drive(plan, merchant.testKey, body, begun).finally(() => void underWay.delete(driven));
    underWay.add(driven);
  };
  const beginning = repeat(1_000 / plan.perSecond, stopping.signal, begin);
  return {
    all,
    async stop() {
      stopping.abort();
      await beginning;
      await Promise.all(underWay);
    },
  };
}

/** Initiates as a careful merchant does, again with the same key until there is a payment, and pays it. Never rejects. */
async function drive(plan: OrdersPlan, key: string, body: object, begun: DrivenOrder): Promise<void> {
  const idempotencyKey = randomUUID();
  const deadline = plan.clock() + GIVE_UP_MS;
  for (let wait = FIRST_WAIT_MS; plan.clock() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const checkout = await initiate(plan, key, idempotencyKey, body, begun);
    if (checkout !== null) {
      begun.paid = await pay(plan.control, checkout);
      return;
    }
    await pause(wait);
  }
}

interface Checkout {
  readonly gateway: GatewayName;
  readonly reference: string;
}

async function initiate(
  { webUrl, clock }: OrdersPlan,
  key: string,
  idempotencyKey: string,
  body: object,
  begun: DrivenOrder,
): Promise<Checkout | null> {
  const atMs = clock();
  let httpStatus: number | null = null;
  let answer: unknown = null;
  try {
    const response = await fetch(`${webUrl}/v1/payments/initiate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    answer = await response.json();
    httpStatus = response.status;
  } catch {
    // no answer
  }
  begun.tries.push({ atMs, waitedMs: clock() - atMs, httpStatus });
  if (httpStatus !== 200) return null;
  const { paymentId, recommendedGateway } = answerSchema.parse(answer).data;
  begun.paymentId = paymentId;
  return { gateway: recommendedGateway.name, reference: recommendedGateway.session.reference };
}

async function pay(control: SandboxControl, { gateway, reference }: Checkout): Promise<boolean> {
  return control('POST', `${gateway}/transactions/${reference}/settle`, { outcome: 'success' }).then(
    () => true,
    () => false,
  );
}
