import { firstIdAt } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';
import { namedPayment } from '../../record/plan.ts';

/** References that one account's gateway reported and no attempt has: payments that did not come through here. */
export interface DirectPayments {
  readonly merchantId: string;
  readonly accountId: string;
  readonly references: number;
  readonly lastAt: Date;
}

// Attempts are committed before their gateway is called: a genuine webhook of one of ours always finds its attempt. Ids follow the time at
// which webhooks were received.
const COUNT = `
SELECT webhook.merchant_id AS "merchantId", webhook.account_id AS "accountId", count(DISTINCT webhook.reference)::int AS "references",
  max(webhook.received_at) AS "lastAt"
FROM gateway_webhook AS webhook JOIN gateway_account AS account
  ON account.merchant_id = webhook.merchant_id AND account.id = webhook.account_id AND account.mode = $2::mode
WHERE webhook.merchant_id = ANY ($1::uuid[]) AND webhook.received_at >= $3 AND webhook.id >= $4 AND webhook.reference IS NOT NULL
  AND NOT EXISTS (SELECT FROM attempt WHERE attempt.merchant_id = webhook.merchant_id
    AND attempt.payment_id = ${namedPayment('webhook.reference')} AND attempt.account_id = webhook.account_id
    AND attempt.reference = webhook.reference)
GROUP BY webhook.merchant_id, webhook.account_id`;

/** Payments that reached merchants' gateway accounts without us since a time, as their webhooks say; accounts without any are left out. */
export async function countDirectPayments(
  { resources }: RuntimeContext<'database'>,
  { merchantIds, mode, since }: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly since: Date },
): Promise<DirectPayments[]> {
  const values = [merchantIds, mode, since, firstIdAt(since.getTime())];
  const { rows } = await resources.database.pool.query<DirectPayments>({ name: 'count-direct-payments', text: COUNT, values });
  return rows;
}
