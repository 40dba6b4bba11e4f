import { createServer } from 'node:http';
import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { z } from 'zod';
import type { TestPayments } from './context.ts';

/** Answer of the stub about every transaction. `status` is Paystack's word; it does not document `quarantined`. */
export interface StubTransaction {
  readonly status: 'success' | 'failed' | 'abandoned' | 'reversed' | 'quarantined';
  /** In kobo. */
  readonly amount?: number;
  readonly paidAt?: Date;
  /** The merchant's reference, where it is not what was looked up. */
  readonly reference?: string;
}

export interface GatewayStub {
  readonly baseUrl: string;
  /** The references of the look-ups it received, in order. */
  readonly lookups: string[];
  /** The calls that are open. */
  readonly openNow: () => number;
  /** The most calls that were open at once. */
  readonly openMax: () => number;
  /** Answers nothing until the returned function is called. */
  hold(): () => void;
  /** Answers from now on; `down` answers 500. Clears the list of earlier lookups. */
  answer(transaction: StubTransaction | 'down'): void;
  close(): void;
}

/** How long each answer takes: long enough for others to begin meanwhile. */
const ANSWER_MS = 20;

/** Starts a gateway that answers Paystack's call for a transaction, over HTTP. */
export async function startGatewayStub(): Promise<GatewayStub> {
  const lookups: string[] = [];
  let open = 0;
  let openMax = 0;
  let current: StubTransaction | 'down' = { status: 'abandoned' };
  let held = Promise.resolve();
  const server = createServer((request, response) => {
    const reference = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    lookups.push(reference);
    open += 1;
    openMax = Math.max(openMax, open);
    const answered = current;
    const end = (): void => {
      open -= 1;
      response.writeHead(answered === 'down' ? 500 : 200, { 'content-type': 'application/json' });
      response.end(answered === 'down' ? '{}' : transactionAnswer(reference, answered));
    };
    void held.then(() => setTimeout(end, ANSWER_MS));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`,
    lookups,
    openNow: () => open,
    openMax: () => openMax,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    answer(transaction) {
      current = transaction;
      lookups.length = 0;
      openMax = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function transactionAnswer(asked: string, { status, amount = 250_000, paidAt, reference = asked }: StubTransaction): string {
  const data = { id: 302_961, reference, amount, currency: 'NGN', domain: 'test', channel: 'card', fees: 0, status };
  return JSON.stringify({
    status: true,
    message: 'Verification successful',
    data: { ...data, paid_at: paidAt?.toISOString() ?? null },
  });
}

/** A new merchant whose Paystack account is at the stub. */
export async function createStubbedMerchant(
  context: TestPayments,
  stub: Pick<GatewayStub, 'baseUrl'>,
): Promise<{ readonly merchantId: string; readonly accountId: string }> {
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-main': {} });
  const accountId = accounts['paystack-main'] ?? '';
  await context.database.prisma.gatewayAccount.update({
    where: { merchantId_id: { merchantId, id: accountId } },
    data: { baseUrl: stub.baseUrl },
  });
  await reloadConfiguration(context, merchantId);
  return { merchantId, accountId };
}
