import {
  findPublishedRuleSet,
  insertPublishedRuleSet,
  type JsonValue,
  lastRuleSetVersion,
  listGatewayAccountRows,
  type Mode,
} from '@switchyard/db';
import { parseRuleSet, type RuleSet, type RuleTarget } from '@switchyard/routing';
import { z } from 'zod';
import { changeConfiguration } from './change-configuration.ts';
import { ACCOUNTS_MAX } from './connect-gateway.ts';
import type { MerchantsContext } from './context.ts';
import type { FieldProblem } from './field-problems.ts';

export interface PublishRulesCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  /** `{ rules, defaultOrder }` as plain JSON; a `version` in it is ignored. */
  readonly document: unknown;
  /** The published version the document was written from; 0 when there was none. */
  readonly baseVersion: number;
  /** Why, in the publisher's words, up to 500 characters. */
  readonly reason: string | null;
  readonly actor: string;
}

export type PublishRulesOutcome =
  | { readonly kind: 'published'; readonly ruleSetId: string; readonly ruleSet: RuleSet }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** Somebody else has published meanwhile. */
  | { readonly kind: 'stale_base'; readonly currentVersion: number }
  | { readonly kind: 'not_found' };

const REASON_MAX = 500;
const reasonSchema = z
  .string()
  .max(REASON_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
  .nullable();

/**
 * Publishes a merchant's routing rules as the next version and ends the one before, at once for new payments. Accounts the
 * document names must be the merchant's own, of that mode.
 */
export async function publishRules(context: MerchantsContext, command: PublishRulesCommand): Promise<PublishRulesOutcome> {
  const parsed = readDocument(command);
  if (parsed.kind === 'invalid') return parsed;
  const { merchantId, mode, baseVersion, reason, actor } = command;
  return changeConfiguration<PublishRulesOutcome>(context, command, async (transaction, now) => {
    const current = await findPublishedRuleSet(transaction, { merchantId, mode });
    const currentVersion = current?.version ?? 0;
    if (currentVersion !== baseVersion) return { outcome: { kind: 'stale_base', currentVersion }, audit: null };
    const accounts = await listGatewayAccountRows(transaction, merchantId, { mode, limit: ACCOUNTS_MAX });
    const problems = unknownAccounts(parsed.ruleSet, new Set(accounts.map((account) => account.id)));
    if (problems.length > 0) return { outcome: { kind: 'invalid', problems }, audit: null };
    const version = (await lastRuleSetVersion(transaction, { merchantId, mode })) + 1;
    const ruleSet = { ...parsed.ruleSet, version };
    const document: JsonValue = JSON.parse(JSON.stringify(ruleSet));
    const ruleSetId = context.newId();
    const row = { merchantId, id: ruleSetId, mode, version, baseVersion, document, reason, publishedBy: actor };
    await insertPublishedRuleSet(transaction, row, now);
    return {
      outcome: { kind: 'published', ruleSetId, ruleSet },
      audit: {
        action: 'rule_set.published',
        objectType: 'rule_set_version',
        objectId: ruleSetId,
        before: { mode, version: baseVersion },
        after: { mode, version, reason },
      },
    };
  });
}

function readDocument({ document, reason }: PublishRulesCommand) {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  const parsed = parseRuleSet(isObject ? { ...document, version: 0 } : document);
  const problems = parsed.ok ? [] : parsed.problems.map(({ path, message }) => ({ field: path, message }));
  if (!reasonSchema.safeParse(reason).success) {
    problems.push({ field: 'reason', message: `must be text of at most ${REASON_MAX} characters without control characters` });
  }
  if (!parsed.ok || problems.length > 0) return { kind: 'invalid', problems } as const;
  return { kind: 'parsed', ruleSet: parsed.ruleSet } as const;
}

function unknownAccounts(ruleSet: RuleSet, known: ReadonlySet<string>): FieldProblem[] {
  const named = [
    ...ruleSet.defaultOrder.map((account, index) => ({ field: `defaultOrder.${index}`, account })),
    ...ruleSet.rules.flatMap(({ then }, at) =>
      accountsOf(then).map(({ field, account }) => ({ field: `rules.${at}.then.${field}`, account })),
    ),
  ];
  const unknown = named.filter(({ account }) => !known.has(account));
  return unknown.map(({ field }) => ({ field, message: "must be one of the merchant's accounts in this mode" }));
}

function accountsOf(target: RuleTarget): { field: string; account: string }[] {
  if (target.strategy !== 'weighted') return target.accounts.map((account, at) => ({ field: `accounts.${at}`, account }));
  return target.split.map(({ account }, at) => ({ field: `split.${at}.account`, account }));
}
