import { z } from 'zod';

/** Settings of the floor: one merchant, one key, one account, and JSON of the product's to be as large as it. */
export const floorSettingsSchema = z.object({
  databaseUrl: z.string(),
  publicUrl: z.string(),
  gatewayOrigin: z.string(),
  gatewayHeaders: z.record(z.string(), z.string()),
  gatewaySecret: z.string(),
  merchantId: z.string(),
  merchantNumber: z.string(),
  accountId: z.string(),
  /** HMAC-SHA256 of the API key, in hexadecimal. */
  keyHash: z.string(),
  endpointId: z.string(),
  endpointPath: z.string(),
  endpointSecret: z.string(),
  routing: z.string(),
  routingInputs: z.string(),
  fallbackGateways: z.string(),
});
export type FloorSettings = z.output<typeof floorSettingsSchema>;
