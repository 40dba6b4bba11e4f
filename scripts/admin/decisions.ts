import { openDatabase } from '@switchyard/db/process';
import { verifyDecisions } from '@switchyard/payments/console/routing';
import { resolveDatabase } from '../stack/database.ts';
import { thisProject } from '../stack/project.ts';

/** `decisions verify`: resolves with 0 when every decision came out as it was stored, 1 when one did not. */
export async function verify(given: { sample?: number | undefined; merchant?: string | undefined }): Promise<number> {
  const { sample = null, merchant } = given;
  const began = performance.now();
  const database = openDatabase({ url: await resolveDatabase(thisProject()), maxConnections: 2 });
  try {
    const merchantIds = merchant === undefined ? null : [merchant];
    const { checkedCount, failedCount, failed } = await verifyDecisions(database, {
      merchantIds,
      size: sample,
      random: Math.random,
    });
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`${checkedCount} decisions recomputed in ${seconds} s, ${failedCount} of them not as they were stored.`);
    for (const { merchantId, paymentId, differences } of failed) {
      console.log(`payment ${paymentId} of merchant ${merchantId}: ${differences.join(' ')}`);
    }
    return failedCount === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}
