import { z } from 'zod';
import type { BenchQuery } from './measure.ts';
import type { PostgraphileServer } from './postgraphile-server.ts';
import { queryGraphql } from './query-graphql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const grouped = z.object({ allPayments: z.object({ groupedAggregates: z.array(z.unknown()) }) });
const page = z.object({
  allPayments: z.object({ pageInfo: z.object({ endCursor: z.string() }), edges: z.array(z.unknown()) }),
});

const sumsBy = (groupBy: string) => `query ($filter: PaymentFilter!) {
  allPayments(filter: $filter) { groupedAggregates(groupBy: [${groupBy}]) { keys sum { amount refundedAmount feeAmount } } } }`;
const PAGE = `query ($filter: PaymentFilter!, $after: Cursor) {
  allPayments(filter: $filter, first: 50, after: $after, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) { pageInfo { endCursor hasNextPage }
    edges { node { rowId merchantOrderId status amount currency recommendedGateway paidMethod createdAt } } } }`;

/**
 * The same queries as far as PostGraphile supports them: it groups by columns of the payment (the attempt's account is none), and
 * by days and months of UTC.
 */
export async function postgraphileQueries(
  server: PostgraphileServer,
  until: Date,
  largest: string,
): Promise<readonly BenchQuery[]> {
  const back = (ms: number) => new Date(until.getTime() - ms);
  const lagosMidnight = new Date(Math.floor((until.getTime() + HOUR_MS) / DAY_MS) * DAY_MS - HOUR_MS);
  const sums = (name: string, groupBy: string, filter: object): BenchQuery => ({
    name,
    limitMs: null,
    run: async () => {
      const answer = grouped.parse(await queryGraphql(server.url, {}, { query: sumsBy(groupBy), variables: { filter } }));
      return answer.allPayments.groupedAggregates.length;
    },
  });
  const readPage = async (filter: object, after: string | null) =>
    page.parse(await queryGraphql(server.url, {}, { query: PAGE, variables: { filter, after } })).allPayments;
  const queries: BenchQuery[] = [];
  for (const [whose, merchants] of [
    ['all merchants', {}],
    ['largest merchant', { merchantId: { equalTo: largest } }],
  ] as const) {
    const within = (from: Date, to = until) => ({
      ...merchants,
      mode: { equalTo: 'live' },
      createdAt: { greaterThanOrEqualTo: from, lessThan: to },
    });
    const oddDays = within(back(30 * DAY_MS + 17 * 60_000), back(19 * 60_000));
    const list = { ...merchants, mode: { equalTo: 'live' } };
    const pageOf = (name: string, of: object, after: () => Promise<string | null>): BenchQuery => {
      let cursor: Promise<string | null> | null = null;
      return {
        name: `${name}, ${whose}`,
        limitMs: null,
        run: async () => {
          cursor ??= after();
          return (await readPage(of, await cursor)).edges.length;
        },
      };
    };
    const middle = async () =>
      (await readPage({ ...list, createdAt: { lessThan: back(180 * DAY_MS) } }, null)).pageInfo.endCursor;
    queries.push(
      sums(`today by gateway, ${whose}`, 'RECOMMENDED_GATEWAY, STATUS', within(lagosMidnight)),
      sums(
        `30 days by day, ${whose}`,
        'CREATED_AT_TRUNCATED_TO_DAY, STATUS',
        within(new Date(lagosMidnight.getTime() - 29 * DAY_MS)),
      ),
      sums(`12 months by day, ${whose}`, 'CREATED_AT_TRUNCATED_TO_DAY, STATUS', within(back(364 * DAY_MS))),
      sums(`ad hoc: 30 odd days by gateway and method, ${whose}`, 'RECOMMENDED_GATEWAY, PAYMENT_METHOD, STATUS', oddDays),
      sums(`ad hoc: 30 odd days, failed cards by day, ${whose}`, 'CREATED_AT_TRUNCATED_TO_DAY', {
        ...oddDays,
        status: { equalTo: 'FAILED' },
        paymentMethod: { equalTo: 'CARD' },
      }),
      pageOf('first page', list, async () => null),
      pageOf('page in the middle of the year', list, middle),
      pageOf('deep page of failed ones', { ...list, status: { equalTo: 'FAILED' } }, middle),
    );
  }
  return queries;
}
