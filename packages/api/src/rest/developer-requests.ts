import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { MERCHANT_EVENT_TYPES } from '@switchyard/webhooks/events';
import { z } from 'zod';

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

export type TestEventRequest = z.output<typeof testEventRequest>;
export type RulesRequest = z.output<typeof rulesRequest>;
export type RuleDraftRequest = z.output<typeof ruleDraftRequest>;

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
