import { type Answer, askGateway, database } from './settings.ts';

/** As many at once as a worker of the product checks. */
const AT_ONCE = 10;
const LEASE_MS = 120_000;
const NEXT_MS = 600_000;

const CLAIM = `
WITH next AS (
  SELECT merchant_id, id FROM floor.payment WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED),
claimed AS (
  UPDATE floor.payment SET next_check_at = $2, check_count = check_count + 1
  FROM next WHERE payment.merchant_id = next.merchant_id AND payment.id = next.id
  RETURNING payment.merchant_id, payment.id, payment.current_attempt_id, payment.next_check_at)
SELECT claimed.*, attempt.reference
FROM claimed JOIN floor.attempt ON attempt.merchant_id = claimed.merchant_id AND attempt.id = claimed.current_attempt_id`;

const SCHEDULE = `UPDATE floor.payment SET next_check_at = $4 WHERE merchant_id = $1 AND id = $2 AND next_check_at = $3`;

/** Asks the gateway about every open payment that is due, and schedules the next question. */
export async function checkOverdue(): Promise<Answer> {
  await Promise.all(Array.from({ length: AT_ONCE }, checkWhileDue));
  return { status: 200, body: {} };
}

async function checkWhileDue(): Promise<void> {
  for (;;) {
    const now = Date.now();
    const { rows } = await database.query({ name: 'due', text: CLAIM, values: [new Date(now), new Date(now + LEASE_MS)] });
    const [row] = rows;
    if (row === undefined) return;
    const { status } = await askGateway(row.reference);
    if (status !== 'abandoned') throw new Error(`the gateway says ${status}`);
    const values = [row.merchant_id, row.id, row.next_check_at, new Date(Date.now() + NEXT_MS)];
    await database.query({ name: 'schedule', text: SCHEDULE, values });
  }
}
