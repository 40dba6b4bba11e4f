import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedPayment, ListedRefund, Outcome } from '../gateway.ts';
import { readAllPages } from '../list-answers.ts';
import { type Bench, patient, sound } from './bench.ts';
import {
  type ListedFacts,
  type ListedRefundFacts,
  otherReference,
  query,
  reference,
  transactionId,
  transactionIdOf,
  wholeList,
  wholeRefundList,
  wireReply,
} from './script.ts';
import type { StubCall, StubReply } from './stub-server.ts';

export function describeLists(bench: Bench): void {
  describePaymentList(bench);
  if (listsRefunds(bench)) describeRefundList(bench);
  else describeMissingRefundList(bench);
  describeHostileLists(bench);
}

function listsRefunds({ gateway }: Bench): boolean {
  return gateway.capabilities.missingLookups?.includes('listRefunds') !== true;
}

const noon = '2026-11-20T11:00:00.000Z';

function listed(bench: Bench, changes: Partial<ListedFacts> = {}): ListedFacts {
  const amount = bench.script.wireAmount(100_000n);
  return { reference, id: transactionId, state: 'paid', amount, currency: 'NGN', createdAt: noon, ...changes };
}

function listedRefund(bench: Bench, changes: Partial<ListedRefundFacts> = {}): ListedRefundFacts {
  const amount = bench.script.wireAmount(40_000n);
  const own = transactionIdOf(bench.script, { reference, id: transactionId });
  return {
    id: '75923',
    transactionId: own,
    amount,
    state: 'processing',
    note: 'rf-1 Item out of stock',
    createdAt: noon,
    ...changes,
  };
}

/** The stub server's list, a few rows a page. */
function serving<Row>(
  bench: Bench,
  rows: readonly Row[],
  perPage: number,
  page: (rows: readonly Row[], facts: { page: number; pages: number }) => { status: number; json: unknown },
): (call: StubCall) => StubReply {
  return (call) => {
    const asked = bench.script.pageAskedFor(new URL(call.path, 'http://list.example').searchParams);
    const shown = rows.slice((asked - 1) * perPage, asked * perPage);
    return wireReply(page(shown, { page: asked, pages: Math.ceil(rows.length / perPage) }));
  };
}

/** `from` and `to` as times, or as days, of which the last is included. */
function periodInDates(query: URLSearchParams): { readonly from: Date; readonly to: Date } {
  const end = query.get('to') ?? '';
  const lastDayMs = /^\d{4}-\d{2}-\d{2}$/.test(end) ? 86_400_000 : 0;
  return { from: new Date(query.get('from') ?? ''), to: new Date(Date.parse(end) + lastDayMs) };
}

function allPayments(bench: Bench): Promise<Outcome<readonly ListedPayment[]>> {
  return readAllPages(
    (cursor) => bench.gateway.listPayments(bench.account, { ...wholeList, cursor }, patient),
    (row) => row.transactionId,
  );
}

function allRefunds(bench: Bench): Promise<Outcome<readonly ListedRefund[]>> {
  return readAllPages(
    (cursor) => bench.gateway.listRefunds(bench.account, { ...wholeRefundList, cursor }, patient),
    (row) => row.gatewayRefundId,
  );
}

function describePaymentList(bench: Bench): void {
  const { gateway, script } = bench;
  const idOf = (named: string | null, id: string) => transactionIdOf(script, { reference: named, id });
  const paymentPage = (rows: readonly ListedFacts[], facts: { page: number; pages: number }) => script.paymentPage(rows, facts);
  describe(`${gateway.name}: the list of payments`, () => {
    it('returns each transaction in naira, under its reference, with its id and state', async () => {
      const rows = [
        listed(bench),
        listed(bench, { id: '2', state: 'failed', reference: otherReference, amount: script.wireAmount(99_999n) }),
        listed(bench, { id: '3', state: 'unfinished', reference: null, currency: 'USD' }),
      ];
      bench.server.script(serving(bench, rows, 20, paymentPage));
      const read = sound(await gateway.listPayments(bench.account, wholeList, patient), bench.account);
      expect(read).toMatchObject({
        outcome: 'yes',
        value: {
          nextCursor: script.pagesUnnumbered === true ? '2' : null,
          rows: [
            {
              reference,
              transactionId: idOf(reference, transactionId),
              status: 'paid',
              amount: '1000',
              currency: 'NGN',
              createdAt: new Date(noon),
            },
            { reference: otherReference, transactionId: idOf(otherReference, '2'), status: 'unpaid', amount: '999.99' },
            { reference: null, transactionId: '3', status: 'open', currency: 'USD' },
          ],
        },
      });
    });

    it('is followed to its end, each transaction once', async () => {
      const rows = Array.from({ length: 47 }, (_, at) => listed(bench, { id: String(at + 1), reference: `sw-row-${at}` }));
      bench.server.script(serving(bench, rows, 10, paymentPage));
      const all = await allPayments(bench);
      expect(all.outcome === 'yes' ? all.value.map((row) => row.reference) : all).toEqual(rows.map((row) => row.reference));
      expect(bench.server.calls.length).toBe(script.pagesUnnumbered === true ? 6 : 5);
    });

    it('holds exactly the transactions created in the requested period, to the millisecond', async () => {
      const moments = [
        '2026-11-19T22:59:59.999Z',
        '2026-11-19T23:00:00.000Z',
        '2026-11-20T22:59:59.999Z',
        '2026-11-20T23:00:00.000Z',
      ];
      const rows = moments.map((createdAt, at) => listed(bench, { id: String(at), reference: `sw-row-${at}`, createdAt }));
      bench.server.script(serving(bench, rows, 20, paymentPage));
      const all = await allPayments(bench);
      expect(all.outcome === 'yes' ? all.value.map((row) => row.reference) : all).toEqual(['sw-row-1', 'sw-row-2']);
    });

    it('requests the whole period, independent of the gateway’s own day boundaries', async () => {
      bench.server.script(serving(bench, [], 20, paymentPage));
      await gateway.listPayments(bench.account, wholeList, patient);
      const [call] = bench.server.calls;
      const asked = new URL(call?.path ?? '', 'http://list.example').searchParams;
      const period = (script.periodAskedFor ?? periodInDates)(asked, call?.body ?? '');
      expect(period.from.getTime()).toBeLessThanOrEqual(wholeList.from.getTime());
      expect(period.to.getTime()).toBeGreaterThanOrEqual(wholeList.to.getTime());
    });

    it('returns amounts exactly, whatever their unit', async () => {
      await fc.assert(
        fc.asyncProperty(fc.bigInt({ min: 0n, max: 10n ** 13n }), async (kobo) => {
          bench.server.script(serving(bench, [listed(bench, { amount: script.wireAmount(kobo) })], 20, paymentPage));
          const all = await allPayments(bench);
          const [whole = '', fraction = ''] = (all.outcome === 'yes' ? (all.value[0]?.amount ?? '') : '').split('.');
          expect(BigInt(whole + fraction.padEnd(2, '0'))).toBe(kobo);
        }),
        { numRuns: 40 },
      );
    });

    it('has what the capabilities say that look-ups leave out', async () => {
      const found = bench.paid(100_000n);
      bench.server.script(() => wireReply(found));
      const verified = await gateway.verify(bench.account, query, patient);
      bench.server.script(serving(bench, [listed(bench)], 20, paymentPage));
      const all = await allPayments(bench);
      if (verified.outcome !== 'yes' || all.outcome !== 'yes') throw new Error('expected answers');
      const isOfLists = {
        fee: verified.value.fee === null && all.value[0]?.fee !== null,
        currency: !/"(NGN|566)"/.test(JSON.stringify(found.json)),
      };
      const { onlyInLists = [] } = gateway.capabilities;
      expect(isOfLists).toEqual({ fee: onlyInLists.includes('fee'), currency: onlyInLists.includes('currency') });
    });

    it('with no rows is an empty page, not a failure', async () => {
      bench.server.script(serving(bench, [], 20, paymentPage));
      expect(await allPayments(bench)).toMatchObject({ outcome: 'yes', value: [] });
    });
  });
}

function describeRefundList(bench: Bench): void {
  const { gateway, script } = bench;
  const idOf = (named: string | null, id: string) => transactionIdOf(script, { reference: named, id });
  const refundPage = (rows: readonly ListedRefundFacts[], facts: { page: number; pages: number }) =>
    script.refundPage(rows, facts);
  describe(`${gateway.name}: the list of refunds`, () => {
    it.each(script.refundStates)('lists refunds that are %s, with our refund reference', async (state) => {
      bench.server.script(serving(bench, [listedRefund(bench, { state })], 20, refundPage));
      const read = sound(await gateway.listRefunds(bench.account, wholeRefundList, patient), bench.account);
      const own = idOf(reference, transactionId);
      const row = {
        gatewayRefundId: '75923',
        transactionId: own,
        amount: '400',
        state,
        note: expect.stringContaining('rf-1 Item out of stock'),
      };
      expect(read).toMatchObject({ outcome: 'yes', value: { rows: [row], nextCursor: null } });
    });

    it('lists refunds whose status is not documented as not final, and shows the row they are in', async () => {
      bench.server.script(serving(bench, [listedRefund(bench, { state: 'unlisted' })], 20, refundPage));
      const read = sound(await gateway.listRefunds(bench.account, wholeRefundList, patient), bench.account);
      const record: unknown = expect.stringContaining('75923');
      const unrecognised = { message: expect.stringContaining('does not list: quarantined'), record };
      expect(read).toMatchObject({ outcome: 'yes', value: { rows: [{ state: 'processing', unrecognised }] } });
    });

    it('is followed to its end, each refund once', async () => {
      const rows = Array.from({ length: 23 }, (_, at) => listedRefund(bench, { id: String(at + 1) }));
      bench.server.script(serving(bench, rows, 10, refundPage));
      const all = await allRefunds(bench);
      expect(all.outcome === 'yes' ? all.value.map((row) => row.gatewayRefundId) : all).toEqual(rows.map((row) => row.id));
    });

    it('of one payment holds that payment’s alone, looked up by our reference where its id is not known', async () => {
      const rows = [listedRefund(bench), listedRefund(bench, { id: '2', transactionId: '77' })];
      const list = serving(bench, rows, 20, refundPage);
      for (const known of [idOf(reference, transactionId), null]) {
        bench.server.script((call) => (/\/refunds?\?/.test(call.path) ? list(call) : wireReply(bench.paid(100_000n))));
        const query = { ...wholeRefundList, paymentReference: reference, transactionId: known };
        const read = await gateway.listRefunds(bench.account, query, patient);
        expect(read.outcome === 'yes' ? read.value.rows.map((row) => [row.gatewayRefundId, row.paymentReference]) : read).toEqual(
          [['75923', reference]],
        );
      }
    });

    it('of a payment that cannot be looked up is not an empty one', async () => {
      const query = { ...wholeRefundList, paymentReference: reference };
      for (const reply of [wireReply(script.notFound()), { kind: 'answer', status: 500, body: '' } as const]) {
        bench.server.script(() => reply);
        expect((await gateway.listRefunds(bench.account, query, patient)).outcome).not.toBe('yes');
      }
    });
  });
}

function describeMissingRefundList(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: the list of refunds`, () => {
    it('is missing, which is not an empty one, and nothing is called', async () => {
      bench.server.script(() => wireReply(script.refundPage([], { page: 1, pages: 1 })));
      expect(await gateway.listRefunds(bench.account, wholeRefundList, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { class: 'our_configuration', code: 'not_supported' },
      });
      expect(bench.server.calls.length).toBe(0);
    });
  });
}

function describeHostileLists(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: misbehaving lists`, () => {
    it.each([['minus'], [''], [null], [[]], [{}], [-1000], ['0x3e8'], [true]])(
      'one row with the amount %j makes the page unreadable, as no money may go unseen',
      async (amount) => {
        bench.server.script(() =>
          wireReply(script.paymentPage([listed(bench), listed(bench, { id: '2', amount })], { page: 1, pages: 1 })),
        );
        expect(await allPayments(bench)).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
        if (!listsRefunds(bench)) return;
        bench.server.script(() => wireReply(script.refundPage([listedRefund(bench, { amount })], { page: 1, pages: 1 })));
        expect(await allRefunds(bench)).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
      },
    );

    it.each(['', 'yesterday', '2026-13-45'])('a row created at %j makes the page unreadable', async (createdAt) => {
      bench.server.script(() => wireReply(script.paymentPage([listed(bench, { createdAt })], { page: 1, pages: 1 })));
      expect(await allPayments(bench)).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
    });

    it('the first page again for every page is unknown', async () => {
      bench.server.script(() => wireReply(script.paymentPage([listed(bench)], { page: 1, pages: 9 })));
      expect(await allPayments(bench)).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
      // Without its number, a page is known by its rows.
      expect(bench.server.calls.length).toBe(script.pagesUnnumbered === true ? 4 : 2);
    });

    it('the same rows under ever new page numbers end the list', async () => {
      bench.server.script((call) => {
        const page = script.pageAskedFor(new URL(call.path, 'http://list.example').searchParams);
        return wireReply(script.paymentPage([listed(bench)], { page, pages: 1_000_000 }));
      });
      expect(await allPayments(bench)).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
      expect(bench.server.calls.length).toBeLessThanOrEqual(4);
    });

    it('a failure on a later page discards the earlier ones', async () => {
      bench.server.script((_call, count) =>
        count === 1
          ? wireReply(script.paymentPage([listed(bench)], { page: 1, pages: 2 }))
          : { kind: 'answer', status: 502, body: '' },
      );
      expect(await allPayments(bench)).toMatchObject({ outcome: 'unknown', failure: { code: 'http_5xx' } });
    });

    it.each(['0', '-1', '1e3', 'x', '1&page=2', '99999999'])(
      'the cursor %j, which no page gave, is never sent',
      async (cursor) => {
        bench.server.script(() => wireReply(script.paymentPage([], { page: 1, pages: 1 })));
        expect((await gateway.listPayments(bench.account, { ...wholeList, cursor }, patient)).outcome).toBe('unknown');
        expect(bench.server.calls.length).toBe(0);
      },
    );
  });
}
