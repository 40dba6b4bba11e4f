import { gatewayTitle, OTHER_WORDS } from '@switchyard/gateways';
import { findUnknownErrorCodes } from '@switchyard/provider-health/error-codes';
import { groupDigits } from '@switchyard/routing';
import { z } from 'zod';
import { incidentKind } from './kind.ts';
import { count } from './words.ts';

/** Error codes that the table of their gateway does not have, a condition for each account and code. */
export const unknownErrorCode = incidentKind({
  title: 'Unknown error code',
  severity: 'info',
  permission: 'gateway:read',
  sendsRecovery: false,
  facts: z.object({
    of: z.literal('error_code'),
    gateway: z.string(),
    label: z.string(),
    code: z.string(),
    count,
    payments: count,
  }),
  async find(context, { merchantIds }) {
    const found = await findUnknownErrorCodes(context, merchantIds);
    return found.map(({ merchantId, mode, accountId, accountLabel: label, gateway, code, count: times, payments, firstAt }) => ({
      merchantId,
      mode,
      kind: 'unknown_error_code' as const,
      subject: `${accountId}/${code}`,
      since: firstAt,
      facts: { of: 'error_code' as const, gateway, label, code, count: times, payments },
    }));
  },
  describe({ gateway, label, code, count: times, payments }) {
    const at = `${gatewayTitle(gateway)} (${label})`;
    const came = `came ${groupDigits(times)} ${times === 1 ? 'time' : 'times'} in 30 days`;
    const isWords = code === OTHER_WORDS;
    return {
      // The code before its account: narrow lists cut the rest.
      title: isWords ? `Refusals without a known error code at ${at}` : `Unknown error code ${code} at ${at}`,
      why: `${isWords ? 'They' : 'It'} ${came}, and ${isWords ? 'their words are' : 'is'} in no row of the gateway’s table.`,
      figures: [{ label: 'Latest payments', value: groupDigits(payments) }],
      action: { path: '/gateways/error-codes', query: { gateway, code }, label: isWords ? 'View refusals' : 'View code' },
    };
  },
});
