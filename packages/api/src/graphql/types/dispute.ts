import { disputeNoun } from '@switchyard/disputes/lists';
import { builder } from '../builder.ts';
import { showFields } from '../nouns.ts';
import { Account, accountOf } from './account.ts';

const PERMISSION = 'payment:read';
/** The assumed average length of a list inside a dispute, for cost. */
const PARTS_COST = { complexity: { field: 1, multiplier: 4 } };

const Evidence = builder.prismaObject('DisputeEvidence', {
  name: 'DisputeEvidence',
  description: 'A file that supports an answer to a dispute, without its content.',
  select: { merchantId: true, id: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the file.' }),
    fileName: t.exposeString('fileName', { description: 'Its name.' }),
    mediaType: t.exposeString('mediaType', { description: 'Its media type: application/pdf.' }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Its size.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

const ResponseAction = builder.enumType('DisputeResponseAction', {
  description: 'How a dispute was answered.',
  values: {
    ACCEPT: { description: 'The customer gets the money back.' },
    CONTEST: { description: 'The merchant keeps it, with evidence.' },
  },
});

const ResponseState = builder.enumType('DisputeResponseState', {
  description: 'State of an answer to a dispute.',
  values: {
    SENDING: { description: 'Recorded; the gateway may not have it yet.' },
    SENT: { description: 'The gateway has it.' },
    UNKNOWN: { description: 'The gateway gave no usable answer: it is asked about the dispute, and nothing is sent again.' },
    REFUSED: { description: 'The gateway refused it.' },
    RECORDED: { description: "Given on the gateway's dashboard, and recorded." },
  },
});

const Response = builder.prismaObject('DisputeResponse', {
  name: 'DisputeResponse',
  description: 'An answer to a dispute.',
  select: { merchantId: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the answer.' }),
    stage: t.exposeString('stage', { description: "The dispute's stage then; empty where the gateway has none." }),
    action: t.expose('action', { type: ResponseAction, description: 'Accepted or contested.' }),
    state: t.expose('state', { type: ResponseState, description: 'Its state.' }),
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What goes back; null when it is contested.',
      select: { amount: true },
      resolve: ({ amount }) => amount?.toFixed() ?? null,
    }),
    message: t.exposeString('message', { description: 'For the gateway.' }),
    evidenceId: t.exposeID('evidenceId', { nullable: true, description: 'The file sent with it.' }),
    failure: t.exposeString('failure', { nullable: true, description: 'Why the gateway refused it.' }),
    requestedBy: t.exposeString('requestedBy', { description: 'Who gave it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
});

/** GraphQL type of a dispute. */
export const Dispute = builder.prismaObject('Dispute', {
  name: 'Dispute',
  description: 'A payment that a customer disputes with the bank. Amounts are exact decimals of the main unit.',
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account that was paid.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    manual: t.exposeBoolean('manual', { description: 'Opened by a staff user, as the gateway has no list of disputes.' }),
    evidence: t.loadableList({
      type: Evidence,
      description: 'Files that support an answer, oldest first.',
      ...PARTS_COST,
      load: async (keys: string[], { reports }) => {
        const found = await reports.prisma.disputeEvidence.findMany({
          where: ofDisputes(keys),
          orderBy: { id: 'asc' },
          omit: { content: true },
        });
        return ofEach(keys, found);
      },
      resolve: ({ merchantId, id }) => `${merchantId}/${id}`,
    }),
    responses: t.loadableList({
      type: Response,
      description: 'Answers, oldest first.',
      ...PARTS_COST,
      load: async (keys: string[], { reports }) => {
        const found = await reports.prisma.disputeResponse.findMany({
          where: ofDisputes(keys),
          orderBy: { id: 'asc' },
        });
        return ofEach(keys, found);
      },
      resolve: ({ merchantId, id }) => `${merchantId}/${id}`,
    }),
  }),
});
showFields(Dispute, 'Dispute', disputeNoun, 'dispute_id');

/** Rows of these disputes; each key is `<merchant>/<dispute>`, so that a row of another merchant never matches. */
function ofDisputes(keys: readonly string[]) {
  return {
    OR: keys.map((key) => {
      const [merchantId = '', disputeId = ''] = key.split('/');
      return { merchantId, disputeId };
    }),
  };
}

function ofEach<Row extends { readonly merchantId: string; readonly disputeId: string }>(
  keys: readonly string[],
  rows: readonly Row[],
): Row[][] {
  const byKey = Map.groupBy(rows, ({ merchantId, disputeId }) => `${merchantId}/${disputeId}`);
  return keys.map((key) => [...(byKey.get(key) ?? [])]);
}
