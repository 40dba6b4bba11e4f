import { z } from 'zod';
import { TOKEN_SCOPES } from '../../trpc/entered-fields.ts';
import { defineTool } from '../tool.ts';
import { instant, limitOf } from './inputs.ts';

const MERCHANTS_MAX = 200;

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  description: 'The staff user this token acts as, their roles by merchant, and what the token may do. Call it first.',
  changes: 'nothing',
  input: z.strictObject({}),
  output: z.strictObject({
    staffId: z.uuid().toLowerCase(),
    name: z.string(),
    email: z.string(),
    /** No role applies until it is set up. */
    mustSetUpTwoFactor: z.boolean(),
    roles: z.array(
      z.strictObject({
        merchantId: z.uuid().toLowerCase().nullable().describe('Null for all merchants.'),
        role: z.string(),
        permissions: z.array(z.string()),
        inTestMode: z.array(z.string()).describe('More, in test mode alone.'),
      }),
    ),
    roleCount: z.int(),
    token: z.strictObject({ name: z.string(), scopes: z.array(z.enum(TOKEN_SCOPES)), expiresAt: instant }),
  }),
  async run({ trpc, access }) {
    const me = await trpc.me();
    const roles = me.grants.slice(0, MERCHANTS_MAX).map(({ merchantId, role }, at) => ({
      merchantId,
      role: typeof role === 'string' ? role : role.name,
      permissions: [...(me.access[at]?.permissions ?? [])],
      inTestMode: [...(me.access[at]?.inTestMode ?? [])],
    }));
    const writing = access.scopes.includes('drafts') ? 'may save drafts' : 'only reads';
    const setUp = me.mustSetUpTwoFactor ? ' Two-factor sign-in must be set up before any role applies.' : '';
    return {
      text: `${me.name}, with ${me.grants.length} role(s). This token is named ${access.tokenName} and ${writing}.${setUp}`,
      data: {
        staffId: me.staffId,
        name: me.name,
        email: me.email,
        mustSetUpTwoFactor: me.mustSetUpTwoFactor,
        roles,
        roleCount: me.grants.length,
        token: { name: access.tokenName, scopes: [...access.scopes], expiresAt: access.expiresAt.toISOString() },
      },
    };
  },
});

const LISTED_MAX = 100;

export const listMerchants = defineTool({
  name: 'list_merchants',
  title: 'List merchants',
  description: 'The merchants that the staff user may see, by name, with their ids.',
  changes: 'nothing',
  input: z.strictObject({
    search: z.string().max(200).default('').describe('Part of a name or number.'),
    limit: limitOf(LISTED_MAX, 50),
  }),
  output: z.strictObject({
    merchants: z.array(z.strictObject({ merchantId: z.uuid().toLowerCase(), name: z.string(), merchantNumber: z.string() })),
    total: z.int().describe('How many fit the search.'),
  }),
  async run({ trpc }, { search, limit }) {
    const wanted = search.trim().toLowerCase();
    const found = (await trpc.merchants.list()).filter(({ name, merchantNumber }) =>
      `${name} ${merchantNumber}`.toLowerCase().includes(wanted),
    );
    return {
      text: `${found.length} merchant(s)${found.length > limit ? `, of which the first ${limit} are shown` : ''}.`,
      data: { merchants: found.slice(0, limit), total: found.length },
    };
  },
});
