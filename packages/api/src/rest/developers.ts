import { checkRuleSetFile, linesOfCheck } from '@switchyard/rule-sets/check-rule-set-file';
import { createDraft } from '@switchyard/rule-sets/drafts';
import { exportAccounts, exportRules } from '@switchyard/rule-sets/files';
import type { FieldProblem } from '@switchyard/runtime';
import { z } from 'zod';
import { type RuleDraftRequest, type RulesRequest, ruleDraftRequest, rulesRequest } from './developer-requests.ts';
import { type Call, type Endpoint, endpointWithBody } from './endpoint.ts';
import { type FieldError, failures, succeed } from './envelope.ts';
import { readListQuery } from './read-query.ts';

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
