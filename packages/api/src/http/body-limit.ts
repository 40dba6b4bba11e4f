import { BODY_MAX_BYTES } from './plain.ts';

/** Of gateways' webhooks: one that announces a settlement lists the payments in it. */
const WEBHOOK_MAX_BYTES = 2 * 1024 * 1024;

/** Maximum size of the body of a request to a path, in bytes. */
export function bodyMaxBytes(path: string): number {
  return path.startsWith('/webhooks/') ? WEBHOOK_MAX_BYTES : BODY_MAX_BYTES;
}
