import type pg from 'pg';
import { readVolume } from './volume.ts';
import type { VolumeQuery } from './volume-query.ts';

/** Amounts that a gateway is expected to settle for one account, day and currency. Whole main units; `reversed` and `fees` are exact decimals. */
export interface ExpectedSettlement {
  readonly accountId: string;
  readonly gateway: string;
  /** The day on which the payments were created, `YYYY-MM-DD` in the query's zone. */
  readonly day: string;
  readonly currency: string;
  readonly payments: number;
  readonly paidAmount: bigint;
  readonly refunded: bigint;
  readonly reversed: string;
  readonly fees: string;
}

/** The settlements expected of paid payments, by day, account and currency, as many as a report may have groups. */
export async function readExpectedSettlements(
  client: Pick<pg.ClientBase, 'query'>,
  query: Pick<VolumeQuery, 'merchantIds' | 'mode' | 'from' | 'to' | 'currency' | 'zone' | 'accountIds'>,
): Promise<ExpectedSettlement[]> {
  const rows = await readVolume(client, {
    ...query,
    asOf: null,
    groupBy: ['day', 'account', 'gateway', 'currency'],
    gateways: [],
    methods: [],
    ruleIds: [],
    statuses: ['SUCCESS', 'REFUNDED'],
  });
  return rows.map(({ keys, paid, paidAmount, refunded, reversed, fees }) => {
    const { account: accountId = '', gateway = '', day = '', currency = '' } = keys;
    return { accountId, gateway, day, currency, payments: paid, paidAmount, refunded, reversed, fees };
  });
}
