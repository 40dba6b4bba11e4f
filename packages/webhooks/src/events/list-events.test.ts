import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { webhooksOf } from '../testing/webhooks.ts';
import { type EventsQuery, findSeenEvent, listEvents, watchEvents } from './list-events.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);

let context: TestContext;
let merchantId: string;
let otherId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
  otherId = await testMerchant(context);
});

/** Records an event of a payment at a moment; ids follow the order of the calls. */
function announce(
  seconds: number,
  position: number,
  more: { by?: string; mode?: 'live'; paymentId?: string; type?: 'payment.failed' } = {},
) {
  const { by = merchantId, mode = 'test', paymentId = context.newId(), type = 'payment.succeeded' } = more;
  context.setClock(at(seconds));
  return webhooksOf(context, by, mode).announce(paymentId, position, type);
}

async function list(query: Partial<EventsQuery> = {}) {
  const any = { types: [], paymentId: null, createdFrom: null, createdTo: null, after: null, limit: 10 } as const;
  const { bodies, next } = await listEvents(context.database, { merchantId, mode: 'test', ...any, ...query });
  return { ids: bodies.map((body): unknown => JSON.parse(body).id), next };
}

/** The first events that a stream shows which begins at a moment, or after an event. */
async function watch(from: Date, afterId: string | null = null) {
  const ending = new AbortController();
  const after = afterId === null ? null : await findSeenEvent(context.database, { merchantId, mode: 'test', id: afterId });
  for await (const events of watchEvents(context.database, { merchantId, mode: 'test', after }, from, ending.signal)) {
    ending.abort();
    return events.map(({ id }) => id);
  }
  return [];
}

test('events are listed newest first by when they were recorded, whatever their ids, page after page', async () => {
  const late = await announce(20, 1);
  const early = await announce(10, 1);
  const middle = await announce(15, 1);
  expect((await list()).ids).toEqual([late, middle, early]);
  const ids: unknown[] = [];
  let after: EventsQuery['after'] = null;
  do {
    const page = await list({ after, limit: 1 });
    ids.push(...page.ids);
    after = page.next;
  } while (after !== null);
  expect(ids).toEqual([late, middle, early]);
});

test('events are those of one merchant and mode, and of the types and the time that the query names', async () => {
  const own = await announce(10, 1);
  const failed = await announce(11, 1, { type: 'payment.failed' });
  await announce(10, 1, { by: otherId });
  const live = await announce(10, 1, { mode: 'live' });
  expect((await list()).ids).toEqual([failed, own]);
  expect((await list({ mode: 'live' })).ids).toEqual([live]);
  expect((await list({ types: ['payment.failed'] })).ids).toEqual([failed]);
  expect((await list({ createdFrom: at(11) })).ids).toEqual([failed]);
  expect((await list({ createdTo: at(11) })).ids).toEqual([own]);
  expect(await watch(at(0))).toEqual([own, failed]);
  expect(await findSeenEvent(context.database, { merchantId, mode: 'test', id: live })).toBeNull();
});

test('events are streamed as they were recorded, those of one millisecond by their positions', async () => {
  const paymentId = context.newId();
  const last = await announce(20, 3, { paymentId });
  const second = await announce(20, 2, { paymentId });
  const first = await announce(15, 1, { paymentId });
  expect(await watch(at(0))).toEqual([first, second, last]);
  expect(await watch(at(16))).toEqual([second, last]);
  expect(await watch(at(0), second)).toEqual([first, last]);
});
