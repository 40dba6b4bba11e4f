import type { DeliveryState } from '@switchyard/db/client';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryFilter } from './delivery-noun.ts';
import { listDeliveries } from './list-deliveries.ts';

let context: TestContext;
let merchantId: string;
let endpointId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
  endpointId = context.newId();
});

type Sort = NonNullable<Parameters<typeof listDeliveries>[1]['sort']>;

async function record(second: number, attempts: number, state: DeliveryState, merchant = merchantId): Promise<void> {
  const createdAt = new Date(Date.UTC(2026, 10, 20, 12, 0, second));
  // The later it was created, the sooner it is attempted; two of them at the same time.
  const nextAttemptAt = state === 'PENDING' ? new Date(Date.UTC(2026, 10, 20, 13, 0, -Math.min(second, 5))) : null;
  await context.database.prisma.webhookDelivery.create({
    data: {
      merchantId: merchant,
      id: context.newId(),
      endpointId,
      eventId: context.newId(),
      position: 1,
      type: 'payment.succeeded',
      state,
      attempts,
      nextAttemptAt,
      dueAt: nextAttemptAt,
      settledAttempts: state === 'PENDING' || attempts === 1 ? null : attempts,
      createdAt,
      updatedAt: createdAt,
    },
  });
}

function filter(more: Partial<DeliveryFilter> = {}): DeliveryFilter {
  return { merchantIds: [merchantId], endpointId, ...more };
}

/** The deliveries of all pages, as `attempts@second`. Calls `between` after the first page. */
async function walk(sort: Sort, limit: number, more: Partial<DeliveryFilter> = {}, between?: () => Promise<void>) {
  const found: string[] = [];
  let after: Parameters<typeof listDeliveries>[1]['after'] = null;
  for (let pages = 0; pages < 50; pages += 1) {
    const { deliveries, next } = await listDeliveries(context, { ...filter(more), after, limit, sort });
    found.push(...deliveries.map(({ attempts, createdAt }) => `${attempts}@${createdAt.getUTCSeconds()}`));
    if (next === null) return found;
    after = next;
    if (pages === 0) await between?.();
  }
  throw new Error('the pages do not end');
}

/** Every state with few and many attempts, several of the same number, two of the same number and time. */
async function recordSome(): Promise<void> {
  await record(1, 1, 'DELIVERED');
  await record(2, 3, 'DELIVERED');
  await record(3, 0, 'PENDING');
  await record(4, 12, 'FAILED');
  await record(5, 1, 'PENDING');
  await record(6, 3, 'PENDING');
  await record(7, 0, 'FAILED');
  await record(8, 1, 'DELIVERED');
  await record(8, 1, 'FAILED');
  await record(9, 2, 'DELIVERED');
}

const MOST_ATTEMPTS = ['12@4', '3@6', '3@2', '2@9', '1@8', '1@8', '1@5', '1@1', '0@7', '0@3'];
const NEWEST = ['2@9', '1@8', '1@8', '0@7', '3@6', '1@5', '12@4', '0@3', '3@2', '1@1'];
/** The newest deliveries that are not attempted again. */
const NEWEST_ENDED = ['2@9', '1@8', '1@8', '0@7', '12@4', '3@2', '1@1'];

describe.each([1, 3, 10, 200])('in pages of %i, each delivery is listed once', (limit) => {
  test.each([
    [{ by: 'attempts', descending: true }, MOST_ATTEMPTS],
    [{ by: 'attempts', descending: false }, MOST_ATTEMPTS.toReversed()],
    [{ by: 'created', descending: true }, NEWEST],
    [{ by: 'created', descending: false }, NEWEST.toReversed()],
    [{ by: 'next', descending: false }, ['1@5', '3@6', '0@3', ...NEWEST_ENDED]],
    [{ by: 'next', descending: true }, ['0@3', '3@6', '1@5', ...NEWEST_ENDED]],
  ] satisfies [Sort, string[]][])('in the order %o', async (sort, expected) => {
    await recordSome();
    await record(1, 40, 'FAILED', await testMerchant(context));
    expect(await walk(sort, limit)).toEqual(expected);
  });
});

test('an order keeps the filter', async () => {
  await recordSome();
  const sort = { by: 'attempts', descending: true } as const;
  expect(await walk(sort, 1, { states: ['DELIVERED'] })).toEqual(['3@2', '2@9', '1@8', '1@1']);
  expect(await walk(sort, 1, { states: ['PENDING', 'FAILED'] })).toEqual(['12@4', '3@6', '1@8', '1@5', '0@7', '0@3']);
  expect(await walk({ by: 'next', descending: false }, 1, { states: ['PENDING'] })).toEqual(['1@5', '3@6', '0@3']);
  expect(await walk({ by: 'next', descending: false }, 1, { states: ['FAILED'] })).toEqual(['1@8', '0@7', '12@4']);
  const createdFrom = new Date(Date.UTC(2026, 10, 20, 12, 0, 8));
  expect(await walk(sort, 1, { createdFrom })).toEqual(['2@9', '1@8', '1@8']);
});

test('deliveries that are added while someone pages move no row to another page', async () => {
  await recordSome();
  const sort = { by: 'attempts', descending: true } as const;
  const added = async () => {
    await record(10, 20, 'FAILED');
    await record(11, 0, 'PENDING');
  };
  // A row that sorts before the page that was read stays unseen; one that sorts after it comes in its place.
  expect(await walk(sort, 3, {}, added)).toEqual([...MOST_ATTEMPTS.slice(0, 8), '0@11', '0@7', '0@3']);
});

test('without an order the newest come first', async () => {
  await recordSome();
  const { deliveries, next } = await listDeliveries(context, { ...filter(), after: null, limit: 2 });
  expect(deliveries.map(({ createdAt }) => createdAt.getUTCSeconds())).toEqual([9, 8]);
  expect(next).toMatchObject({ attempts: 1 });
});
