import { clockIn, describeHealthReason } from '@switchyard/routing';
import { z } from 'zod';
import { timeZone } from '../../trpc/inputs.ts';
import { defineTool } from '../tool.ts';
import { firstOf, instant, merchantId, mode, textOf } from './inputs.ts';

const ACCOUNTS_MAX = 50;
const OVERRIDES_MAX = 20;

export const health = defineTool({
  name: 'health',
  title: 'Health of gateway accounts',
  description:
    'Every gateway account as routing sees it now: state by method with the reason in a sentence and its figures, why an account is out of rotation, overrides, and methods that fail at several gateways at once.',
  changes: 'nothing',
  input: z.strictObject({
    mode,
    merchantId: merchantId.nullable().default(null).describe('Null for all merchants that you may see.'),
    onlyTrouble: z.boolean().default(false).describe('Leave out accounts that are healthy, in rotation and not overridden.'),
    zone: timeZone.default('UTC').describe('IANA time zone of the times in sentences.'),
  }),
  output: z.strictObject({
    asOf: instant,
    accounts: z.array(
      z.strictObject({
        merchantId: z.string(),
        merchantName: z.string(),
        accountId: z.string(),
        label: z.string(),
        gateway: z.string(),
        enabled: z.boolean(),
        outOfRotation: z.string().nullable().describe('What to correct, or null.'),
        health: z.array(
          z.strictObject({
            method: z.string().nullable().describe('Null for the account as a whole.'),
            state: z.string(),
            why: z.string(),
            since: instant.nullable(),
            opened: z.int(),
            faulted: z.int(),
            paidLastHour: z.int(),
            unpaidLastHour: z.int(),
          }),
        ),
        overrides: z.array(
          z.strictObject({
            overrideId: z.string(),
            gateway: z
              .string()
              .nullable()
              .describe('Set for all accounts of this gateway, of all merchants; null for this account.'),
            action: z.string(),
            method: z.string().nullable(),
            reason: z.string(),
            startsAt: instant.nullable().describe('In the future for one that is planned; null where it began when it was set.'),
            expiresAt: instant.nullable(),
          }),
        ),
      }),
    ),
    accountCount: z.int().describe('How many there are; the first 50 are shown.'),
    sharedTrouble: z.array(z.strictObject({ method: z.string().nullable(), gateways: z.array(z.string()), since: instant })),
  }),
  async run({ trpc }, { onlyTrouble, zone, ...query }) {
    const { asOf, accounts, trouble } = await trpc.health.overview(query);
    const clock = clockIn(zone);
    const wanted = accounts.filter(
      ({ enabled, fault, overrides, health: states }) =>
        !onlyTrouble || (enabled && (fault !== null || overrides.length > 0 || states.some(({ state }) => state !== 'healthy'))),
    );
    const shown = firstOf(wanted, ACCOUNTS_MAX).map((account) => ({
      merchantId: account.merchantId,
      merchantName: account.merchantName,
      accountId: account.accountId,
      label: account.label,
      gateway: account.gateway,
      enabled: account.enabled,
      outOfRotation: account.fault?.sentence ?? null,
      health: account.health.map((each) => ({
        method: each.method,
        state: each.state,
        why: describeHealthReason(each.why, clock),
        since: textOf(each.since),
        opened: each.succeeded,
        faulted: each.faulted,
        paidLastHour: each.paid,
        unpaidLastHour: each.unpaid,
      })),
      overrides: firstOf([...account.overrides, ...account.planned], OVERRIDES_MAX).map((each) => ({
        overrideId: each.overrideId,
        gateway: each.gateway,
        action: each.action,
        method: each.method,
        reason: each.reason,
        startsAt: textOf(each.startsAt),
        expiresAt: textOf(each.expiresAt),
      })),
    }));
    const red = shown.filter(({ health: states, outOfRotation }) => outOfRotation !== null || states.some(isRed));
    const sentences = red.slice(0, 10).map(({ label, outOfRotation, health: states }) => {
      const worst = states.find(({ state }) => state === 'down') ?? states.find(isRed);
      return `${label}: ${outOfRotation ?? worst?.why ?? ''}`;
    });
    return {
      text: [`${shown.length} account(s), ${red.length} unhealthy.`, ...sentences].join(' '),
      data: {
        asOf: asOf.toISOString(),
        accounts: shown,
        accountCount: wanted.length,
        sharedTrouble: trouble.map(({ method, gateways, since }) => ({
          method,
          gateways: gateways.map(({ gateway }) => gateway),
          since: new Date(since).toISOString(),
        })),
      },
    };
  },
});

function isRed({ state }: { readonly state: string }): boolean {
  return state === 'down' || state === 'degraded';
}
