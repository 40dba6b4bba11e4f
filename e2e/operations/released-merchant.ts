import { openSwitchyard } from '@switchyard/api/process';
import { z } from 'zod';
import { createTestMerchant } from '../harness/merchants.ts';

/*
 * Run inside the released version: creates a merchant as that version does, and prints it as JSON. `GATEWAY_BASE_URLS` says where the
 * gateways are; the caller registers the keys there.
 */

const baseUrls = z.record(z.string(), z.string()).parse(JSON.parse(process.env.GATEWAY_BASE_URLS ?? ''));
const switchyard = openSwitchyard({ ...process.env }, { write: () => undefined });
const gateways = { baseUrlOf: (gateway: string) => baseUrls[gateway] ?? '', register: async () => undefined };
const merchant = await createTestMerchant(switchyard, gateways, [], {});
await switchyard.close();
console.log(JSON.stringify(merchant));
