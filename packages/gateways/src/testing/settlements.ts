import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumDecimals } from '../amount.ts';
import type { ListedSettlement, ListedSettlementLine, Outcome } from '../gateway.ts';
import { readAllPages } from '../list-answers.ts';
import { type Bench, patient, reporting, sound } from './bench.ts';
import { type SettledFacts, type SettlementFacts, type SettlementScript, wholeList, wireReply } from './script.ts';
import type { StubCall, StubReply } from './stub-server.ts';

/** Cases of listed settlements and their lines. */
export function describeSettlements(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: payouts`, () => {
    it('are expected on a published number of working days, with the page that states it', () => {
      expect(gateway.publishedSettlement.workingDays).toBeGreaterThanOrEqual(0);
      expect(gateway.publishedSettlement.workingDays).toBeLessThanOrEqual(10);
      expect(gateway.publishedSettlement.source ?? 'https://').toMatch(/^https:\/\//);
    });

    it('become known by the road that is declared', () => {
      const road = gateway.settlementRoad;
      expect([gateway.listSettlements !== undefined, script.settlements !== undefined]).toEqual(
        Array.from({ length: 2 }, () => road === 'polled'),
      );
      expect(gateway.listSettlementLines !== undefined).toBe(road !== 'file');
    });
  });
  if (script.settlements !== undefined) describeLists(bench, script.settlements);
}

function describeLists(bench: Bench, wire: SettlementScript): void {
  const { gateway, script } = bench;
  const amount = (kobo: bigint) => script.wireAmount(kobo);

  const facts = (changes: Partial<SettlementFacts> = {}): SettlementFacts => ({
    id: '3090024',
    state: 'paid',
    gross: amount(1_000_000n),
    fees: amount(15_000n),
    deductions: amount(0n),
    net: amount(985_000n),
    createdAt: '2026-11-20T01:04:08.000Z',
    settledOn: '2026-11-20',
    ...changes,
  });

  const settled = (id: string, changes: Partial<SettledFacts> = {}): SettledFacts => ({
    id,
    reference: `sw-row-${id}`,
    amount: amount(500_000n),
    fee: amount(7_500n),
    ...changes,
  });

  /** Answers a list's pages; a settlement's lines in pages of two where the gateway has pages of them. */
  const serve = (settlements: readonly SettlementFacts[], rows: readonly SettledFacts[], perPage = 20) => {
    bench.server.script((call: StubCall): StubReply => {
      const { pathname, searchParams: search } = new URL(call.path, 'http://list.example');
      if (/\/refunds?$/.test(pathname)) return wireReply(script.refundPage([], { page: 1, pages: 1 }));
      const asked = search.has('page') ? script.pageAskedFor(search) : 1;
      const page = <Row>(all: readonly Row[], size: number) => ({
        shown: all.slice((asked - 1) * size, asked * size),
        place: { page: asked, pages: Math.max(1, Math.ceil(all.length / size)) },
      });
      const head = settlements.find(({ id }) => pathname.includes(`/${id}`));
      if (head === undefined) {
        const { shown, place } = page(settlements, perPage);
        return wireReply(wire.page(shown, place));
      }
      const { shown, place } = page(rows, wire.linesAtOnce === true ? rows.length + 1 : 2);
      return wireReply(wire.lines(head, shown, place));
    });
  };

  const allSettlements = (): Promise<Outcome<readonly ListedSettlement[]>> =>
    readAllPages(
      async (cursor) => (await gateway.listSettlements?.(bench.account, { ...wholeList, cursor }, patient)) ?? missing(),
      (row) => row.settlementId,
    );

  const allLines = async (): Promise<Outcome<readonly ListedSettlementLine[]>> => {
    const list = await allSettlements();
    const [settlement] = list.outcome === 'yes' ? list.value : [];
    if (settlement === undefined) throw new Error('the stub server lists a settlement');
    return readAllPages(
      async (cursor) => (await gateway.listSettlementLines?.(bench.account, { settlement, cursor }, patient)) ?? missing(),
      (row) => row.key,
    );
  };

  describe(`${gateway.name}: the list of settlements`, () => {
    it.each([
      ['paid', 'paid'],
      ['pending', 'pending'],
      ['failed', 'failed'],
    ] as const)('shows one that is %s as %s, with the day of its payout', async (state, status) => {
      serve([facts({ state })], []);
      const read = await gateway.listSettlements?.(bench.account, wholeList, patient);
      expect(sound(read ?? missing(), bench.account)).toMatchObject({
        outcome: 'yes',
        value: {
          rows: [
            {
              settlementId: '3090024',
              status,
              currency: 'NGN',
              gross: '10000',
              fees: '150',
              deductions: '0',
              net: '9850',
              settledOn: '2026-11-20',
              createdAt: new Date('2026-11-20T01:04:08.000Z'),
            },
          ],
          nextCursor: null,
        },
      });
    });

    it('shows one whose status is not documented as pending, with the row that it is in', async () => {
      serve([facts({ state: 'unlisted' })], []);
      const read = await reporting(async () =>
        sound((await gateway.listSettlements?.(bench.account, wholeList, patient)) ?? missing(), bench.account),
      );
      const record: unknown = expect.stringContaining('3090024');
      const unrecognised = { message: expect.stringContaining('does not list: held'), record };
      expect(read).toMatchObject({
        value: { outcome: 'yes', value: { rows: [{ status: 'pending', unrecognised }] } },
        reported: [{ gateway: gateway.name, kind: 'settlement' }],
      });
    });

    it('is followed to its end, each settlement once, and holds those created in the requested period', async () => {
      const rows = Array.from({ length: 7 }, (_, at) => facts({ id: String(100 + at) }));
      const outside = [
        facts({ id: '200', createdAt: '2026-11-19T22:59:59.999Z' }),
        facts({ id: '201', createdAt: '2026-11-20T23:00:00.000Z' }),
      ];
      serve([...rows, ...outside], [], 4);
      const all = await allSettlements();
      expect(all.outcome === 'yes' ? all.value.map((row) => row.settlementId) : all).toEqual(rows.map(({ id }) => id));
    });

    it('returns amounts exactly, whatever their unit', async () => {
      const kobo = fc.bigInt({ min: 0n, max: 10n ** 12n });
      await fc.assert(
        fc.asyncProperty(kobo, kobo, kobo, async (net, fees, deductions) => {
          const gross = net + fees + deductions;
          serve([facts({ gross: amount(gross), fees: amount(fees), deductions: amount(deductions), net: amount(net) })], []);
          const all = await allSettlements();
          const [read] = all.outcome === 'yes' ? all.value : [];
          const taken = [read?.fees ?? '', read?.deductions ?? '', read?.net ?? ''];
          expect(toKobo(read?.gross ?? '')).toBe(gross);
          expect(taken.map(toKobo)).toEqual([fees, deductions, net]);
        }),
        { numRuns: 40 },
      );
    });

    it.each([['minus'], [''], [null], [[]], [{}], [-1000], [true]])(
      'one row with the net amount %j makes the page unreadable',
      async (net) => {
        serve([facts(), facts({ id: '2', net })], []);
        expect(await allSettlements()).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
      },
    );

    it('whose rows do not say when they were created is unreadable', async () => {
      serve([facts({ createdAt: 'yesterday' })], []);
      expect(await allSettlements()).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
    });
  });

  describe(`${gateway.name}: the lines of a settlement`, () => {
    it('are its payments with their references, and their fees, and sum to its net amount', async () => {
      serve([facts()], [settled('4099260516'), settled('4099260517')]);
      const lines = await allLines();
      const read = lines.outcome === 'yes' ? lines.value : [];
      expect(read.map(({ kind, amount: sum, reference, transactionId }) => [kind, sum, reference, transactionId])).toEqual([
        ['payment', '5000', 'sw-row-4099260516', '4099260516'],
        ['fee', '-75', 'sw-row-4099260516', '4099260516'],
        ['payment', '5000', 'sw-row-4099260517', '4099260517'],
        ['fee', '-75', 'sw-row-4099260517', '4099260517'],
      ]);
      expect(sumDecimals(read.map((line) => line.amount))).toBe('9850');
    });

    it('are all read, however many there are', async () => {
      const rows = Array.from({ length: 9 }, (_, at) => settled(String(700 + at)));
      serve([facts()], rows);
      const lines = await allLines();
      const payments = lines.outcome === 'yes' ? lines.value.filter(({ kind }) => kind === 'payment') : [];
      expect(payments.map((line) => line.transactionId)).toEqual(rows.map(({ id }) => id));
    });

    it('include what was taken off the whole, so that they still sum to its net amount', async () => {
      const deductions = { deductions: amount(40_050n), net: amount(944_950n) };
      serve([facts(deductions)], [settled('1'), settled('2')]);
      const lines = await allLines();
      const read = lines.outcome === 'yes' ? lines.value : [];
      expect(sumDecimals(read.map((line) => line.amount))).toBe('9449.5');
    });

    it('of which one has an amount that cannot be read are unreadable', async () => {
      serve([facts()], [settled('1'), settled('2', { amount: 'much' })]);
      expect(await allLines()).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
    });
  });
}

function missing(): never {
  throw new Error('the gateway lists settlements');
}

/** An exact decimal of naira in kobo. */
function toKobo(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}
