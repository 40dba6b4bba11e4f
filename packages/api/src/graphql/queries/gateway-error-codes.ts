import { type ErrorCodeItem, listErrorCodes } from '@switchyard/provider-health/error-codes';
import { builder } from '../builder.ts';
import { names, requestedMerchants, uuids } from '../inputs.ts';
import { Account } from '../types/account.ts';
import { Mode } from '../types/enums.ts';

const PERMISSION = 'gateway:read';

const Meaning = builder.enumType('ErrorCodeMeaning', {
  description: "What is made of a gateway's error code.",
  values: {
    DECLINED: { value: 'declined', description: "The customer's try to pay was refused." },
    OURS: { value: 'ours', description: "Our fault, or the merchant's." },
    THEIRS: { value: 'theirs', description: "The gateway's fault." },
    UNKNOWN: { value: 'unknown', description: 'It leaves open what was done, or is in no table.' },
  },
});

const Section = builder.objectRef<NonNullable<ErrorCodeItem['section']>>('DocumentSection').implement({
  description: "A section of a gateway's documentation.",
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Its title.' }),
    address: t.exposeString('address', { description: 'Its address.' }),
  }),
});

const Count = builder.objectRef<ErrorCodeItem['counts'][number] & Pick<ErrorCodeItem, 'gateway'>>('ErrorCodeCount').implement({
  description: 'How often an error code came at one account by one operation in 30 days.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    merchantId: t.exposeID('merchantId', { description: 'The merchant of the account.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, accountLabel: label, gateway }) => ({ accountId, gateway, label }),
    }),
    operation: t.exposeString('operation', { description: 'The operation that was refused: open, verify, refund, find_refund.' }),
    count: t.exposeInt('count', { description: 'How often.' }),
    firstAt: t.expose('firstAt', { type: 'DateTime', description: 'The first time.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'The last time.' }),
  }),
});

const Code = builder.objectRef<ErrorCodeItem>('GatewayErrorCode').implement({
  description: 'An error code of a gateway, what is made of it, and how often it came in 30 days.',
  fields: (t) => ({
    gateway: t.exposeString('gateway', { description: 'The gateway, by name: paystack.' }),
    code: t.exposeString('code', { description: "The gateway's code; its words where it has no code for them." }),
    words: t.exposeString('words', { description: "The gateway's words; empty of a code that is in no table." }),
    meaning: t.expose('meaning', { type: Meaning, description: 'What is made of it.' }),
    section: t.expose('section', {
      type: Section,
      nullable: true,
      description: "The section of the gateway's documentation; null of a code that is in no table.",
    }),
    count: t.exposeInt('total', { description: 'How often it came.' }),
    firstAt: t.expose('firstAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The first time; null of a code that did not come.',
    }),
    lastAt: t.expose('lastAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The last time; null of a code that did not come.',
    }),
    counts: t.field({
      type: [Count],
      description: 'By account and operation.',
      resolve: ({ gateway, counts }) => counts.map((count) => ({ ...count, gateway })),
    }),
    paymentIds: t.idList({
      description: 'Of a code that is in no table, the latest payments that it came for.',
      resolve: ({ paymentIds }) => [...paymentIds],
    }),
  }),
});

const Filter = builder.inputType('GatewayErrorCodeFilter', {
  description: 'Filter of error codes. An omitted field matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Mode of the accounts that codes are counted at.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    gateways: t.stringList({ description: 'Gateways, by name.', validate: names }),
    meanings: t.field({ type: [Meaning], description: 'Meanings.' }),
    came: t.boolean({ description: 'True for codes that came, false for those that did not.' }),
  }),
});

builder.queryField('gatewayErrorCodes', (t) =>
  t.field({
    type: [Code],
    description:
      'The error codes of every gateway, those that no table has first, then by how often they came in 30 days at accounts of these merchants.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 20 },
    resolve: async (_root, { filter }, { switchyard, reports, viewer }) => {
      const { mode, gateways, meanings, came } = filter;
      const merchantIds = requestedMerchants(viewer, PERMISSION, filter);
      const codes = await listErrorCodes(switchyard, reports, { merchantIds, mode });
      return codes.filter(
        ({ gateway, meaning, total }) =>
          isIn(gateways, gateway) && isIn(meanings, meaning) && (isAny(came) || total > 0 === came),
      );
    },
  }),
);

function isAny(given: unknown): given is null | undefined {
  return given === null || given === undefined;
}

function isIn<T>(wanted: readonly T[] | null | undefined, value: T): boolean {
  return isAny(wanted) || wanted.length === 0 || wanted.includes(value);
}
