import type { Bench, Contender } from './environment.ts';
import type { BenchOptions, Operation } from './options.ts';
import { type Pair, type Summary, summarise } from './summary.ts';
import { type Done, measureTurn, type Turn } from './turn.ts';

/** Measures one operation in pairs of turns, product and floor after each other. */
export async function measureOperation(
  bench: Bench,
  operation: Operation,
  options: BenchOptions,
  tell: (line: string) => void,
): Promise<Summary> {
  const pairs: Pair[] = [];
  for (let pair = 1; pair <= options.pairs; pair++) {
    const product = await takeTurn(bench, bench.product, operation, options);
    const floor = await takeTurn(bench, bench.floor, operation, options);
    pairs.push({ product, floor });
    const rate = ({ perSecond, settled }: Turn) => `${Math.round(perSecond)}/s${settled ? '' : ' (still busy)'}`;
    tell(`${operation} ${pair}/${options.pairs}: product ${rate(product)}, floor ${rate(floor)}`);
  }
  return summarise(pairs);
}

async function takeTurn(bench: Bench, contender: Contender, operation: Operation, options: BenchOptions): Promise<Turn> {
  const pace = { kind: 'closed', connections: options.connections } as const;
  const { origin } = contender;
  const paymentIds = operation === 'get' ? await listReadable(bench, contender) : [];
  const act = async (seconds: number): Promise<Done> => {
    const before = await countPayments(bench, contender);
    const { answered, seconds: took, latency, bytes } = await bench.load({ operation, origin, pace, seconds, paymentIds });
    const made = (await countPayments(bench, contender)) - before;
    const expected = operation === 'initiate' ? answered : 0;
    if (made !== expected) throw new Error(`${expected} payments were acknowledged, and ${made} are in the database`);
    return { operations: answered, seconds: took, latency, answerBytes: bytes };
  };
  if (options.warmup > 0) await act(options.warmup);
  const turn = await measureTurn(bench.pool, contender.processes, () => act(options.seconds));
  await endFollowUp(bench, contender);
  return turn;
}

/** Payments of this turn are not asked about during a later one. */
async function endFollowUp({ pool }: Bench, { schema }: Contender): Promise<void> {
  await pool.query(`UPDATE ${schema}.payment SET next_check_at = NULL WHERE next_check_at IS NOT NULL`);
}

async function countPayments({ pool, merchant }: Bench, { schema }: Contender): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${schema}.payment WHERE merchant_id = $1 AND status = 'PENDING' AND session IS NOT NULL`,
    [merchant.merchantId],
  );
  return rows[0]?.count ?? 0;
}

const READ_MAX = 10_000;

async function listReadable({ pool, merchant }: Bench, { schema }: Contender): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${schema}.payment WHERE merchant_id = $1 AND session IS NOT NULL ORDER BY md5(id::text) LIMIT ${READ_MAX}`,
    [merchant.merchantId],
  );
  return rows.map(({ id }) => id);
}
