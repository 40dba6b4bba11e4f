import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { checkRuleSetFile, linesOfCheck } from '@switchyard/rule-sets/check-rule-set-file';
import { createDraft } from '@switchyard/rule-sets/drafts';
import { exportAccounts, exportRules } from '@switchyard/rule-sets/files';
import type { FieldProblem } from '@switchyard/runtime';
import { MERCHANT_EVENT_TYPES, type MerchantEventType, sendExampleEvent } from '@switchyard/webhooks/events';
import { z } from 'zod';
import { type Call, type Endpoint, endpointWithBody } from './endpoint.ts';
import { type FieldError, failures, succeed, writeSuccess } from './envelope.ts';
import { readListQuery } from './list-queries.ts';

extendZodWithOpenApi(z);

/*
 * Bodies and answers of what developers use besides payments: events as they happen, test events, and rules as files. The files
 * themselves are checked by the feature, which names every problem at its place.
 */

/** Body of `POST /v1/events/test`. */
export const testEventRequest = z
  .strictObject({
    type: z.enum(MERCHANT_EVENT_TYPES, `must be one of ${MERCHANT_EVENT_TYPES.join(', ')}`).openapi({
      description: 'The type of the event to send.',
      example: 'payment.succeeded',
    }),
  })
  .openapi('TestEventRequest');

const file = z.record(z.string(), z.unknown(), 'must be an object').openapi({
  description: 'A rule-set file, as `GET /v1/rules` answers it; its JSON Schema is at `/schemas/rule-set-1.json`.',
});

/** Body of `POST /v1/rules/check`. */
export const rulesRequest = z.strictObject({ file }).openapi('CheckRulesRequest');

/** Body of `POST /v1/rules/drafts`. */
export const ruleDraftRequest = z
  .strictObject({
    file,
    name: z.string().min(1).max(100).optional().openapi({
      description: 'What the draft is called in the dashboard.',
      example: 'Cards to Paystack first',
    }),
  })
  .openapi('RuleDraftRequest');

type TestEventRequest = z.output<typeof testEventRequest>;
type RulesRequest = z.output<typeof rulesRequest>;
type RuleDraftRequest = z.output<typeof ruleDraftRequest>;

const mode = z.enum(['test', 'live']);

/** The active rules, and the accounts that they can name. */
export const rules = z
  .strictObject({
    file: z
      .strictObject({
        $schema: z.string().optional(),
        schemaVersion: z.literal(1),
        mode,
        version: z.int().openapi({ description: 'The published version.' }),
        ruleSet: z.record(z.string(), z.unknown()).openapi({ description: 'Accounts are named by their labels.' }),
      })
      .nullable()
      .openapi({ description: 'The rules as a file; null when none are published.' }),
    accounts: z
      .strictObject({ schemaVersion: z.literal(1), mode, accounts: z.array(z.record(z.string(), z.unknown())) })
      .openapi({
        description: 'The accounts that rules can name, without secrets: what `switchyard-admin rules check --accounts` takes.',
      }),
  })
  .openapi('Rules');

/** Result of the check of a rule-set file. */
export const rulesCheck = z
  .strictObject({
    blocks: z.boolean().openapi({ description: 'Whether something prevents the publication: a finding of grade error.' }),
    findings: z.array(
      z.strictObject({
        grade: z.enum(['error', 'critical', 'warning', 'note']),
        path: z.string().openapi({ description: 'The place in the file.', example: 'ruleSet.rules.0' }),
        message: z.string(),
        example: z.record(z.string(), z.unknown()).nullable().openapi({ description: 'A payment that shows it.' }),
      }),
    ),
    omitted: z.int().openapi({ description: 'How many more were found.' }),
    expectations: z.strictObject({ total: z.int(), held: z.int() }),
  })
  .openapi('RulesCheck');

/** A draft that was saved. */
export const ruleDraft = z
  .strictObject({
    draftId: z.uuid(),
    name: z.string(),
    baseVersion: z.int().openapi({ description: 'The published version that it would replace; 0 for none.' }),
    url: z.url().openapi({ description: 'Where staff read, try and publish it.' }),
    createdAt: z.iso.datetime(),
  })
  .openapi('RuleDraft');

const NAME = 'Pushed by API key';

/** `GET /v1/rules` */
export const getRules: Endpoint = {
  method: 'GET',
  scope: 'rules:read',
  async serve(switchyard, call) {
    const query = readListQuery(call.request, z.object({}));
    if ('errors' in query) return failures.badRequest(query.errors);
    const scope = scopeOf(call);
    const exported = await exportRules(switchyard, { ...scope, rules: { kind: 'published' } });
    switch (exported.kind) {
      case 'exported':
      case 'not_found': {
        const file = exported.kind === 'exported' ? exported.file : null;
        return succeed('Rules retrieved', { file, accounts: await exportAccounts(switchyard, scope) });
      }
      case 'invalid':
      case 'accounts_gone':
        return failures.badRequest(describe(exported.problems));
      default:
        return exported satisfies never;
    }
  },
};

/** `POST /v1/rules/check` */
export const checkRules = endpointWithBody<RulesRequest>({
  method: 'POST',
  scope: 'rules:read',
  body: { test: rulesRequest, live: rulesRequest },
  optional: false,
  async run(switchyard, call) {
    const check = checkRuleSetFile(call.body.file, await exportAccounts(switchyard, scopeOf(call)));
    if (check.kind === 'unreadable_accounts') return failures.badRequest(describe(check.problems));
    const { blocks, expectations, omitted } = check;
    return succeed(blocks ? 'The rules cannot be published' : 'The rules can be published', {
      blocks,
      findings: linesOfCheck(check),
      omitted,
      expectations: { total: expectations.length, held: expectations.filter(({ holds }) => holds).length },
    });
  },
});

/** `POST /v1/rules/drafts` */
export const createRuleDraft = endpointWithBody<RuleDraftRequest>({
  method: 'POST',
  scope: 'rules:write',
  body: { test: ruleDraftRequest, live: ruleDraftRequest },
  optional: false,
  async run(switchyard, call) {
    const { file, name = NAME } = call.body;
    const command = { ...scopeOf(call), from: { kind: 'file', file }, name, actor: `api_key:${call.key.id}` } as const;
    const outcome = await createDraft(switchyard, command);
    switch (outcome.kind) {
      case 'created': {
        const { draftId, baseVersion, createdAt } = outcome.draft;
        const { merchantId, mode } = command;
        const url = `${switchyard.resources.publicUrl}/routing/drafts/${draftId}?mode=${mode}&merchant=${merchantId}`;
        return succeed('Draft saved', { draftId, name: outcome.draft.name, baseVersion, url, createdAt });
      }
      case 'invalid':
        return failures.badRequest(describe(outcome.problems));
      case 'too_many_drafts':
        return failures.badRequest([
          {
            field: 'file',
            code: 'invalid_value',
            rule: `cannot be saved: ${outcome.limit} drafts are open, and there may be no more`,
          },
        ]);
      case 'unknown_version':
      case 'not_found':
        throw new Error(`a draft of an authenticated merchant was not created: ${outcome.kind}`);
      default:
        return outcome satisfies never;
    }
  },
});

function scopeOf({ caller }: Call) {
  return { merchantId: caller.configuration.merchant.id, mode: caller.mode };
}

function describe(problems: readonly FieldProblem[]): FieldError[] {
  return problems.map(({ field, message }) => ({ field, code: 'invalid_value', rule: message }));
}

/** `POST /v1/events/test` */
export const sendTestEvent = endpointWithBody<TestEventRequest>({
  method: 'POST',
  scope: 'payments:write',
  body: { test: testEventRequest, live: testEventRequest },
  optional: false,
  async run(switchyard, { caller, body }) {
    if (caller.mode !== 'test') {
      return failures.badRequest([{ field: 'Authorization', code: 'invalid_value', rule: 'must be a key of test mode' }]);
    }
    const { id: merchantId } = caller.configuration.merchant;
    const outcome = await sendExampleEvent(switchyard, { merchantId, type: body.type });
    switch (outcome.kind) {
      case 'no_such_event':
        return failures.badRequest([
          {
            field: 'type',
            code: 'invalid_value',
            rule: `has had no event yet: ${HOW_TO_HAVE[body.type]}, and send it again`,
          },
        ]);
      case 'sent':
        return { kind: 'written', statusCode: 200, body: writeSuccess('Test event sent', outcome.body) };
      default:
        return outcome satisfies never;
    }
  },
});

/** Steps that give a payment of test mode an event of a type. */
const HOW_TO_HAVE = {
  'payment.succeeded': 'pay a payment of test mode with a test card that succeeds',
  'payment.failed': 'start a payment of test mode while every gateway of the sandbox has a fault',
  'payment.refunded': 'refund the whole of a payment of test mode',
  'refund.succeeded': 'refund a payment of test mode',
  'refund.failed': 'refund a payment of test mode that was paid with a test card whose refund fails',
  'payment.requires_review': 'pay a payment of test mode while the sandbox has the fault underpaid',
  'payment.duplicate_charge': 'pay a payment of test mode at two gateways of the sandbox',
  'payment.repeated': 'start two payments of test mode for the same customer and amount, and pay both',
  'payment.reversed':
    'reverse a paid payment of test mode at a gateway of the sandbox that shows reversals, and wait for its status check',
  'dispute.opened': 'dispute a paid payment of test mode at a gateway of the sandbox that has disputes',
  'dispute.closed': 'resolve a dispute of a payment of test mode at the sandbox',
  'payment.reinstated': 'give the money of a reversed payment back at the sandbox, and wait for its status check',
} as const satisfies Record<MerchantEventType, string>;
