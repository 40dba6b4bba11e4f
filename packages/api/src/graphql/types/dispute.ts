import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';

const PERMISSION = 'payment:read';
/** The assumed average length of a list inside a dispute, for cost. */
const PARTS_COST = { complexity: { field: 1, multiplier: 4 } };

export const DisputeState = builder.enumType('DisputeState', {
  description: 'State of a dispute, as its gateway reports it.',
  values: {
    NEEDS_RESPONSE: { description: 'It has to be answered before it is due.' },
    UNDER_REVIEW: { description: 'Answered; the bank or the gateway decides.' },
    WON: { description: 'The merchant keeps the money.' },
    LOST: { description: 'The money goes back to the customer.' },
    ACCEPTED: { description: 'The merchant accepted it: the money goes back.' },
    EXPIRED: { description: 'It was not answered in time: the money goes back.' },
    CLOSED: { description: 'Closed without a word on who keeps the money.' },
  },
});

const DueSource = builder.enumType('DisputeDueSource', {
  description: 'Where the due date of a dispute comes from.',
  values: {
    GATEWAY: { description: "A field of the gateway's." },
    RULE: { description: 'The rule that the gateway publishes, counted from when the dispute was opened.' },
    STAFF: { description: 'A staff user entered it.' },
  },
});

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
  select: { merchantId: true, id: true, mode: true, accountId: true, gateway: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the dispute.' }),
    paymentId: t.exposeID('paymentId', {
      nullable: true,
      description: 'The disputed payment; null of one that is not in the ledger, as another software took it at the account.',
    }),
    reference: t.exposeString('reference', { nullable: true, description: "The disputed payment's reference at the gateway." }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of its transaction." }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was paid.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    gatewayDisputeId: t.exposeString('gatewayDisputeId', { description: "The gateway's own id of it." }),
    state: t.expose('state', { type: DisputeState, description: 'Its state.' }),
    category: t.exposeString('category', { nullable: true, description: "The gateway's word for its kind." }),
    stage: t.exposeString('stage', { nullable: true, description: "The gateway's word for how far it got." }),
    amount: t.field({
      type: 'Decimal',
      description: 'The disputed amount.',
      select: { amount: true },
      resolve: ({ amount }) => amount.toFixed(),
    }),
    takenBack: t.field({
      type: 'Decimal',
      description:
        'What it took back of its payment: no more than was left, 0 while it is not lost. With what a gateway takes back without a dispute it is the reversed amount of the payment.',
      select: { takenBack: true },
      resolve: ({ takenBack }) => takenBack.toFixed(),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of its amounts.' }),
    fee: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What the gateway charges for it; null where it is not known.',
      select: { fee: true },
      resolve: ({ fee }) => fee?.toFixed() ?? null,
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', nullable: true, description: 'Until when it has to be answered.' }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When it was opened.' }),
    dueSource: t.expose('dueSource', {
      type: DueSource,
      nullable: true,
      description: 'Where that date comes from; null without one.',
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
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
  }),
});

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
