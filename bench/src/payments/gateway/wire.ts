import { hash } from 'node:crypto';

/** The gateway's own id of the transaction under a reference: the same in its answers and in its webhooks. */
export function transactionId(reference: string): number {
  return Number.parseInt(hash('sha1', reference).slice(0, 12), 16);
}
