import { z } from 'zod';
import { merchantSettings } from './merchant-settings.ts';

const { name, defaultRedirectUrl, sessionMinutes, refundDuplicates, agentsMayWriteLive } = merchantSettings;

/** Input of a new merchant, with the defaults of omitted fields. */
export const newMerchantSchema = z.object({
  name,
  merchantNumber: z
    .string('must be text')
    .regex(/^M-\d{6,10}$/, 'must be M- and 6 to 10 digits')
    .optional(),
  defaultRedirectUrl: z._default(defaultRedirectUrl, null),
  sessionMinutes: z._default(sessionMinutes, 60),
  refundDuplicates: z._default(refundDuplicates, false),
});

/** Input of a change to a merchant; omitted fields stay unchanged. */
export const merchantChangesSchema = z.object({
  name: z.exactOptional(name),
  defaultRedirectUrl: z.exactOptional(defaultRedirectUrl),
  sessionMinutes: z.exactOptional(sessionMinutes),
  refundDuplicates: z.exactOptional(refundDuplicates),
  agentsMayWriteLive: z.exactOptional(agentsMayWriteLive),
});
